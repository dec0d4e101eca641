import { cleanText } from './clean.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Levels of lists and objects in a text that a person, a model or another system wrote. `JSON.parse` itself reads any number of levels, but
 * code that walks the value recurses once a level, and a hundred thousand levels overflow the stack.
 */
export const MAX_DEPTH = 64;

/** Levels in what a service answers and in records: both wrap such texts. */
const MAX_RECORD_DEPTH = 4 * MAX_DEPTH;

/**
 * Parses JSON that a person, a model or another system wrote.
 * @throws SyntaxError in one line, if it is not JSON, is nested deeper than `MAX_DEPTH`, or holds a number that no JSON holds (`1e999`).
 */
export function parseJson(text: string): Json {
  if (isDeeper(text, MAX_DEPTH)) throw new SyntaxError(`it is nested deeper than ${MAX_DEPTH} levels`);
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    throw new SyntaxError(cleanText((error as Error).message).slice(0, 300));
  }
  if (HUGE_NUMBER.test(text) && isInfiniteIn(json)) throw new SyntaxError('it holds a number beyond 1.7e308');
  return json;
}

/** Parses JSON of a service's answer or of a record; undefined if it is not JSON, or is nested too deep. */
export function recordIn(text: string): Json | undefined {
  if (isDeeper(text, MAX_RECORD_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses the JSON object of a record, like `recordIn`; undefined if it is something else. */
export function recordObjectIn(text: string): JsonObject | undefined {
  const json = recordIn(text);
  return isObject(json) ? json : undefined;
}

/**
 * Whether a YAML text opens too many brackets to be parsed. Brackets in quoted texts count as well, so a few thousand are allowed; the parser
 * counts its own levels.
 */
export function isBracketBomb(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BRACKET || code === BRACE) {
      if (++depth > MAX_OPEN_BRACKETS) return true;
    } else if ((code === BRACKET_END || code === BRACE_END) && depth > 0) depth--;
  }
  return false;
}

const MAX_OPEN_BRACKETS = 5_000;

/** Counts brackets outside of quotes, before anything is parsed. */
function isDeeper(text: string, maxDepth: number): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
        break;
      case BRACKET:
      case BRACE:
        if (++depth > maxDepth) return true;
        break;
      case BRACKET_END:
      case BRACE_END:
        depth--;
        break;
    }
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];

const HUGE_NUMBER = /\d[eE]\+?\d{3}|\d{309}/;

const isInfiniteIn = (json: Json): boolean =>
  typeof json === 'object' && json !== null
    ? Object.values(json).some(isInfiniteIn)
    : typeof json === 'number' && !Number.isFinite(json);

/** The object or list that a text is when it is read as JSON; null where it is none. */
export function jsonIn(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** The object or the list that a text is when it is read as JSON; null where it is neither: `5` and `true` are words of a command. */
export function jsonDataIn(text: string): JsonObject | readonly Json[] | null {
  const json = jsonIn(text);
  return isObject(json) || Array.isArray(json) ? json : null;
}

/** JSON with sorted keys and no white space: the same value always gives the same text (RFC 8785 in spirit). */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const object = value as JsonObject;
    let text = '';
    const names = Object.keys(object);
    for (const name of isSorted(names) ? names : names.sort())
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(object[name] ?? null)}`;
    return `{${text}}`;
  }
  return JSON.stringify(value);
}

const isSorted = (names: readonly string[]): boolean => names.every((name, at) => at === 0 || names[at - 1]! < name);

// All texts in a JSON value.

export function* textsIn(value: Json): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part);
}

/** The same value with other texts. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(part => mapTexts(part, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]));
}

/** A function of one object that computes each answer once. An answer is kept as long as its object is. */
export function memoized<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return key => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}
