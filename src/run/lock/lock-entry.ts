/** One entry of the lock: what a result leaves in it, what it gives back, and whether a file's entry is one at all. */
import type { ChatUsage } from '../../api/chat-completions.ts';
import { isObject, type Json, type JsonObject, jsonIn, jsonObjectIn } from '../../domain/json.ts';
import type { GenerationId } from '../../domain/key.ts';
import type { MediaFacts } from '../../domain/media.ts';
import { addUsd } from '../../domain/money.ts';
import type { MediaResult, Result } from '../../domain/result.ts';

/** Longer output of a command is not kept in git; the journal has it. */
const STDOUT_KEPT = 4_096;

export type LockEntry = LockedMedia | LockedText | LockedCommand | LockedTuning;
interface LockedMedia {
  readonly fingerprint: string;
  readonly model: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media: MediaFacts;
  /** Null where a call made it. */
  readonly generation: string | null;
  readonly cost: number | null;
}
interface LockedText {
  readonly fingerprint: string;
  readonly model: string;
  readonly text: string;
  readonly finish_reason: string;
  readonly usage: ChatUsage | null;
  readonly cost: number | null;
}
interface LockedTuning {
  readonly fingerprint: string;
  readonly fine_tune: JsonObject;
}
interface LockedCommand {
  readonly fingerprint: string;
  readonly stdout: string;
  readonly files: {
    readonly [name: string]: { readonly sha256: string; readonly bytes: number; readonly media: MediaFacts | null };
  };
}

export function entryOf(fingerprint: string, model: string, result: Result): LockEntry {
  if (result.is === 'media') {
    const { sha256, bytes, media, generation_id } = result;
    return { fingerprint, model, sha256, bytes, media, generation: generation_id, cost: told(result.cost) };
  }
  if (result.is === 'text') {
    const { text, finish_reason, usage } = result;
    return { fingerprint, model, text, finish_reason, usage, cost: told(result.cost) };
  }
  if (result.is === 'fine_tune') return { fingerprint, fine_tune: result.fine_tune };
  const files = Object.fromEntries(
    Object.entries(result.files).map(([name, { sha256, bytes, media }]) => [name, { sha256, bytes, media }]),
  );
  return { fingerprint, stdout: result.stdout.length <= STDOUT_KEPT ? result.stdout : '', files };
}

const told = (cost: number | null): number | null => (cost === null ? null : addUsd(0, cost));

export function resultOf(entry: LockEntry): Result {
  if ('generation' in entry) return mediaOf(entry);
  if ('text' in entry) {
    const { text, finish_reason, usage, cost } = entry;
    return { is: 'text', text, json: jsonIn(text), finish_reason, usage, request: {}, cost };
  }
  if ('fine_tune' in entry) return { is: 'fine_tune', fine_tune: entry.fine_tune };
  const files = Object.fromEntries(Object.entries(entry.files).map(([name, file]) => [name, { ...file, file: '' }]));
  return { is: 'command', stdout: entry.stdout, json: jsonObjectIn(entry.stdout), files };
}

function mediaOf({ sha256, bytes, media, generation, cost }: LockedMedia): MediaResult {
  return {
    is: 'media',
    // Not an address: it is read from the generation again before it is used.
    result_url: generation === null ? `sha256:${sha256}` : `generation:${generation}`,
    file: '',
    sha256,
    bytes,
    generation_id: generation as GenerationId | null,
    request: {},
    cost,
    media,
  };
}

/** What keeps a value of the file from being an entry, in words; undefined where it is one, as `LockEntry` says it. */
export function wrongIn(value: Json): string | undefined {
  if (!isObject(value)) return 'must be a map that begins with `fingerprint`';
  const rules = rulesFor(value);
  if (!rules) return 'says nothing that can be used: it has neither `sha256` nor `text`, `stdout` or `fine_tune`';
  return wrongField(value, { fingerprint: text, ...rules });
}

/** What a value must be, in words; undefined where it is that. `: …` tells what is wrong further in. */
type Rule = (value: Json | undefined) => string | undefined;
type Rules = Readonly<Record<string, Rule>>;

function rulesFor(entry: JsonObject): Rules | undefined {
  if ('sha256' in entry || 'generation' in entry) return MEDIA;
  if ('text' in entry) return TEXT;
  if ('fine_tune' in entry) return TUNING;
  return 'stdout' in entry || 'files' in entry ? COMMAND : undefined;
}

function wrongField(map: JsonObject, rules: Rules): string | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    const wrong = rule(map[name]);
    if (wrong === undefined) continue;
    if (!(name in map)) return `has no \`${name}\``;
    return wrong.startsWith(': ') ? `\`${name}\`${wrong}` : `\`${name}\` must be ${wrong}`;
  }
  return undefined;
}

const must =
  (what: string, holds: (value: Json | undefined) => boolean): Rule =>
  value =>
    holds(value) ? undefined : what;
const isText = (value: Json | undefined): boolean => typeof value === 'string';
const isCount = (value: Json | undefined): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isAmount = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const text = must('a text', value => isText(value) && value !== '');
const digest = must(
  'a SHA-256: 64 lower-case hex digits',
  value => isText(value) && /^[0-9a-f]{64}$/.test(String(value)),
);
const count = must('a whole number', isCount);
const cost = must('an amount in US dollars, or null', value => value === null || isAmount(value));
const optional = (what: string, holds: (value: Json | undefined) => boolean): Rule =>
  must(what, value => value === undefined || holds(value));
const amount = optional('a number that is not negative', isAmount);
const words = optional('a text', isText);

const FACTS: Rules = {
  kind: must('video, image or audio', value => value === 'video' || value === 'image' || value === 'audio'),
  format: words,
  width: amount,
  height: amount,
  duration: amount,
  fps: amount,
  video_codec: words,
  audio_codec: optional('a text, or null', value => value === null || isText(value)),
};
const within =
  (rules: Rules, or?: 'null'): Rule =>
  value => {
    if (or === 'null' && value === null) return undefined;
    if (value === undefined || !isObject(value)) return or ? 'a map, or null' : 'a map';
    return further(wrongField(value, rules));
  };
const further = (wrong: string | undefined): string | undefined => wrong && `: ${wrong}`;
const media = within(FACTS);

const MEDIA: Rules = {
  model: text,
  sha256: digest,
  bytes: count,
  media,
  generation: must('a text, or null', value => value === null || (isText(value) && value !== '')),
  cost,
};
const TEXT: Rules = {
  model: text,
  text: must('a text', isText),
  finish_reason: must('a text', isText),
  usage: within({ prompt_tokens: amount, completion_tokens: amount, total_tokens: amount }, 'null'),
  cost,
};
const TUNING: Rules = { fine_tune: must('a map', value => value !== undefined && isObject(value)) };
const FILE: Rules = { sha256: digest, bytes: count, media: within(FACTS, 'null') };
const COMMAND: Rules = {
  stdout: must('a text', isText),
  files: value => {
    if (value === undefined || !isObject(value)) return 'a map';
    return further(wrongField(value, Object.fromEntries(Object.keys(value).map(name => [name, within(FILE)]))));
  },
};
