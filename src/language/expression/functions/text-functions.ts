/** What can be done with a text. Positions are counted in characters (code points), from 0. */
import { messages } from '../../messages/index.ts';
import { BOOL, INT, list, PLAIN_TEXT, TEXT } from '../../types/types.ts';
import { itemsOf } from '../cel-value.ts';
import type { Budget } from '../evaluation-limit.ts';
import { call, form, method, type PlainFunction, Refused } from './function.ts';

/**
 * Texts by code points, as CEL counts them: an emoji is one character, though JavaScript keeps it as two. And a search that takes as
 * long as its texts are: JavaScript's own looks at every character of the part for each of the text where they are made for it.
 */
const PAIRED = /[\ud800-\udfff]/;

export function sizeOfText(text: string): number {
  if (!PAIRED.test(text)) return text.length;
  let size = 0;
  for (const _ of text) size++;
  return size;
}

/** From and up to these code points; what is beyond the end of the text is not there. */
function partOfText(text: string, from: number, to: number): string {
  if (!PAIRED.test(text)) return text.slice(from, to);
  return text.slice(unitAt(text, from), unitAt(text, to));
}

/** Where a code point begins in JavaScript's count. */
function unitAt(text: string, point: number): number {
  let unit = 0;
  for (let left = point; left > 0 && unit < text.length; left--) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}

/** An index in JavaScript's count, in code points; -1 stays -1. */
const pointAt = (text: string, unit: number): number => (unit < 0 ? -1 : sizeOfText(text.slice(0, unit)));

/** The first place of a part from a position on, -1 where it is not; positions are JavaScript's. */
export function finderOf(text: string, part: string): (from: number) => number {
  if (part.length <= SHORT) return from => text.indexOf(part, from);
  const longest = overlaps(part);
  return from => {
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && unit !== part.charCodeAt(matched)) matched = longest[matched - 1]!;
      if (unit === part.charCodeAt(matched)) matched++;
      if (matched === part.length) return at - part.length + 1;
    }
    return -1;
  };
}

/** Units of a part: looking for it at every place costs no more than looking once at every unit of a longer one does. */
const SHORT = 16;

/** Knuth, Morris and Pratt: of each beginning of the part, how long the longest beginning is that it ends with. */
function overlaps(part: string): Int32Array {
  const longest = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = longest[matched - 1]!;
    if (unit === part.charCodeAt(matched)) matched++;
    longest[at] = matched;
  }
  return longest;
}

/** The last place of a part: the first one from behind. */
export function lastIndexIn(text: string, part: string): number {
  if (part.length <= SHORT) return text.lastIndexOf(part);
  const behind = finderOf(reversed(text), reversed(part))(0);
  return behind < 0 ? -1 : text.length - behind - part.length;
}

/** By units of JavaScript. */
const reversed = (text: string): string => text.split('').reverse().join('');

export const TEXT_FUNCTIONS: readonly PlainFunction[] = [
  method(
    'contains',
    'Whether a text stands somewhere in this one.',
    ["'a red fox'.contains('red')", true],
    form(['text', 'text'], ['text', 'part'], BOOL, (budget, text, part) => {
      searched(budget, text, part);
      return finderOf(text, part)(0) >= 0;
    }),
  ),
  method(
    'startsWith',
    'Whether this text begins with another.',
    ["'shot-01.mp4'.startsWith('shot')", true],
    form(['text', 'text'], ['text', 'beginning'], BOOL, (budget, text, beginning) => {
      budget.characters(beginning.length);
      return text.startsWith(beginning);
    }),
  ),
  method(
    'endsWith',
    'Whether this text ends with another.',
    ["'shot-01.mp4'.endsWith('.mp4')", true],
    form(['text', 'text'], ['text', 'end'], BOOL, (budget, text, end) => {
      budget.characters(end.length);
      return text.endsWith(end);
    }),
  ),
  method(
    'indexOf',
    'Where a text first stands in this one, or -1 where it does not.',
    ["'a red fox'.indexOf('red')", 2],
    form(['text', 'text'], ['text', 'part'], INT, (budget, text, part) => {
      searched(budget, text, part);
      return BigInt(pointAt(text, finderOf(text, part)(0)));
    }),
  ),
  method(
    'lastIndexOf',
    'Where a text last stands in this one, or -1 where it does not.',
    ["'take.two.mp4'.lastIndexOf('.')", 8],
    form(['text', 'text'], ['text', 'part'], INT, (budget, text, part) => {
      searched(budget, text, part);
      return BigInt(pointAt(text, lastIndexIn(text, part)));
    }),
  ),
  method(
    'substring',
    'The characters from a position, up to another one that is left out; what is beyond the end of the text is not there.',
    ["'a red fox'.substring(2, 5)", 'red'],
    form(['text', 'int'], ['text', 'from'], TEXT, (budget, text, from) =>
      part(budget, text, from, BigInt(text.length)),
    ),
    form(['text', 'int', 'int'], ['text', 'from', 'to'], TEXT, part),
  ),
  method(
    'replace',
    'The text with another one in every place of a part.',
    ["'a red fox, a red scarf'.replace('red', 'blue')", 'a blue fox, a blue scarf'],
    form(['text', 'text', 'text'], ['text', 'part', 'with'], TEXT, replaced),
  ),
  method(
    'split',
    'The parts of a text between separators; without any text as a separator, its characters.',
    ["'fox, owl, hare'.split(', ')", ['fox', 'owl', 'hare']],
    form(['text', 'text'], ['text', 'separator'], list(TEXT), (budget, text, separator) => {
      if (separator === '') {
        budget.items(text.length);
        return [...text];
      }
      return between(budget, text, separator);
    }),
  ),
  method(
    'join',
    'One text of a list of texts, with a separator between them.',
    ["['fox', 'owl', 'hare'].join(', ')", 'fox, owl, hare'],
    form(['texts'], ['list'], TEXT, (budget, texts) => joined(budget, itemsOf(texts, budget), '')),
    form(['texts', 'text'], ['list', 'separator'], TEXT, (budget, texts, separator) =>
      joined(budget, itemsOf(texts, budget), separator),
    ),
  ),
  method(
    'trim',
    'The text without the white space at its two ends.',
    ["'  a fox \\n'.trim()", 'a fox'],
    form(['text'], ['text'], TEXT, (budget, text) => made(budget, text.length, () => text.trim())),
  ),
  method(
    'lower',
    'The text in lower-case letters, of any alphabet.',
    ["'Été in PARIS'.lower()", 'été in paris'],
    form(['text'], ['text'], TEXT, (budget, text) => made(budget, text.length, () => text.toLowerCase())),
  ),
  method(
    'upper',
    'The text in capital letters, of any alphabet.',
    ["'the frozen river'.upper()", 'THE FROZEN RIVER'],
    form(['text'], ['text'], TEXT, (budget, text) => made(budget, text.length, () => text.toUpperCase())),
  ),
  call(
    'slug',
    'A text as part of a name or a path: lower-case letters and digits, with `-` for all between.',
    ["slug('The Fox: Élan & Ice!')", 'the-fox-elan-ice'],
    form(['text'], ['text'], PLAIN_TEXT, (budget, text) => {
      // It is read several times, and taken apart into more characters than it has.
      budget.steps(text.length);
      const slug = made(budget, text.length * 2, () => slugOf(text));
      return slug === '' ? new Refused(messages.emptySlug(text)) : slug;
    }),
  ),
];

function searched(budget: Budget, text: string, part: string): void {
  budget.scanned(text.length + part.length);
}

function made<T>(budget: Budget, length: number, make: () => T): T {
  budget.characters(length);
  budget.text(length);
  return make();
}

function part(budget: Budget, text: string, from: bigint, to: bigint): string | Refused {
  if (from < 0n || to < 0n) return new Refused(messages.negativePosition(from < 0n ? from : to));
  budget.scanned(text.length);
  return made(budget, text.length, () => partOfText(text, Number(from), Number(to)));
}

function replaced(budget: Budget, text: string, part: string, by: string): string {
  if (part === '') {
    budget.scanned(text.length);
    const characters = sizeOfText(text);
    budget.text(text.length + (characters + 1) * by.length);
    return by + [...text].map(character => character + by).join('');
  }
  const parts = between(budget, text, part);
  return joined(budget, parts, by) as string;
}

function between(budget: Budget, text: string, separator: string): readonly string[] {
  searched(budget, text, separator);
  const find = finderOf(text, separator);
  const parts: string[] = [];
  let from = 0;
  for (let at = find(0); at >= 0; at = find(from)) {
    budget.step();
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  budget.items(parts.length);
  return parts;
}

function joined(budget: Budget, texts: readonly unknown[], separator: string): string | Refused {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) {
    if (typeof text !== 'string') return new Refused(messages.joinsTexts());
    length += text.length;
  }
  budget.text(length);
  budget.characters(length);
  return texts.join(separator);
}

/** Letters that no decomposition takes apart. */
const WHOLE: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th', ð: 'd' };

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæœøđłþð]/g, letter => WHOLE[letter] ?? letter)
    .normalize('NFKD')
    // Accents of Latin, Greek and Cyrillic letters; the signs of other scripts are part of their words.
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
