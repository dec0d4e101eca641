/** Where this machine keeps the state of a pipeline: below the project's `.shotlist/`. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { codeOf } from '../machine/error-code.ts';
import { diskErrorFrom } from '../machine/files/disk-error.ts';
import { isInside, type Project } from '../machine/files/project.ts';
import { filmIn } from '../model/profile.ts';

interface StateFolders {
  /** The journal, partial work, command folders. */
  readonly runs: string;
  readonly store: string;
}

/** Results, logs and progress hold prompts, so a folder that is made is its owner's alone. One that is there keeps its mode. */
const PRIVATE = 0o700;

export async function stateFolders(project: Project, profile?: string): Promise<StateFolders> {
  // Not recursive at first: on a read-only disk, the recursive call reports only that the folder is not there.
  await mkdir(project.stateFolder, { mode: PRIVATE }).catch(async error => {
    const isMade = codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT';
    const again = isMade
      ? await mkdir(project.stateFolder, { recursive: true, mode: PRIVATE }).catch(why => why)
      : error;
    if (again instanceof Error) throw diskErrorFrom(again, project.stateFolder) ?? again;
  });
  // Journals, results and the studio's state belong to this machine, not to the repository.
  await writeFile(join(project.stateFolder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {});
  return {
    runs: join(project.stateFolder, 'runs', filmOf(project, profile)),
    store: join(project.stateFolder, 'store'),
  };
}

/** `pipelines/fox.yaml` in `draft` → `pipelines~fox/@draft`. */
export const filmOf = (project: Project, profile: string | undefined): string => filmIn(slugOf(project), profile);

/** Profiles of a film that were run here, also ones that its file does not name any more. The real film is not among them. */
export async function profilesRunHere(project: Project): Promise<readonly string[]> {
  const entries = await readdir(join(project.stateFolder, 'runs', slugOf(project))).catch(() => []);
  return entries.flatMap(name => (name.startsWith('@') ? [name.slice(1)] : [])).sort();
}

/** `pipelines/fox.yaml` → `pipelines~fox`. */
export function slugOf({ root, pipelineFile }: Project): string {
  if (isInside(pipelineFile, root))
    return relative(root, pipelineFile)
      .replace(/\.ya?ml$/i, '')
      .split(sep)
      .join('~');
  return `${basename(pipelineFile)}-${createHash('sha256').update(pipelineFile).digest('hex').slice(0, 8)}`;
}
