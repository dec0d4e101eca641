/**
 * Reads files on disk that others may have written: a lock, settings, a pipeline and the files that it names. Git carries symbolic links, and
 * a link may lead to a device that never ends or to a pipe that never answers. So the kind of file is checked before and after it is
 * opened, opening does not block, and reading stops at a fixed size, whatever size the disk reports. Links to regular files are
 * followed; the caller decides whether one may leave the project.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Refusal } from '../../model/run/decision-page.ts';
import { formatBytes } from '../../model/text/format.ts';
import { nearest } from '../../model/text/nearest.ts';
import { codeOf } from '../error-code.ts';

/** The largest text that is read, in bytes, by default. */
export const MAX_TEXT_BYTES = 16 * 1024 ** 2;

/** What is wrong with a file, as it continues after its name, and what to do: `is a folder`, `name a file in it`. */
interface Unreadable {
  readonly what: string;
  readonly mend: string;
}

/** A file that is not read. */
export class FileRefused extends Refusal {
  readonly what: string;
  /** What is wrong and what to do, after the file's name: `is a folder; name a file in it`. */
  readonly why: string;

  constructor(path: string, unreadable: Unreadable) {
    const why = unreadableText(unreadable);
    super(`${path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`} ${why}`);
    this.what = unreadable.what;
    this.why = why;
  }
}

export const unreadableText = ({ what, mend }: Unreadable): string => `${what}; ${mend}`;

/** The bytes of a regular file. @throws FileRefused, or the system's error for a file that is not there or may not be read. */
export function readOutsideFile(path: string, maxBytes = MAX_TEXT_BYTES): Buffer {
  // Opening a device may already do something to it.
  assertReadable(path, statSync(path), maxBytes);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  try {
    const found = fstatSync(file);
    assertReadable(path, found, maxBytes);
    return readUpTo(file, path, found.size, maxBytes);
  } finally {
    closeSync(file);
  }
}

/**
 * The path of the file that was probably meant, where the one that is named is not there: a file of the same folder with a name like it,
 * one with the same ending before others.
 * @param path as it is written. @param file where that leads.
 */
export function nearestFile(path: string, file = path): string | undefined {
  const name = basename(file);
  const folder = dirname(file);
  try {
    if (!existsSync(folder)) return inNearestFolder(path, folder, name);
    const others = readdirSync(dirname(file), { withFileTypes: true }).flatMap(other =>
      // A link to nothing is there by its own name.
      other.isDirectory() || other.name === name ? [] : other.name,
    );
    const ofSameKind = others.filter(other => extname(other) === extname(name));
    const ofSameName = others.find(other => other === `${name}.yaml` || other === `${name}.yml`);
    const near = nearest(name, ofSameKind) ?? ofSameName ?? nearest(name, others);
    return near === undefined ? undefined : path.slice(0, path.length - basename(path).length) + near;
  } catch {
    return undefined;
  }
}

/** `imagse/fox.png` → `images/fox.png`, where that is there. */
function inNearestFolder(path: string, folder: string, name: string): string | undefined {
  const folders = readdirSync(dirname(folder), { withFileTypes: true }).filter(other => other.isDirectory());
  const near = nearest(
    basename(folder),
    folders.map(other => other.name),
  );
  const written = `${basename(folder)}/${name}`;
  if (near === undefined || !path.endsWith(written) || !existsSync(join(dirname(folder), near, name))) return undefined;
  return `${path.slice(0, path.length - written.length)}${near}/${name}`;
}

/** The same as text, a byte order mark included. @throws FileRefused where it is not UTF-8, too. */
export function readOutsideText(path: string, maxBytes = MAX_TEXT_BYTES): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readOutsideFile(path, maxBytes));
  } catch (error) {
    if (codeOf(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new FileRefused(path, NOT_UTF8);
  }
}

/** The same; undefined where there is no such file. */
export function readOutsideTextIfThere(path: string, maxBytes = MAX_TEXT_BYTES): string | undefined {
  try {
    return readOutsideText(path, maxBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

export const NOT_UTF8: Unreadable = { what: 'is not UTF-8 text', mend: 'save it as UTF-8' };

/** Why a file cannot be read whole; undefined where it can. */
export function whyUnreadable(found: Stats, maxBytes: number): Unreadable | undefined {
  if (found.isDirectory()) return { what: 'is a folder', mend: 'name a file in it' };
  if (found.isFIFO() || found.isSocket())
    return { what: 'is a pipe, which can be read only once', mend: 'write it into a file first' };
  if (!found.isFile()) return { what: 'is a device, which has no end', mend: 'name a file' };
  if (found.size > maxBytes) return tooLarge(found.size, maxBytes);
  return undefined;
}

const tooLarge = (bytes: number, maxBytes: number): Unreadable => ({
  what: `is ${formatBytes(bytes)}`,
  mend: `more than ${formatBytes(maxBytes)} is not read, give a smaller one`,
});

function assertReadable(path: string, found: Stats, maxBytes: number): void {
  const why = whyUnreadable(found, maxBytes);
  if (why !== undefined) throw new FileRefused(path, why);
}

/** Files of `/proc` say that they are empty, and a file may grow while it is read. */
function readUpTo(file: number, path: string, size: number, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(Math.max(64 * 1024, size + 1 - bytes));
    const read = readSync(file, piece);
    if (read === 0) return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    bytes += read;
    if (bytes > maxBytes) throw new FileRefused(path, tooLarge(bytes, maxBytes));
    pieces.push(piece.subarray(0, read));
  }
}
