import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { planOf, shown } from './support.ts';

const FILM = `
params:
  idea: { type: string, default: a fox, maxLength: 20 }
  n: { type: integer, default: 2, minimum: 1, maximum: 4 }
  fast: { type: boolean, default: false }
  scale: { type: number, default: 1 }
  mood: { type: string, enum: [calm, wild], default: calm }
  seeds: { type: array, items: { type: integer }, default: [1], maxItems: 3 }
steps:
  shot:
    model: V-T2V-A
    with: { prompt: "\${{ params.idea }}" }
`;

test('defaults fill what is not given', () => {
  expect(planOf(FILM).params).toStrictEqual({ idea: 'a fox', n: 2, fast: false, scale: 1, mood: 'calm', seeds: [1] });
});

test('texts of the command line become what the file declares', () => {
  const params = { idea: '42', n: '3', fast: 'true', scale: '0.5', mood: 'wild', seeds: '[4, 5]' };
  expect(planOf(FILM, { params }).params).toStrictEqual({
    idea: '42',
    n: 3,
    fast: true,
    scale: 0.5,
    mood: 'wild',
    seeds: [4, 5],
  });
});

test('values of a params file are taken as they are', () => {
  expect(planOf(FILM, { params: { n: 3, seeds: [7] } }).params).toMatchObject({ n: 3, seeds: [7] });
});

test.each<[JsonObject, string]>([
  [{ ide: 'a hare' }, '--param:1:1 ‹ide› this file has no param `ide`; did you mean `idea`?'],
  [
    { weather: 'rain' },
    '--param:1:1 ‹weather› this file has no param `weather`; it has `idea`, `n`, `fast`, `scale`, `mood` and `seeds`',
  ],
  [{ n: 'three' }, '--param:1:3 ‹three› param `n` must be a whole number, not "three"'],
  [{ n: '2.5' }, '--param:1:3 ‹2.5› param `n` must be a whole number, not 2.5'],
  [{ n: '' }, '--param:1:3 ‹› param `n` must be a whole number, not ""'],
  [
    { n: 'x'.repeat(9_000) },
    `--param:1:3 ‹${'x'.repeat(40)}…› param \`n\` must be a whole number, not "${'x'.repeat(78)}…`,
  ],
  [{ n: '9' }, '--param:1:3 ‹9› param `n` must be at most 4, not 9'],
  [{ n: '0' }, '--param:1:3 ‹0› param `n` must be at least 1, not 0'],
  [{ fast: 'yes' }, '--param:1:6 ‹yes› param `fast` must be true or false, not "yes"'],
  [{ mood: 'dark' }, '--param:1:6 ‹dark› param `mood` must be one of calm, wild, not "dark"'],
  [
    { idea: 'a very long story indeed' },
    '--param:1:6 ‹a very long story indeed› param `idea` must have at most 20 characters, it has 24',
  ],
  [{ seeds: '[1, 2, 3, 4]' }, '--param:1:7 ‹[1, 2, 3, 4]› param `seeds` must have at most 3 items, it has 4'],
  [{ seeds: '[1, "b"]' }, '--param:1:7 ‹[1, "b"]› param `seeds[1]` must be a whole number, not "b"'],
  [{ seeds: '1, 2' }, '--param:1:7 ‹1, 2› param `seeds` must be a list like `[1, 2]`, not "1, 2"'],
])('%o is refused where it stands', (params, line) => {
  expect(shown(FILM, { params }).split('\n')[0]).toBe(line);
});

test('all mistakes are told at once, each with what was typed', () => {
  expect(shown(FILM, { params: { n: '9', ide: 'a hare' } })).toMatchInlineSnapshot(`
    "--param:1:1 ‹ide› this file has no param \`ide\`; did you mean \`idea\`?
    --param:1:3 ‹9› param \`n\` must be at most 4, not 9"
  `);
});

test('a param without a default must be given', () => {
  expect(shown(FILM.replace(', default: a fox', ''))).toMatchInlineSnapshot(
    `"4:3 ‹idea› param \`idea\` has no default; give it with --param idea=…"`,
  );
});
