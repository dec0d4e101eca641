/** `out/` in the project's `.gitignore`, where a repository would otherwise be offered the films. What is there already stays as it is. */
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findUp, readIfThere } from '../../host/files.ts';
import { SETTINGS_FILE, STATE_FOLDER } from '../../host/project.ts';

const LINE = 'out/';
const SAYS_SO: ReadonlySet<string> = new Set(['out', 'out/', '/out', '/out/', '*']);

interface Ignored {
  readonly path: string;
  readonly did: 'written' | 'extended';
}

/**
 * A folder without a project or a repository above it becomes a project of its own: its films land in it, from wherever it is run.
 * Undefined where nothing had to be written.
 */
export async function ignoreOutputs(folder: string): Promise<Ignored | undefined> {
  const root = await findUp(folder, [SETTINGS_FILE, STATE_FOLDER, '.git']);
  if (root === null) {
    await mkdir(join(folder, STATE_FOLDER), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, STATE_FOLDER, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {});
  } else if ((await findUp(root, ['.git'])) === null) return undefined;
  const path = join(root ?? folder, '.gitignore');
  const before = await readIfThere(path);
  if (before === null) {
    await writeFile(path, `${LINE}\n`, { flag: 'wx' });
    return { path, did: 'written' };
  }
  if (before.split(/\r?\n/).some(line => SAYS_SO.has(line.trim()))) return undefined;
  await appendFile(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return { path, did: 'extended' };
}
