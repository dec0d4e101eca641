/** The pipelines that come with the project. A run writes its lock beside each of them, and a lock is no pipeline. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskProjectFiles } from '../../src/app/disk-project-files.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';

export const FOLDER = fileURLToPath(new URL('../../pipelines', import.meta.url));

export interface PipelineFile {
  /** `teaser.yaml` */
  readonly name: string;
  readonly text: string;
}

/** The files beside them, as the one of this name sees them. */
export const filesBeside = (name: string): ProjectFiles => diskProjectFiles(join(FOLDER, name), FOLDER);

/** In the order of their names. */
export function pipelineFiles(folder = FOLDER): readonly PipelineFile[] {
  return readdirSync(folder)
    .filter(isPipeline)
    .sort()
    .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Puts them into `project`, where they belong, without what was made of them before. */
export function copyPipelines(project: string, folder = FOLDER): void {
  for (const name of readdirSync(folder).filter(isPipeline))
    cpSync(join(folder, name), join(project, 'pipelines', name));
  // Files that they use.
  for (const name of ['parts', 'media'].filter(name => existsSync(join(folder, name))))
    cpSync(join(folder, name), join(project, 'pipelines', name), { recursive: true });
}

/** Its lock, as it is committed; it need not be there. */
export const committedLock = (name: string, folder = FOLDER): string => join(folder, `${name}.lock.yaml`);

/** Puts the lock of one beside it, as a clean checkout has it. */
export function copyLock(project: string, name: string): void {
  const lock = committedLock(name);
  if (existsSync(lock)) cpSync(lock, join(project, 'pipelines', `${name}.lock.yaml`));
}

const isPipeline = (name: string): boolean => name.endsWith('.yaml') && !name.endsWith('.lock.yaml');
