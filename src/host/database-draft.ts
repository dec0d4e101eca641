/** A new database has a name of its own until it is whole. Drafts that a killed process left behind are swept up here. */
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

/** Gives the whole file its name, unless the name is taken by then: the other file may have been written to already. */
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

/** Error codes of disks that know no hard links: FAT, and some network shares. */
const LINKLESS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EINVAL',
  'EMLINK',
]);

/** Copies, and never over another file. A crash within these few kilobytes leaves half a file, which is refused when it is opened. */
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

/** A name is durable once its folder is. Windows cannot open a folder, and need not sync it. */
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
