/**
 * Expressions that are deep, huge or slow, on purpose or because a model wrote what they read: each ends with an error that says what
 * to do, at its place. What is asserted is the work (steps and size are counted, not timed), so that no slow machine fails here; the
 * clock is looked at once, with a bound ten times what was measured.
 */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { readCode } from '../../../src/language/cel.ts';
import { BUDGET, Budget } from '../../../src/language/expression/budget.ts';
import { fromJson } from '../../../src/language/expression/cel-value.ts';
import { interpret } from '../../../src/language/expression/interpret.ts';
import { Failed, isStopped } from '../../../src/language/expression/outcome.ts';
import { ask } from './ask.ts';

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
  lists: Array.from({ length: 1_000 }, (_, index) => [index]),
};

/** What is said of it, and what it spent. */
function attack(code: string): { readonly said: string; readonly steps: number; readonly size: number } {
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

const bound = (times: number, start: string, body: string): string =>
  Array.from({ length: times }, (_, i) => `cel.bind(x${i + 1}, ${body.replaceAll('x', i === 0 ? 'x0' : `x${i}`)}, `)
    .join('')
    .concat(`x${times}`, ')'.repeat(times))
    .replace(/^/, `cel.bind(x0, ${start}, `)
    .concat(')');

const STEPS = 'this takes too many steps; give it shorter lists or texts, or fewer loops inside loops';
const SIZE = 'this makes more than an expression may hold; give it shorter lists or texts';
const TEXT = 'this makes a text of more than 1000000 characters; give it shorter texts';
const DEEP = 'lists inside lists are nested more than 200 deep; flatten them';

const ATTACKS: readonly (readonly [name: string, code: string, said: string])[] = [
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
  ['a budget that an "or" would take in', 'range(1000000000) == [] || true', STEPS],
];

describe('hostile expressions', () => {
  it.each(ATTACKS)('%s', (_, code, said) => {
    const attacked = attack(code);
    expect(attacked.said).toBe(said);
    // One function may announce more than is left, and then does not begin.
    expect(Math.min(attacked.steps, BUDGET.steps + 1)).toBeLessThanOrEqual(BUDGET.steps + 1);
  });

  it('all of them together take as long as one of them may', () => {
    for (const [, code] of ATTACKS) attack(code);
    const start = performance.now();
    for (const [, code] of ATTACKS) attack(code);
    expect(performance.now() - start).toBeLessThan(200 * ATTACKS.length);
  });

  it('the message has its place in the file, and a check of it ends as well', () => {
    expect(ask('[1] + range(1000000000)')).toEqual({
      type: 'a list of whole numbers',
      value: undefined,
      failure: `‹range(1000000000)› \`range(1000000000)\`: ${STEPS}`,
    });
    const doubled = bound(30, "'a'", "params.count > 2 ? x : (params.count > 1 ? x : 'b')");
    expect(ask(doubled)).toMatchObject({ type: 'a text', value: 'a' });
  });

  it('a list of itself is not given to a run', () => {
    expect(ask(bound(30, '[1]', '[x, x]')).failure).toContain(STEPS);
  });

  it('what a good expression spends is a small part of what it may', () => {
    const film = Array.from({ length: 10_000 }, (_, index) => ({ result_url: `https://example.org/${index}.mp4` }));
    const budget = new Budget();
    const read = readCode('steps.map(s, s.result_url).join(" ")');
    if (read.is !== 'program') throw new Error('a program');
    const outcome = interpret(
      read.tree,
      '',
      { read: () => film, originOf: () => 'plain', dividesReals: () => false },
      budget,
    );
    expect(isStopped(outcome)).toBe(false);
    expect(budget.spent.steps).toBeLessThan(BUDGET.steps / 5);
    expect(fromJson(film, 'plain', undefined)).toBeDefined();
  });
});
