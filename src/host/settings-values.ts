/** The names and values settings may have, and how a wrong one is told. */
import type { Measure } from '../domain/budget.ts';
import { listed } from '../domain/listed.ts';
import { nearest } from '../domain/nearest.ts';

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const LIMITS = ['in_flight', 'per_model', 'submits_per_second', 'attempts', 'commands', 'downloads'] as const;
export type LimitName = (typeof LIMITS)[number];

export const CHOICES = {
  on_unknown: ['ask', 'fail', 'resubmit'],
  on_interrupt: ['detach', 'cancel'],
  history: ['doubted', 'trusted'],
  ui: ['tui', 'plain', 'json', 'quiet'],
  marking: ['iptc', 'none'],
} as const;
export type Choice<Name extends keyof typeof CHOICES> = (typeof CHOICES)[Name][number];

/** `where` is how a person finds the setting again: `--ui`, `SHOTLIST_UI`, `ui in shotlist.config.yaml`. */
export function readChoice<Name extends keyof typeof CHOICES>(
  name: Name,
  value: unknown,
  where: string,
  problems: string[],
): Choice<Name> | undefined {
  if (value === undefined) return undefined;
  const known: readonly Choice<Name>[] = CHOICES[name];
  const found = known.find(choice => choice === value);
  if (found === undefined)
    problems.push(`${where} is ${shown(value)}; write ${list(known, 'or')}${didYouMean(value, known)}`);
  return found;
}

export function readLimit(value: unknown, where: string, problems: string[]): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  problems.push(`${where} is ${shown(value)}; write a whole number, 1 or more`);
  return undefined;
}

/** A number of a budget: dollars and seconds have fractions, the others are counted. */
export function readAmount(measure: Measure, value: unknown, where: string, problems: string[]): number | undefined {
  const hasFractions = measure === 'usd' || measure === 'video_seconds';
  const isOne = typeof value === 'number' && (hasFractions ? Number.isFinite(value) : Number.isSafeInteger(value));
  if (isOne && value >= 0) return value;
  problems.push(`${where} is ${shown(value)}; write a ${hasFractions ? '' : 'whole '}number, 0 or more`);
  return undefined;
}

export function unknownName(what: string, name: string, where: string, known: readonly string[]): string {
  const instead = didYouMean(name, known);
  return `${where}: unknown ${what} \`${name}\`${instead === '' ? `; known: ${list(known, 'and')}` : instead}`;
}

/** `; did you mean …?`, or nothing. */
export function didYouMean(word: unknown, known: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, known) : undefined;
  return near === undefined ? '' : `; did you mean \`${near}\`?`;
}

export const list = (words: readonly string[], last: 'and' | 'or'): string =>
  listed(
    words.map(word => `\`${word}\``),
    last,
  );

/** Short, and never the inside of a map or list, where a key might stand. */
export function shown(value: unknown): string {
  if (value === null) return 'empty';
  if (typeof value === 'string') return `\`${value.slice(0, 60)}\``;
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  return Array.isArray(value) ? 'a list' : 'a map';
}

// A settings file's maps and texts; what is none becomes a sentence, and reads as not given.

/** Unknown names that are reported one by one. */
const MAX_UNKNOWN = 10;

/** A Map has no `__proto__` to stumble over. */
export type Fields = ReadonlyMap<string, unknown>;

/** The entries of a map; none, and a problem, where it is something else. Empty counts as a map without entries. */
export function fields(value: unknown, where: string, problems: string[]): Fields {
  if (value === undefined || value === null) return new Map();
  if (value instanceof Map) {
    // YAML knows maps and lists as names; nobody here does.
    const named = [...value].filter(([name]) => typeof name !== 'object' || name === null);
    if (named.length < value.size) problems.push(`${where}: a name is a map or a list; write it as text, in quotes`);
    return new Map(named.map(([name, entry]) => [String(name), entry]));
  }
  problems.push(`${where} is no map; write \`name: value\` lines`);
  return new Map();
}

export function textOf(value: unknown, where: string, wanted: string, problems: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  problems.push(`${where} is no text; write ${wanted}`);
  return undefined;
}

export function reportUnknown(
  what: string,
  declared: Fields,
  known: readonly string[],
  where: string,
  problems: string[],
): void {
  const unknown = [...declared.keys()].filter(name => !known.includes(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN)) problems.push(unknownName(what, name, where, known));
  const more = unknown.length - MAX_UNKNOWN;
  if (more > 0) problems.push(`${where}: and ${more} more that are unknown`);
}
