/** One entry of the lock: what a result leaves in it, what it gives back, and whether a file's entry is one at all. */

import type { MediaFacts } from '../../model/media/media.ts';
import { addUsd } from '../../model/money.ts';
import type { GenerationId } from '../../model/run/key.ts';
import type { Asked, ChatUsage, CommandFiles, FinishReason, StoredResult } from '../../model/run/result.ts';
import { mapFiles } from '../../model/run/result.ts';
import { listed } from '../../model/text/format.ts';
import { isObject, type Json, type JsonObject, jsonDataIn, jsonIn } from '../../model/text/json.ts';
import { clipped } from '../../plan/owned/asked-fields.ts';
import type { LockedCharge } from '../views/charges.ts';
import { spentOn } from '../views/ledger.ts';
import * as rule from './lock-rules.ts';
import { name, type Rule, type Rules, scalarsIfAny, within, wrongField } from './lock-rules.ts';

/** Beside these it holds the fields of its kind: see `LOCKED_KINDS`. */
export interface LockEntry {
  readonly fingerprint: string;
  readonly is: StoredResult['is'];
  /** What was asked for, long texts cut; without the model, which has a field of its own. Absent in locks from before it was kept. */
  readonly asked?: Asked;
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

/** @template Fields of an entry, beside its fingerprint and its kind. */
interface LockedKind<R extends StoredResult, Fields extends object> {
  /** In the order in which they are written. */
  fieldsOf(result: R, model: string): Fields;
  resultOf(fields: Fields): R;
  /** Whether that is all of the result. Absent: always. */
  isWhole?(fields: Fields): boolean;
  readonly rules: { readonly [Name in keyof Fields]: rule.Rule };
  /** Any of these fields shows the kind of an entry from before entries were tagged; absent for kinds that came later. */
  readonly untagged?: readonly string[];
}

interface MediaFields {
  readonly model: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media: MediaFacts;
  /** Null where a call made it. */
  readonly generation: string | null;
  readonly cost: number | null;
}

const media: LockedKind<ResultOf<'media'>, MediaFields> = {
  fieldsOf({ sha256, bytes, media, generation_id, cost }, model) {
    return { model, sha256, bytes, media, generation: generation_id, cost: exactly(cost) };
  },
  resultOf({ sha256, bytes, media, generation, cost }) {
    return {
      is: 'media',
      // Not an address: it is read from the generation again before it is used.
      result_url: generation === null ? `sha256:${sha256}` : `generation:${generation}`,
      extension: '',
      sha256,
      bytes,
      generation_id: generation as GenerationId | null,
      request: {},
      cost,
      media,
    };
  },
  rules: {
    model: rule.name,
    sha256: rule.digest,
    bytes: rule.count,
    media: rule.facts,
    generation: rule.nameOrNull,
    cost: rule.cost,
  },
  untagged: ['sha256', 'generation'],
};

interface TextFields {
  readonly model: string;
  readonly text: string;
  readonly finish_reason: FinishReason;
  readonly usage: ChatUsage | null;
  readonly cost: number | null;
}

const text: LockedKind<ResultOf<'text'>, TextFields> = {
  fieldsOf({ text, finish_reason, usage, cost }, model) {
    return { model, text, finish_reason, usage, cost: exactly(cost) };
  },
  resultOf({ text, finish_reason, usage, cost }) {
    return { is: 'text', text, json: jsonIn(text), finish_reason, usage, request: {}, cost };
  },
  rules: { model: rule.name, text: rule.text, finish_reason: rule.text, usage: rule.usage, cost: rule.cost },
  untagged: ['text'],
};

const fineTune: LockedKind<ResultOf<'fine_tune'>, { readonly fine_tune: JsonObject; readonly ready?: false }> = {
  fieldsOf: ({ fine_tune, ready }) => ({ fine_tune, ...(ready === false && { ready }) }),
  resultOf: ({ fine_tune, ready }) => ({ is: 'fine_tune', fine_tune, ...(ready === false && { ready }) }),
  rules: { fine_tune: rule.map },
  untagged: ['fine_tune'],
};

interface CommandFields {
  readonly effect?: true;
  readonly stdout: string;
  /** Characters of its output, where they are too many for a file in git. */
  readonly left_out?: number;
  readonly files: { readonly [name: string]: LockedFile | readonly LockedFile[] };
}

interface LockedFile {
  /** Of a file that a star matches. */
  readonly name?: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media: MediaFacts | null;
}

/**
 * Characters of a command's output that are kept in git; the journal has what is longer. Where there is no journal, such a command
 * is run again: it costs nothing, and half an output would be read as a whole one. What acts outside cannot be had again, so
 * all of its output is kept, as all of a chat is.
 */
const STDOUT_KEPT = 4_096;

const command: LockedKind<ResultOf<'command'>, CommandFields> = {
  fieldsOf({ stdout, files, effect }) {
    const fits = effect || stdout.length <= STDOUT_KEPT;
    return {
      ...(effect && { effect }),
      ...(fits ? { stdout } : { stdout: '', left_out: stdout.length }),
      files: mapFiles(files, ({ extension: _, ...file }): LockedFile => inOrder(file)),
    };
  },
  isWhole: ({ left_out }) => left_out === undefined,
  resultOf({ stdout, files, effect }) {
    const made = mapFiles(files as CommandFiles, file => ({ ...file, extension: '' })) as CommandFiles;
    return { is: 'command', stdout, json: jsonDataIn(stdout), files: made, ...(effect && { effect }) };
  },
  rules: {
    effect: rule.trueOrAbsent,
    stdout: rule.text,
    left_out: rule.countOrAbsent,
    files: rule.eachWithin(
      rule.oneOrMany(rule.within({ sha256: rule.digest, bytes: rule.count, media: rule.factsOrNull })),
    ),
  },
  untagged: ['stdout', 'files'],
};

const inOrder = ({ name, sha256, bytes, media }: LockedFile): LockedFile => ({
  ...(name !== undefined && { name }),
  ...{ sha256, bytes, media },
});

type ResultOf<Is extends StoredResult['is']> = Extract<StoredResult, { is: Is }>;

/** Money without the drift of binary fractions. */
const exactly = (cost: number | null): number | null => (cost === null ? null : addUsd(0, cost));

/** Entries from before the tag are tried in this order. */
const LOCKED_KINDS = {
  media,
  text,
  fine_tune: fineTune,
  command,
} as const satisfies { readonly [Is in StoredResult['is']]: LockedKind<ResultOf<Is>, object> };

const KINDS = Object.keys(LOCKED_KINDS) as readonly StoredResult['is'][];
const KNOWN = listed(KINDS, 'or');
