/**
 * The JSON in a model's answer. Models put fences and words around it, and leave a comma before the last bracket: that is read past, and
 * told, because nothing has to be guessed. What is cut off, or written in another way than JSON, is not: the model is asked to mend it.
 */
import type { LeftOut } from '../../domain/event.ts';
import { type Json, jsonIn } from '../../domain/json.ts';

export interface JsonAnswer {
  readonly json: Json;
  /** The JSON alone: kept as the answer's text, so that every reader reads the same. */
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

/** Every mapping or list that stands in the answer by itself: one, as a rule. */
export function jsonAnswersIn(answer: string): readonly JsonAnswer[] {
  const whole = jsonIn(answer);
  if (whole !== null) return [{ json: whole, text: answer, leftOut: [] }];
  const found: (JsonAnswer & { readonly start: number; readonly end: number })[] = [];
  for (let start = nextBracket(answer, 0); start >= 0; ) {
    const end = endOfValue(answer, start);
    // It is never closed: the answer was cut off, and what stands inside it is not the answer.
    if (end < 0) break;
    const read = readStrictly(answer.slice(start, end));
    if (read) found.push({ ...read, start, end });
    if (found.length > MOST) return [];
    start = nextBracket(answer, end);
  }
  return found.map(({ json, text, leftOut, start, end }) => ({
    json,
    text,
    leftOut: [...around(answer.slice(0, start), answer.slice(end)), ...leftOut],
  }));
}

/** Where more stand than anybody is asked for, none is the answer. */
const MOST = 20;

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /[[{]/g;

/** Behind the bracket that closes the one at `start`; -1 where none does. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = endOfText(text, at);
      if (at < 0) return -1;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}

/** The quote that closes the one at `start`; -1 where none does. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function readStrictly(text: string): JsonAnswer | undefined {
  const json = jsonIn(text);
  if (json !== null) return { json, text, leftOut: [] };
  const tidy = withoutTrailingCommas(text);
  const mended = jsonIn(tidy);
  return mended === null ? undefined : { json: mended, text: tidy, leftOut: ['trailing_commas'] };
}

function withoutTrailingCommas(text: string): string {
  let tidy = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      const end = endOfText(text, at);
      tidy += text.slice(at, end + 1);
      at = end;
    } else if (text[at] !== ',' || !/^\s*[\]}]/.test(text.slice(at + 1, at + 1 + LONGEST_GAP))) tidy += text[at];
  }
  return tidy;
}

/** Characters of white space behind a comma. */
const LONGEST_GAP = 1_000;

const FENCE = /```[\w-]*/g;

function around(before: string, after: string): readonly LeftOut[] {
  const outside = `${before}\n${after}`;
  const isFenced = /```/.test(outside);
  const hasWords = outside.replaceAll(FENCE, '').trim() !== '';
  return [...(isFenced ? (['fence'] as const) : []), ...(hasWords ? (['words'] as const) : [])];
}
