/**
 * The fields of a request or a command, flat, with every known piece of media as its digest: one level deep, so that two of them can be compared
 * field by field, and each has a line of its own in a lock file.
 */
import { createHash } from 'node:crypto';
import { replaceDerived } from '../../model/media/derived-media.ts';
import { isPending } from '../../model/plan.ts';
import type { Asked, AskedValue } from '../../model/run/result.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import type { MediaIndex } from '../media/media-index.ts';

/** What a kind of step asks for, as it may be shown, and the media in it by address. */
export interface AskedFields {
  readonly fields: JsonObject;
  readonly known: MediaIndex;
}

/** Fields that are not known yet are left out. Sorted: keys in another order are the same request, and leave the same lock. */
export function flatten({ fields, known }: AskedFields): Asked {
  const flat: Record<string, AskedValue> = {};
  for (const [name, value] of sorted(fields)) {
    for (const [path, scalar] of parts(name, value)) if (scalar !== undefined) flat[path] = digested(scalar, known);
  }
  return flat;
}

/** The entries that `flatten` leaves out: their values are not known yet. */
export const unknownEntries = ({ fields }: AskedFields): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    [...parts(name, value)].flatMap(([path, scalar]) => (scalar === undefined ? [path] : [])),
  );

/** Which field an entry of the flat form belongs to: `input_images[0]` → `input_images`, `files.clip` → `files`. */
export const fieldOfPath = (path: string): string => /^[^[.]+/.exec(path)?.[0] ?? path;

function* parts(name: string, value: Json): Iterable<readonly [path: string, scalar: AskedValue | undefined]> {
  if (isPending(value)) yield [name, undefined];
  else if (Array.isArray(value) && value.length === 0) yield [name, '[]'];
  else if (Array.isArray(value))
    for (const [index, item] of (value as readonly Json[]).entries()) yield [`${name}[${index}]`, asText(item)];
  else if (isObject(value) && Object.values(value).every(item => isPending(item) || !isTree(item)))
    for (const [inner, item] of sorted(value)) yield [`${name}.${inner}`, asText(item)];
  else yield [name, asText(value)];
}

const sorted = (fields: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));

/** A turn of a conversation has a speaker: `user: twelve beats`. */
export function asText(value: Json): AskedValue | undefined {
  if (isPending(value)) return undefined;
  if (!isTree(value)) return value as AskedValue;
  if (hasPending(value)) return undefined;
  if (isObject(value) && typeof value.role === 'string' && typeof value.content === 'string')
    return `${value.role}: ${value.content}`;
  return canonical(value);
}

const isTree = (value: Json): boolean => typeof value === 'object' && value !== null;
const hasPending = (value: Json): boolean =>
  isPending(value) ||
  (Array.isArray(value)
    ? (value as readonly Json[]).some(hasPending)
    : isObject(value) && Object.values(value).some(hasPending));

const digested = (value: AskedValue, known: MediaIndex): AskedValue =>
  typeof value === 'string' ? shortDigests(known.digested(value)) : value;

/** Hex digits of a digest that tell one piece of content from another. */
const DIGITS = 16;
const shortDigests = (text: string): string =>
  text.includes('derived:') ? shortContent(shortNames(text)) : shortContent(text);
const shortNames = (text: string): string =>
  replaceDerived(text, ({ of }, address) => address.replace(of, of.slice(0, DIGITS)));
const shortContent = (text: string): string =>
  text.includes('sha256:') ? text.replace(/\bsha256:([\da-f]{64})\b/g, (_, hex: string) => shortDigest(hex)) : text;
/** The short digest of the content that an entry names, or of the video that it is a frame of; undefined where it is anything else. */
export const contentNamed = (value: string): string | undefined => {
  const [, digest] = /^(?:sha256:|derived:[\w./-]+\/)([\da-f]{16})$/.exec(value) ?? [];
  return digest && `sha256:${digest}`;
};
export const shortDigest = (sha256: string): string => `sha256:${sha256.slice(0, DIGITS)}`;

/** Characters of a text that a lock file keeps; the journal has all of it. */
const KEPT = 200;

/** The same, with long texts cut: the rest is replaced by its digest, so that a change in it is still seen. */
export const clipped = (asked: Asked): Asked =>
  Object.fromEntries(Object.entries(asked).map(([path, value]) => [path, clippedValue(value)]));

export function clippedValue(value: AskedValue): AskedValue {
  if (typeof value !== 'string' || value.length <= KEPT) return value;
  const hash = createHash('sha256').update(value).digest('hex').slice(0, DIGITS);
  return `${value.slice(0, KEPT).replace(/[\ud800-\udbff]$/, '')}… (${value.length} characters, ${hash})`;
}

/** The text before the cut, where this is one that was cut. */
export const beforeCut = (value: AskedValue): string | undefined =>
  typeof value === 'string' ? /^(.*)… \(\d+ characters, [\da-f]{16}\)$/s.exec(value)?.[1] : undefined;
