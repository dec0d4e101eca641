import { expect, test } from 'vitest';
import { planOf, shown } from './support.ts';

const keys = (steps: string, params = {}) => [...planOf(steps, { params }).instances].map(instance => instance.key);
const shot = (fan: string) => `
steps:
  shot:
    model: V-T2V-A
    ${fan}
    with: { prompt: a fox }
`;

test('a matrix is the cross product, the last axis moving fastest', () => {
  expect(keys(shot('matrix: { seed: [1, 2], ratio: [16:9, 1:1] }'))).toStrictEqual([
    'shot[seed=1,ratio=16:9]',
    'shot[seed=1,ratio=1:1]',
    'shot[seed=2,ratio=16:9]',
    'shot[seed=2,ratio=1:1]',
  ]);
});

test('`exclude` takes combinations out, `include` puts some in, in the order of the axes', () => {
  const fan = `matrix:
      seed: [1, 2]
      ratio: [16:9, 1:1]
      exclude: [{ seed: 2, ratio: 1:1 }]
      include: [{ ratio: 9:16, seed: 7 }]`;
  expect(keys(shot(fan))).toStrictEqual([
    'shot[seed=1,ratio=16:9]',
    'shot[seed=1,ratio=1:1]',
    'shot[seed=2,ratio=16:9]',
    'shot[seed=7,ratio=9:16]',
  ]);
});

test('a matrix of combinations alone', () => {
  const fan = `matrix:
      include:
        - { name: dawn, seed: 1 }
        - { seed: 2, name: deep night }`;
  expect(keys(shot(fan))).toStrictEqual(['shot[name=dawn,seed=1]', 'shot[name="deep night",seed=2]']);
});

const CHAIN = `
params:
  seeds: { type: array, items: { type: integer }, default: [1, 2] }
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: "\${{ params.seeds }}" }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
  framed:
    each: \${{ steps.shot }}
    matrix: { ratio: [9:16, 1:1] }
    model: V-RF
    with:
      input_video: \${{ each.result_url }}
      aspect_ratio: \${{ matrix.ratio }}
      prompt: forest
  final:
    each: \${{ steps.framed }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
  sheet:
    run: [montage, "\${{ steps.final.map(f, f.file).join(' ') }}"]
    needs: shot
`;

test('`each` inherits coordinates first, own axes follow; it waits for its own instance alone', () => {
  const plan = planOf(CHAIN);
  expect([...plan.instances].map(({ key, each, needs, needsAll }) => [key, each?.[0], needs, needsAll])).toStrictEqual([
    ['shot[seed=1]', undefined, [], []],
    ['shot[seed=2]', undefined, [], []],
    ['framed[seed=1,ratio=9:16]', 'shot[seed=1]', ['shot[seed=1]'], []],
    ['framed[seed=1,ratio=1:1]', 'shot[seed=1]', ['shot[seed=1]'], []],
    ['framed[seed=2,ratio=9:16]', 'shot[seed=2]', ['shot[seed=2]'], []],
    ['framed[seed=2,ratio=1:1]', 'shot[seed=2]', ['shot[seed=2]'], []],
    ['final[seed=1,ratio=9:16]', 'framed[seed=1,ratio=9:16]', ['framed[seed=1,ratio=9:16]'], []],
    ['final[seed=1,ratio=1:1]', 'framed[seed=1,ratio=1:1]', ['framed[seed=1,ratio=1:1]'], []],
    ['final[seed=2,ratio=9:16]', 'framed[seed=2,ratio=9:16]', ['framed[seed=2,ratio=9:16]'], []],
    ['final[seed=2,ratio=1:1]', 'framed[seed=2,ratio=1:1]', ['framed[seed=2,ratio=1:1]'], []],
    ['sheet', undefined, [], ['shot', 'final']],
  ]);
  expect(plan.instances.of('framed' as never).map(instance => instance.matrix)).toStrictEqual([
    { seed: 1, ratio: '9:16' },
    { seed: 1, ratio: '1:1' },
    { seed: 2, ratio: '9:16' },
    { seed: 2, ratio: '1:1' },
  ]);
});

test('an axis can come from a param, also one given as text on the command line', () => {
  expect(keys(CHAIN, { seeds: '[5]' }).slice(0, 3)).toStrictEqual([
    'shot[seed=5]',
    'framed[seed=5,ratio=9:16]',
    'framed[seed=5,ratio=1:1]',
  ]);
});

test('a param that leaves an axis empty is an error, not a film without shots', () => {
  expect(shown(CHAIN, { params: { seeds: '[]' } })).toMatchInlineSnapshot(
    `"8:21 ‹"\${{ params.seeds }}"› \`seed\` has no values, so the step would have no instances; give it at least one"`,
  );
});

test('two instances that turn out to have one key are refused', () => {
  expect(shown(CHAIN, { params: { seeds: '[4, 4]' } })).toMatchInlineSnapshot(
    `"8:21 ‹"\${{ params.seeds }}"› there are two instances called shot[seed=4]; take one out"`,
  );
});

test('excluding everything is refused', () => {
  expect(shown(shot('matrix: { seed: [1], exclude: [{ seed: 1 }] }'))).toMatchInlineSnapshot(
    `"4:3 ‹shot› \`exclude\` leaves no instance of \`shot\`; keep at least one combination"`,
  );
});

test('ten thousand instances are planned as groups, and summed up', () => {
  const big = CHAIN.replace('[1, 2]', `[${Array.from({ length: 2_000 }, (_, i) => i).join(', ')}]`);
  const plan = planOf(big);
  expect(plan.totals).toMatchObject({ instances: 10_001, run: 2_000, maybe: 8_001, usd: 5_900 });
  expect([...plan.instances].at(-1)?.needsAll).toStrictEqual(['shot', 'final']);
  expect(`\n${shown(big)}\n`).toBe(`
film  10,001 instances on studio, free: prices are list prices

run    shot × 2,000  never run                    $1,500.00  2,000 × 5 s × $0.15
       V-T2V-A · prompt a fox
       seed 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1,988 more

maybe  framed × 4,000 (2000 × 2)  waits for shot  $2,400.00  4,000 × 5 s × $0.12
       V-RF · input_video ‹each.result_url› · aspect_ratio 9:16, 1:1
       prompt forest

maybe  final × 4,000 (2000 × 2)                   $2,000.00  4,000 × 5 s × $0.10
       waits for framed
       V-UP · input_video ‹each.result_url›

maybe  sheet  waits for final                          free
       command · run [montage, ‹steps.final.map(f, f.file).join(' ')›]

longest path  about 15m 05s: shot[seed=0] → framed[seed=0,ratio=9:16] →
              final[seed=0,ratio=9:16] → sheet
total         2,000 run, 8,001 maybe: free (up to $5,900.00 at list price)
`);
});

test('lists that only the params tell are bound before they are multiplied', () => {
  const film = `
params:
  seeds: { type: array, items: { type: integer }, default: [1] }
steps:
  shot:
    model: V-T2V-A
    matrix: { a: "\${{ params.seeds }}", b: "\${{ params.seeds.map(s, s + 1) }}", c: "\${{ params.seeds }}" }
    with: { prompt: a fox }
`;
  expect(keys(film).length).toBe(1);
  const seeds = Array.from({ length: 1000 }, (_, n) => n);
  expect(`\n${shown(film, { params: { seeds } })}\n`).toMatchInlineSnapshot(`
    "
    8:41 ‹b› step \`shot\` would have 1,000 × 1,000 × 1,000 = 1,000,000,000 instances, and a step has at most 10,000; take values out, or make it several films
    "
  `);
});

test('steps that are each within bounds may be too many together', () => {
  const steps = Array.from(
    { length: 11 },
    (_, n) => `  s${n}: { model: V-T2V-A, matrix: { a: "\${{ params.seeds }}" }, with: { prompt: x } }\n`,
  );
  const film = `\nparams:\n  seeds: { type: array, items: { type: integer }, default: [1] }\nsteps:\n${steps.join('')}`;
  const seeds = Array.from({ length: 10_000 }, (_, n) => n);
  expect(shown(film, { params: { seeds } }).split('\n')[0]).toBe(
    '16:3 ‹s10› with step `s10` the film would have 110,000 instances, and a film has at most 100,000; make it several films',
  );
});
