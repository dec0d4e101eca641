/** How many entries a list has at most that a chat is still to write: by its schema, by `max`, and by the smaller of both. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { planned } from './support.ts';

const film = (list: string, { max = '', items = 'maxItems: 4', n = 5 } = {}) => `
params: { n: { type: integer, default: ${n}, minimum: 0, maximum: 6 } }
steps:
  script:
    model: C-D
    with: { prompt: beats, max_tokens: 9 }
    schema:
      type: object
      required: [beats, acts]
      properties:
        beats: { type: array, ${items}, items: { type: string } }
        acts: { type: array, maxItems: 2, items: { type: array, maxItems: 3, items: { type: string } } }
  shot:
    matrix: { beat: "\${{ ${list} }}" }
    ${max}
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}", resolution: 720P, duration: 5 }
  up: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}", resolution: 1080p } }
`;
const most = (...said: Parameters<typeof film>) => {
  const { plan, diagnostics } = planned(film(...said));
  expect(diagnostics).toEqual([]);
  return plan!.open.map(one => [one.step, one.most]);
};
const codes = (...said: Parameters<typeof film>) =>
  compile({ path: 'film.yaml', text: `shotlist: 1\nname: film\n${film(...said)}` }, modelLibrary).diagnostics.map(
    ({ code }) => code,
  );

test('the schema of the chat bounds it, and whatever is made of each', () => {
  expect(most('steps.script.json.beats')).toEqual([
    ['shot', 4],
    ['up', 4],
  ]);
});

test('of `maxItems` and `max` the smaller counts', () => {
  expect(most('steps.script.json.beats', { max: 'max: 3' })[0]).toEqual(['shot', 3]);
  expect(most('steps.script.json.beats', { max: 'max: 9' })[0]).toEqual(['shot', 4]);
  expect(most('steps.script.json.beats', { max: 'max: 9', items: 'minItems: 1' })[0]).toEqual(['shot', 9]);
});

test('both may be an expression over params, whose value counts', () => {
  const items = 'maxItems: "${{ params.n }}"';
  expect(most('steps.script.json.beats', { items })).toEqual([
    ['shot', 5],
    ['up', 5],
  ]);
  expect(most("steps.script.json.beats.filter(b, b != '')", { items, n: 3 })[0]).toEqual(['shot', 3]);
  expect(most('steps.script.json.beats', { items: 'minItems: 1', max: 'max: "${{ params.n + 1 }}"' })[0]).toEqual([
    'shot',
    6,
  ]);
  expect(planned(film('steps.script.json.beats', { max: 'max: "${{ params.n }}"', n: 0 })).diagnostics).toMatchObject([
    { code: 'out-of-range', message: '`max` must be a whole number from 1 to 10,000, not 0' },
  ]);
});

test('where another step writes what bounds it, it bounds nothing that is known before', () => {
  const items = 'maxItems: "${{ steps.other.json.n }}"';
  expect(codes('steps.script.json.beats', { items })).toContain('max-missing');
  expect(
    codes('steps.script.json.beats', { items: 'minItems: 1', max: 'max: "${{ steps.script.json.beats[0] }}"' }),
  ).toEqual(['not-known-yet']);
});

test('it holds for what is made of the list, as long as that is no longer', () => {
  expect(most("steps.script.json.beats.filter(b, b != '')")[0]).toEqual(['shot', 4]);
  expect(most("steps.script.json.beats.map(b, b + ' at dusk')")[0]).toEqual(['shot', 4]);
  expect(most('steps.script.json.beats + steps.script.json.beats')[0]).toEqual(['shot', 8]);
});

test('where nothing certain bounds it, `max` is asked for', () => {
  expect(codes('steps.script.json.beats', { items: 'minItems: 1' })).toEqual(['max-missing']);
  // Three in each act, and two acts.
  expect(codes('steps.script.json.acts.flatten()')).toEqual(['max-missing']);
  expect(codes("steps.script.json.beats + ['the end']")).toEqual(['max-missing']);
});
