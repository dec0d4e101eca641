/** One entry of the lock: what a result leaves in it, what it gives back, and whether a file's entry is one at all. */

import type { Asked, StoredResult } from '../../model/run/result.ts';
import { listed } from '../../model/text/format.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { clipped } from '../../plan/owned/asked-fields.ts';
import type { LockedCharge } from '../views/charges.ts';
import { spentOn } from '../views/spent-on.ts';
import { LOCKED_KINDS, type LockedKind } from './lock-kinds.ts';
import { name, type Rule, type Rules, scalarsIfAny, within, wrongField } from './lock-rules.ts';

/** Beside these it holds the fields of its kind: see `lock-kinds.ts`. */
export interface LockEntry {
  readonly fingerprint: string;
  readonly is: StoredResult['is'];
  /** What was asked for, long texts cut; without the model, which has a field of its own. Absent in locks from before it was kept. */
  readonly asked?: Asked;
  /** It is a person's own file. */
  readonly adopted?: AdoptedFields;
}

export interface AdoptedFields {
  readonly file: string;
  readonly by: string;
  readonly at: string;
  /** The entry that stood here before: it comes back when the file is given up. */
  readonly before?: JsonObject;
}

export function entryOf(fingerprint: string, model: string, result: StoredResult, asked?: Asked): LockEntry {
  const entry = { fingerprint, is: result.is, ...kindOf(result.is).fieldsOf(result, model) };
  if (!asked) return entry;
  const { model: _, ...own } = asked;
  return { ...entry, asked: clipped('model' in entry ? own : asked) };
}

/** What the entry was asked for, with its model; undefined where it does not say. */
export function askedOf(entry: LockEntry): Asked | undefined {
  const { asked } = entry;
  const model = 'model' in entry && typeof entry.model === 'string' ? { model: entry.model } : {};
  return asked && { ...model, ...asked };
}

/** @param entry one that `readEntry` has found to be sound. */
export const resultOf = (entry: LockEntry): StoredResult => kindOf(entry.is).resultOf(entry);

/** Whether the entry holds all of its result: what is too long for a file in git is left out. */
export const isWhole = (entry: LockEntry): boolean => kindOf(entry.is).isWhole?.(entry) ?? true;

/** A value of the file as an entry, or what keeps it from being one, in words. */
export function readEntry(value: Json): LockEntry | string {
  if (!isObject(value)) return 'must be a map that begins with `fingerprint`';
  const is = value.is === undefined ? untaggedKind(value) : value.is;
  if (is === undefined) return `says nothing that can be used: its \`is\` must be ${KNOWN}`;
  if (!isKnown(is)) return `\`is\` must be ${KNOWN}; this shotlist knows no other`;
  const wrong =
    wrongField(value, { fingerprint: name, asked: scalarsIfAny, adopted: adoptedIfAny }) ??
    wrongField(value, kindOf(is).rules as Rules);
  if (wrong !== undefined) return wrong;
  return (value.is === is ? value : { ...value, is }) as unknown as LockEntry;
}

const adoptedIfAny: Rule = value =>
  value === undefined ? undefined : within({ file: name, by: name, at: name })(value);

/** Until version 1 only the fields of an entry showed its kind. */
const untaggedKind = (entry: JsonObject): StoredResult['is'] | undefined =>
  KINDS.find(is => kindOf(is).untagged?.some(field => field in entry));

const KINDS = Object.keys(LOCKED_KINDS) as readonly StoredResult['is'][];
const KNOWN = listed(KINDS, 'or');
const isKnown = (is: Json): is is StoredResult['is'] => typeof is === 'string' && Object.hasOwn(LOCKED_KINDS, is);

const kindOf = (is: StoredResult['is']): LockedKind<StoredResult, object> => LOCKED_KINDS[is];

/** Undefined: nothing was paid for it. */
export function chargeOfLocked(entry: LockEntry): LockedCharge | undefined {
  const result = resultOf(entry);
  // An author's own file in the place of a result was not paid for here.
  if (entry.adopted || (result.is !== 'media' && result.is !== 'text')) return undefined;
  const isVideo = result.is === 'media' && result.media.kind === 'video';
  const isImage = result.is === 'media' && result.media.kind === 'image';
  return {
    generation: result.is === 'media' ? result.generation_id : null,
    fingerprint: entry.fingerprint,
    charge: {
      ...{ usd: null, video_seconds: isVideo ? null : 0, images: isImage ? 1 : 0, generations: 1 },
      tokens: result.is === 'text' ? null : 0,
      ...spentOn(result),
      isOpen: false,
    },
  };
}
