/** Expressions that are deep, huge or slow, and what is said of each. */

import { Budget } from '../../../src/language/expression/evaluation-limit.ts';
import { interpret } from '../../../src/language/expression/interpret.ts';
import { Failed } from '../../../src/language/expression/outcome.ts';
import { readCode } from '../../../src/language/types/cel.ts';
import type { Json } from '../../../src/model/text/json.ts';

const text = 'a'.repeat(900_000);
const words = Array.from({ length: 10_000 }, (_, index) => `word ${index}`);
const nested = (depth: number): Json => {
  let json: Json = [];
  for (let i = 0; i < depth; i++) json = [json];
  return json;
};
const values: Readonly<Record<string, Json>> = {
  text,
  needle: `b${'a'.repeat(450_000)}`,
  words,
  deep: nested(100_000),
  half: text.slice(0, 450_000),
  short: 'a'.repeat(2_200),
  piece: `${'a'.repeat(1_100)}b`,
  other: `b${'a'.repeat(1_100)}`,
  pairs: '\u{1f98a}'.repeat(400_000),
  accents: 'é'.repeat(400_000),
  long: Array.from({ length: 300 }, (_, index) => `${'a'.repeat(100_000)}${index}`),
  lists: Array.from({ length: 1_000 }, (_, index) => [index]),
};

/** What is said of it, and what it spent. */
export function attack(code: string): { readonly said: string; readonly steps: number; readonly size: number } {
  const read = readCode(code);
  if (read.is === 'broken') return { said: read.problem.kind, steps: 0, size: 0 };
  if (read.is === 'path') return { said: 'a path', steps: 0, size: 0 };
  const budget = new Budget();
  const outcome = interpret(
    read.tree,
    code,
    { read: ([name]) => values[name], originOf: () => 'plain', dividesReals: () => false },
    budget,
  );
  const said = outcome instanceof Failed ? outcome.message : 'a value';
  return { said, ...budget.spent };
}

export const bound = (times: number, start: string, body: string): string =>
  Array.from({ length: times }, (_, i) => `cel.bind(x${i + 1}, ${body.replaceAll('x', i === 0 ? 'x0' : `x${i}`)}, `)
    .join('')
    .concat(`x${times}`, ')'.repeat(times))
    .replace(/^/, `cel.bind(x0, ${start}, `)
    .concat(')');

export const STEPS = 'this takes too many steps; give it shorter lists or texts, or fewer loops inside loops';
const SIZE = 'this makes more than an expression may hold; give it shorter lists or texts';
const TEXT = 'this makes a text of more than 1000000 characters; give it shorter texts';
const DEEP = 'lists inside lists are nested more than 200 deep; flatten them';

export const ATTACKS: readonly (readonly [name: string, code: string, said: string])[] = [
  ['brackets in brackets', `${'('.repeat(1_900)}1${')'.repeat(1_900)}`, 'depth'],
  ['lists in lists', `${'['.repeat(1_900)}${']'.repeat(1_900)}`, 'depth'],
  ['brackets beyond the length', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`, 'length'],
  ['a long chain', Array(1_990).fill('1').join('+'), 'depth'],
  ['a long chain of calls', `'a'${'.trim()'.repeat(500)}`, 'depth'],
  ['conditions in conditions', `${'true?1:'.repeat(560)}1`, 'depth'],
  ['four thousand signs', `${'!'.repeat(3_990)}true`, 'a value'],
  ['a name of 3,900 characters', `${'n'.repeat(3_900)} + 1`, `\`${'n'.repeat(3_900)}\` has no value`],
  ['a text that doubles', bound(30, "'aaaaaaaaaaaaaaaa'", 'x + x'), TEXT],
  ['a list that doubles', bound(30, '[1, 2, 3, 4]', 'x + x'), STEPS],
  ['a list of itself, given', bound(30, '[1]', '[x, x]'), 'a value'],
  ['a list of itself, compared', `${bound(30, '[1]', '[x, x]')} == ${bound(30, '[1]', '[x, x]')}`, STEPS],
  ['a list of itself, as JSON', `json(${bound(30, '[1]', '[x, x]')})`, STEPS],
  ['a list of itself, flattened', `${bound(30, '[[1]]', '[x, x].flatten()')}`, STEPS],
  ['a range of a milliard', 'range(1000000000)', STEPS],
  ['a range of all there is', 'range(-9223372036854775807, 9223372036854775807)', STEPS],
  ['ten thousand times ten thousand', 'words.map(a, words.map(b, a + b))', STEPS],
  ['ten thousand times ten thousand, asked', 'words.all(a, words.exists(b, a == b))', STEPS],
  ['a search in each of them', 'words.filter(a, a in words)', STEPS],
  [
    'loops five deep',
    'range(99).all(a, range(99).all(b, range(99).all(c, range(99).all(d, range(99).all(e, true)))))',
    STEPS,
  ],
  ['a needle that fits nowhere', 'text.contains(needle)', 'a value'],
  ['the same, from behind', 'text.lastIndexOf(needle)', 'a value'],
  ['the same, replaced', "text.replace(needle, '')", 'a value'],
  ['the same, again and again', 'words.exists(w, text.contains(needle))', STEPS],
  ['something between all characters', "text.replace('', 'bcd')", TEXT],
  ['a text that grows with each part', "text.replace('a', 'aaaaaaaaaa')", STEPS],
  ['all its characters', "text.split('')", STEPS],
  ['many characters, joined by words', "text.substring(0, 90000).split('').join(' and so on ')", TEXT],
  ['a thousand splits', "words.map(w, text.split('a'))", STEPS],
  ['a huge sort', 'range(400000).reverse().sort()', STEPS],
  ['many sorts', 'words.map(w, words.sort())', STEPS],
  ['many texts with all of a text', 'words.map(w, w + text)', SIZE],
  ['a list that no stack holds', 'deep == deep', DEEP],
  ['the same, as JSON', 'json(deep)', DEEP],
  ['the same, searched', 'deep in [deep]', DEEP],
  ['different lists, all with all', '[lists][0].distinct()', STEPS],
  ['a search that begins again everywhere', 'words.exists(w, short.contains(piece))', STEPS],
  ['the same, from behind, again and again', 'words.exists(w, short.lastIndexOf(piece) > 0)', STEPS],
  ['a part that is everywhere, from behind', 'words.map(w, text.lastIndexOf(half))', STEPS],
  ['a part that ends nowhere', 'words.exists(w, short.contains(other))', STEPS],
  ['the same, replaced, again and again', "words.map(w, short.replace(other, 'x'))", STEPS],
  ['characters of two units, counted', 'words.all(w, size(pairs) > 0)', STEPS],
  ['the same, cut', 'words.map(w, pairs.substring(399998, 399999))', STEPS],
  ['the same, searched', "words.map(w, pairs.indexOf('x'))", STEPS],
  ['the same, in pieces', "words.map(w, pairs.split(''))", STEPS],
  ['names of long texts', 'words.map(w, slug(accents))', STEPS],
  ['long texts in other letters', 'words.map(w, accents.upper())', SIZE],
  ['long texts that begin alike, in order', 'words.map(w, long.sort())', STEPS],
  ['the same, compared', 'words.all(w, long.all(a, a != long[0] + w))', SIZE],
  ['the same, looked for', 'words.all(w, !(w in long))', STEPS],
  ['the same, as JSON', 'words.map(w, json(long[0]))', SIZE],
  [
    'mappings in mappings',
    bound(30, "{'a': 1}", "{'a': x, 'b': x}").replace('cel.bind', 'json(cel.bind').concat(')'),
    STEPS,
  ],
  ['keys of many mappings', 'words.map(w, words.map(v, {v: w}))', STEPS],
  ['a budget that an "or" would take in', 'range(1000000000) == [] || true', STEPS],
];
