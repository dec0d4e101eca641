/** A new database under a name of its own, until it is whole; and those that a process left behind when it was ended before it got there. */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './error-code.ts';

/** Milliseconds after which nobody is still making it. */
const LEFT_BEHIND = 60 * 60_000;

export const draftOf = (path: string): string => `${path}.${crypto.randomUUID()}.new`;

/** Gives the whole file its name, unless the name is taken by then: whoever has it may have written to it already. */
export function place(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return;
    if (!LINKLESS.has(code)) throw error;
    copy(draft, path);
  }
  syncFolder(dirname(path));
}

/** What disks say that know no second name for a file: FAT, and some that are shared over a network. */
const LINKLESS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EINVAL',
  'EMLINK',
]);

/** Never over another's. A crash within these few kilobytes leaves a half, which the next one to open it refuses. */
function copy(draft: string, path: string): void {
  try {
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  sync(path);
}

export function sweepDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.new(-wal|-shm|-journal)?$/.test(name)) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > LEFT_BEHIND) rmSync(join(folder, name), { force: true });
  }
}

/** A name is durable once its folder is. Windows cannot open a folder, and needs no telling. */
function syncFolder(folder: string): void {
  if (platform() !== 'win32') sync(folder);
}

function sync(path: string): void {
  const handle = openSync(path, platform() === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
