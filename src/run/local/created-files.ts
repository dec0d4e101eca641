/** Finds the files that a command promised to leave in its folder. Names never leave the folder, by `..` or by a link. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { naturally } from '../../domain/natural-order.ts';
import { notCreated, tooMany } from './command-failures.ts';

export interface Promised {
  /** Name → path relative to the folder. */
  readonly creates: { readonly [name: string]: string };
  /** Names among them whose paths hold a star: all files that match. */
  readonly lists: readonly string[];
  /** The most files that a star may stand for. */
  readonly mostFiles: number;
}

export interface CreatedFile {
  /** Absolute, as the command called it, and where it leads. */
  readonly path: string;
  readonly real: string;
  /** From the command's folder, for messages. */
  readonly shown: string;
}

/** One file, or the files of a list in natural order. */
export type CreatedFiles = readonly (readonly [name: string, made: CreatedFile | readonly CreatedFile[]])[];

type Created =
  | { readonly is: 'all'; readonly files: CreatedFiles }
  | { readonly is: 'missing'; readonly message: string };

export async function findCreated(folder: string, { creates, lists, mostFiles }: Promised): Promise<Created> {
  if (Object.keys(creates).length === 0) return { is: 'all', files: [] };
  const home = await realpath(folder);
  const files: [string, CreatedFile | readonly CreatedFile[]][] = [];
  for (const [name, path] of Object.entries(creates)) {
    const isList = lists.includes(name);
    const found = isList ? await matching(join(home, path)) : [join(home, path)];
    if (found.length > mostFiles && isList)
      return { is: 'missing', message: tooMany(name, path, found.length, mostFiles) };
    if (found.length === 0)
      return { is: 'missing', message: notCreated(name, path, 'matches nothing', await inventory(home)) };
    const made: CreatedFile[] = [];
    for (const path of found) {
      const shown = relative(home, path).replaceAll(sep, '/');
      const looked = await look(path, home);
      if ('problem' in looked)
        return { is: 'missing', message: notCreated(name, shown, looked.problem, await inventory(home)) };
      made.push({ path, shown, ...looked });
    }
    files.push([name, isList ? made : made[0]!]);
  }
  return { is: 'all', files };
}

/** As in a shell, a star stands for any part of a name, and not for the dot of a hidden file. */
async function matching(pattern: string): Promise<readonly string[]> {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const parts = name.split('*').map(part => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('[^]*')}$`);
  const found = await readdir(folder).catch(() => []);
  return found
    .filter(candidate => expression.test(candidate) && (name.startsWith('.') || !candidate.startsWith('.')))
    .sort(naturally)
    .map(candidate => join(folder, candidate));
}

async function look(path: string, home: string): Promise<{ readonly real: string } | { readonly problem: string }> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return { problem: 'is not there' };
  if (!real.startsWith(`${home}${sep}`)) return { problem: 'is a link that leads out of its folder' };
  const { isFile, size } = await stat(real).then(found => ({ isFile: found.isFile(), size: found.size }));
  if (!isFile) return { problem: 'is no file' };
  // A crashed encoder often leaves an empty file: it is better reported now than by the step that reads it.
  return size === 0 ? { problem: 'is empty' } : { real };
}

/** Every file below the folder, with `/` between names. */
async function inventory(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(home, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}
