/** Finds the files that a command promised to leave in its folder. Names never leave the folder, by `..` or by a link. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { notCreated } from './command-failures.ts';

type Created =
  | { readonly is: 'all'; readonly files: readonly (readonly [name: string, path: string])[] }
  | { readonly is: 'missing'; readonly message: string };

export async function findCreated(folder: string, creates: Readonly<Record<string, string>>): Promise<Created> {
  if (Object.keys(creates).length === 0) return { is: 'all', files: [] };
  const home = await realpath(folder);
  const files: [string, string][] = [];
  for (const [name, path] of Object.entries(creates)) {
    const problem = await whatIsWrong(join(home, path), home);
    if (problem !== undefined)
      return { is: 'missing', message: notCreated(name, path, problem, await inventory(home)) };
    files.push([name, join(home, path)]);
  }
  return { is: 'all', files };
}

async function whatIsWrong(path: string, home: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return 'is not there';
  if (!real.startsWith(`${home}${sep}`)) return 'is a link that leads out of its folder';
  const { isFile, size } = await stat(real).then(found => ({ isFile: found.isFile(), size: found.size }));
  if (!isFile) return 'is no file';
  // A crashed encoder often leaves an empty file: it is better reported now than by the step that reads it.
  return size === 0 ? 'is empty' : undefined;
}

/** Every file below the folder, with `/` between names. */
async function inventory(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(home, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}
