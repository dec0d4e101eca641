/**
 * A lock file's text read by the real YAML reader, whatever its layout: slowly, and with the place of what is wrong. It is hostile: a
 * merge may have left it in pieces, and anybody may have written it.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { FileRefused, readOutsideTextIfThere } from '../../machine/files/outside-file.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { cleanText } from '../../model/text/clean.ts';
import { isBracketBomb, isObject, type Json, type JsonObject } from '../../model/text/json.ts';

/** The lock file is not ours to read; the message explains why. */
export class LockRefused extends Refusal {
  override readonly page = 'lock-unreadable';
}

export const MEND = 'mend it, or delete it: what is owned is still in the journal';

/** Bytes: of some hundred thousand results. */
const MAX_LOCK_BYTES = 64 * 1024 ** 2;

/**
 * The text of the lock at `path`; undefined where there is none.
 * @param name of it in a message.
 * @throws LockRefused where it is no regular file, too large, or not UTF-8; the system's error where it may not be read.
 */
export function readLockText(path: string, name: string): string | undefined {
  try {
    return readOutsideTextIfThere(path, MAX_LOCK_BYTES);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new LockRefused(`${name} ${error.what}; ${MEND}`);
  }
}

/** A name or value out of the file, for a message. */
export const shown = (text: string): string => {
  const clean = cleanText(text);
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean;
};

/** The map that the text is; undefined where it is something else. @throws LockRefused, with the first place that cannot be read. */
export function properValue(text: string, linesBefore: number, path: string): JsonObject | undefined {
  const lineCounter = new LineCounter();
  const place = (offset: number) => `line ${linesBefore + lineCounter.linePos(offset).line}`;
  const document = parsed(text, lineCounter, path);
  const error = document.errors[0];
  if (error) throw unreadable(path, place(error.pos[0]));
  const value = plainly(document.contents, 0, (offset, wrong) => {
    throw new LockRefused(`${path} is not as shotlist wrote it: ${place(offset)} ${wrong}; ${MEND}`);
  });
  return isObject(value) ? value : undefined;
}

export const unreadable = (path: string, place: string): LockRefused =>
  new LockRefused(`${path} is not readable YAML (${place}), perhaps after a merge; ${MEND}`);

function parsed(text: string, lineCounter: LineCounter, path: string) {
  if (isBracketBomb(text)) throw new LockRefused(`${path} is nested deeper than ${MAX_DEPTH} levels; ${MEND}`);
  try {
    // Its own look for double keys is quadratic: 10,000 of them take 4 s. Ours is below.
    return parseDocument(text, { uniqueKeys: false, merge: false, version: '1.2', lineCounter, prettyErrors: false });
  } catch {
    // Nested so deep that the reader itself gave up.
    throw new LockRefused(`${path} is not readable YAML; ${MEND}`);
  }
}

/** Deeper than anything a lock or a service's record holds. */
const MAX_DEPTH = 40;

/** We never write an alias, and a few lines of them can stand for more than a machine holds: none is followed. */
function plainly(node: Node | null, depth: number, refuse: (offset: number, wrong: string) => never): Json {
  const at = node?.range?.[0] ?? 0;
  if (node === null) return null;
  if (depth > MAX_DEPTH) return refuse(at, `is nested deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) return refuse(at, 'holds an alias');
  if (isScalar(node)) {
    const { value } = node;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  }
  if (isSeq(node)) return node.items.map(item => plainly(item as Node | null, depth + 1, refuse));
  if (!isMap(node)) return null;
  const map: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    const keyAt = (key as Node | null)?.range?.[0] ?? at;
    const name = isScalar(key) ? String(key.value) : refuse(keyAt, 'holds a key that is no text');
    if (name === '__proto__') refuse(keyAt, 'has a key `__proto__`, which is no name');
    if (Object.hasOwn(map, name)) refuse(keyAt, `has \`${shown(name)}\` for the second time`);
    map[name] = plainly(value as Node | null, depth + 1, refuse);
  }
  return map;
}
