/**
 * Walks the path of an output folder by folder at the moment of writing: `check` knows the path's text, but only the disk knows its links. Nothing
 * that shotlist writes for an author leaves the project, whatever a link points to.
 *
 * Another program may still put a link where a folder was between the check and the write, because Node cannot open relative to a
 * folder. So the path is checked again right before the write; only a program that works against its own user fits into what is
 * left of the gap.
 */

import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import { ifThere } from '../../machine/files/files.ts';
import { isInside, STATE_FOLDER } from '../../machine/files/project.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { digestOf } from '../../records/store/digest.ts';
import { isSureToBeSame } from '../../records/store/materialise.ts';
import type { StoreIndex } from '../../records/store/store.ts';

/** The message names what is in the way, and what to do. */
export class Unwritable extends Refusal {}

interface OutputPlace {
  /** Absolute, and free of links. */
  readonly folder: string;
  readonly target: string;
}

/** Makes the folders. @param reserved paths below the root that are not written, also when a link leads to them. */
export async function placeFor(path: string, root: string, reserved: readonly string[]): Promise<OutputPlace> {
  const top = await realpath(root);
  const parts = path.split(sep === '\\' ? /[\\/]/ : '/');
  if (parts.some(part => part === '' || part === '.' || part === '..'))
    throw new Unwritable(`${path} is no path below the project's folder: write \`to:\` without \`..\``);
  const name = parts.pop() ?? '';
  let folder = top;
  for (const [index, part] of parts.entries())
    folder = await step(join(folder, part), parts.slice(0, index + 1).join('/'), top);
  const real = relative(top, join(folder, name)).split(sep).join('/');
  if (isReserved(real, reserved)) {
    const how = real === path ? '' : ', and a link leads there';
    throw new Unwritable(`${real} is not for outputs${how}: choose another \`to:\``);
  }
  return { folder, target: join(folder, name) };
}

/** Throws where the folder has become a link since `placeFor`. */
export async function assertUnchanged({ folder }: OutputPlace): Promise<void> {
  if ((await realpath(folder)) !== folder)
    throw new Unwritable('its folder became a link while it was written: remove that link');
}

async function step(next: string, shown: string, top: string): Promise<string> {
  const found = await ifThere(lstat(next));
  if (found === undefined) {
    await mkdir(next).catch(error => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return step(next, shown, top);
  }
  if (found.isDirectory()) return next;
  if (!found.isSymbolicLink())
    throw new Unwritable(`${shown} is a file, and should be a folder: move it away, or choose another \`to:\``);
  const real = await realpath(next).catch(error => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new Unwritable(`${shown} is a link to nothing: make a folder of it, or choose another \`to:\``);
  });
  if (real !== top && !isInside(real, top))
    throw new Unwritable(
      `${shown} is a link that leads out of the project, to ${real}: make a folder of it, or choose another \`to:\``,
    );
  return step(real, shown, top);
}

function isReserved(name: string, reserved: readonly string[]): boolean {
  // File systems of two of the three platforms do not tell letter case apart.
  const folded = fold(name);
  const parts = folded.split('/');
  return parts.includes('.git') || parts[0] === STATE_FOLDER || reserved.some(path => fold(path) === folded);
}

export const fold = (path: string): string => path.normalize('NFC').toLowerCase();

/**
 * Makes sure that nothing is lost by writing there, and returns a note on what was done for that.
 *
 * An output of an earlier run is replaced, as its bytes are in the store. A file whose bytes are not there is a person's work: it was cut
 *  or graded in place, or that had the name before shotlist came. To refuse would leave a paid film without its
 * place over a name; to replace would lose hours. So the film gets its name, and the work is kept beside it.
 *
 * @param more bytes by which what is written is longer than `file`.
 */
export async function makeRoom(
  target: string,
  store: Pick<StoreIndex, 'has' | 'wrote'>,
  { sha256, file }: { readonly sha256: string; readonly file: string },
  more: number,
): Promise<string | undefined> {
  const found = await ifThere(lstat(target));
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return `it was a link to ${await readlink(target)}, which is as it was`;
  if (found.isDirectory()) throw new Unwritable('a folder has its name: move that away, or choose another `to:`');
  if (!found.isFile()) throw new Unwritable('a pipe or a device has its name: remove that, or choose another `to:`');
  // Compares size and time first, so that not every run reads the whole film.
  if (found.size === 0 || isSureToBeSame(await stat(file), found, more)) return undefined;
  const digest = await digestOf(target);
  if (digest.sha256 === sha256 || store.has(digest.sha256) || store.wrote(digest.sha256)) return undefined;
  return `what had its name was not written by shotlist, and is kept beside it as ${await backUp(target)}`;
}

/** More copies of one film than anybody makes by hand. */
const MOST_KEPT = 1_000;

async function backUp(target: string): Promise<string> {
  for (let nth = 1; nth <= MOST_KEPT; nth++) {
    const name = backupName(basename(target), nth === 1 ? '.before-shotlist' : `.before-shotlist-${nth}`);
    const backup = join(dirname(target), name);
    try {
      await linkOrCopy(target, backup);
      return name;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    // An earlier attempt made this copy and stopped after it.
    if (await isSame(target, backup)) return name;
  }
  throw new Unwritable(`${MOST_KEPT} files beside it were kept from it already: clear them up`);
}

/** `fox.mp4` → `fox.before-shotlist.mp4`; a disk takes names of 255 bytes, so a long one loses its end. */
function backupName(name: string, mark: string): string {
  const ext = extname(name);
  let stem = name.slice(0, name.length - ext.length);
  while (Buffer.byteLength(`${stem}${mark}${ext}`) > 255) stem = [...stem].slice(0, -1).join('');
  return `${stem}${mark}${ext}`;
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all([lstat(one), lstat(other)]);
  if (!theirs.isFile() || mine.size !== theirs.size) return false;
  return mine.ino === theirs.ino || (await digestOf(one)).sha256 === (await digestOf(other)).sha256;
}

/** A second name costs nothing and never replaces another file; some disks have no second names. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}
