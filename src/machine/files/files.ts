import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf } from '../error-code.ts';
import type { Disk } from './disk.ts';
import { isMissing, readOutsideTextIfThere } from './outside-file.ts';

/**
 * Puts text at `path` so that a reader, or a power cut, meets the old file or the new one and never half of either.
 * Missing folders are made. Costs about 2 ms: for things that must last, not for scratch.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  await replace(path, text, async () => true);
}

/** The same, if the file still holds `over` (null: is not there); otherwise nothing is written, and the answer is false. */
export function rewriteAtomically(path: string, text: string, over: string | null): Promise<boolean> {
  return replace(path, text, async () => (await readIfThere(path)) === over);
}

/** `mayStill` is asked when all bytes are on the disk: only a rename is left between its answer and the new file. */
async function replace(path: string, text: string, mayStill: () => Promise<boolean>): Promise<boolean> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // The draft's name does not contain the file's: a name that just fits the disk leaves no room for more.
  const draft = join(folder, `.${crypto.randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await mayStill())) {
      await rm(draft);
      return false;
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncPath(folder);
  return true;
}

/** The text at `path`, or null where there is no such file. @throws FileRefused, and anything else that keeps it from being read. */
export const readIfThere = async (path: string, maxBytes?: number): Promise<string | null> =>
  readOutsideTextIfThere(path, maxBytes) ?? null;

/** The nearest folder, from `folder` upwards, that holds one of `names`; null where none does. */
export async function findUp(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    if (await isThere(join(folder, name))) return folder;
  }
  const parent = dirname(folder);
  return parent === folder ? null : findUp(parent, names);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}

/**
 * Syncs a file or a folder. Without it, a file may be gone or empty after a power cut; a rename is durable once its folder is synced.
 * Windows cannot open a folder, and need not sync it.
 */
export async function syncPath(path: string, disk: Pick<Disk, 'open' | 'stat'> = { open, stat }): Promise<void> {
  if (platform() === 'win32' && (await disk.stat(path)).isDirectory()) return;
  const handle = await disk.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The answer of the disk; undefined where the file or folder is not there. Rejects as `asked` does with whatever else is the matter. */
export const ifThere = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

const isForbidden = (error: unknown): boolean => codeOf(error) === 'EACCES' || codeOf(error) === 'ELOOP';
