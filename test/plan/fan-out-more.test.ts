/** Rows, takes, joins, models as an axis, nested lists and the instance before, as a plan has them. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { linesWith, planned, planOf, shown } from './support.ts';

const keys = (text: string, params: JsonObject = {}): readonly string[] =>
  [...planOf(text, { params }).instances].map(({ key }) => key);
const requests = (text: string, params: JsonObject = {}): JsonObject =>
  Object.fromEntries([...planOf(text, { params }).instances].map(({ key, request }) => [key, request ?? null]));
const problems = (text: string): readonly string[] => planned(text).diagnostics.map(({ message }) => message);

test('rows are told apart by their number, or by a key of the author', () => {
  const cast = (key: string) => `steps:
  cast:
    matrix: { who: [{ name: Ada, mood: calm }, { name: Bo, mood: wild }], lens: [35, 50] }
    ${key}
    model: I-GEN-A
    with: { prompt: "\${{ matrix.who.name }}, \${{ matrix.who.mood }}, \${{ matrix.lens }} mm" }
`;
  expect(keys(cast(''))).toEqual([
    'cast[who=1,lens=35]',
    'cast[who=1,lens=50]',
    'cast[who=2,lens=35]',
    'cast[who=2,lens=50]',
  ]);
  expect(requests(cast('key: ${{ matrix.who.name }}'))).toEqual({
    'cast[who=Ada,lens=35]': { prompt: 'Ada, calm, 35 mm' },
    'cast[who=Ada,lens=50]': { prompt: 'Ada, calm, 50 mm' },
    'cast[who=Bo,lens=35]': { prompt: 'Bo, wild, 35 mm' },
    'cast[who=Bo,lens=50]': { prompt: 'Bo, wild, 50 mm' },
  });
});

test('two rows with one key are a mistake, and so is a key that is empty', () => {
  const cast = (names: string) =>
    problems(`steps:
  cast:
    matrix: { who: [{ name: ${names.replace(' ', ' }, { name: ')} }] }
    key: \${{ matrix.who.name }}
    model: I-GEN-A
    with: { prompt: x }
`);
  expect(cast('Ada Ada')).toEqual(['there are two instances called cast[who=Ada]; take one out']);
  expect(cast('Ada " "')).toEqual(['`key` must give a text or a number that is not empty, not " "']);
});

test('a row of the matrix may be put in, and left out by what it holds', () => {
  expect(
    keys(`steps:
  cast:
    matrix:
      who: [{ name: Ada }, { name: Bo }]
      lens: [35, 50]
      exclude: [{ who: { name: Ada }, lens: 50 }]
      include: [{ who: { name: Cy }, lens: 85 }]
    model: I-GEN-A
    with: { prompt: "\${{ matrix.who.name }}" }
`),
  ).toEqual(['cast[who=1,lens=35]', 'cast[who=2,lens=35]', 'cast[who=2,lens=50]', 'cast[who=3,lens=85]']);
});

test('an `each` step reads the coordinates it came by, rows and all, to any depth', () => {
  const film = `steps:
  a: { matrix: { who: [{ name: Ada, line: hello }] }, model: I-GEN-A, with: { prompt: "\${{ matrix.who.name }}" } }
  b: { each: "\${{ steps.a }}", model: I-EDIT-C, with: { prompt: "\${{ matrix.who.line }}", input_image: ["\${{ each.result_url }}"] } }
  c: { each: "\${{ steps.b }}", matrix: { n: 1..2 }, run: [say, "\${{ matrix.who.line }}", "\${{ matrix.n }}"] }
`;
  expect([...planOf(film).instances].map(({ key, matrix }) => [key, matrix])).toEqual([
    ['a[who=1]', { who: { name: 'Ada', line: 'hello' } }],
    ['b[who=1]', { who: { name: 'Ada', line: 'hello' } }],
    ['c[who=1,n=1]', { who: { name: 'Ada', line: 'hello' }, n: 1 }],
    ['c[who=1,n=2]', { who: { name: 'Ada', line: 'hello' }, n: 2 }],
  ]);
});

test('a list may come from the row that is inherited', () => {
  expect(
    requests(
      `params: { scenes: { type: array } }
steps:
  scene: { matrix: { scene: "\${{ params.scenes }}" }, key: "\${{ matrix.scene.name }}", model: I-GEN-A, with: { prompt: "\${{ matrix.scene.name }}" } }
  shot:
    each: \${{ steps.scene }}
    matrix: { shot: "\${{ matrix.scene.shots }}" }
    model: I-GEN-A
    with: { prompt: "\${{ matrix.scene.name }}: \${{ matrix.shot }}" }
`,
      {
        scenes: [
          { name: 'bar', shots: ['wide', 'close'] },
          { name: 'street', shots: ['tilt'] },
        ] as never,
      },
    ),
  ).toEqual({
    'scene[scene=bar]': { prompt: 'bar' },
    'scene[scene=street]': { prompt: 'street' },
    'shot[scene=bar,shot=wide]': { prompt: 'bar: wide' },
    'shot[scene=bar,shot=close]': { prompt: 'bar: close' },
    'shot[scene=street,shot=tilt]': { prompt: 'street: tilt' },
  });
});

const seeds = (rest: string) => requests(`steps:\n  shot: { model: V-T2V-A, ${rest} }\n`);

test('takes: the first is what it would be without, every further one has a seed of its own', () => {
  expect(seeds('takes: 3, with: { prompt: x }')).toEqual({
    'shot[take=1]': { prompt: 'x' },
    'shot[take=2]': { prompt: 'x', seed: 2 },
    'shot[take=3]': { prompt: 'x', seed: 3 },
  });
  expect(seeds('takes: 2, with: { prompt: x, seed: 70 }')).toEqual({
    'shot[take=1]': { prompt: 'x', seed: 70 },
    'shot[take=2]': { prompt: 'x', seed: 71 },
  });
  expect(seeds('takes: 2, with: { prompt: x, seed: "${{ 100 * take.number }}" }')).toEqual({
    'shot[take=1]': { prompt: 'x', seed: 100 },
    'shot[take=2]': { prompt: 'x', seed: 200 },
  });
});

test('takes of a model without a seed, and of a command, are requests of their own; the first is owned already', () => {
  const prints = (rest: string) =>
    [...planOf(`steps:\n  a: { ${rest} }\n`).instances].map(({ fingerprint }) => fingerprint);
  for (const step of ['model: V-T2V-B, with: { prompt: x }', 'run: [ls]']) {
    const [alone] = prints(step);
    const takes = prints(`${step}, takes: 3`);
    expect(takes[0]).toBe(alone);
    expect(new Set(takes).size).toBe(3);
  }
});

test('two steps that ask for the same are made once; the takes of each are takes of one another', () => {
  const made = planOf(`steps:
  a: { model: V-T2V-A, takes: 2, with: { prompt: x } }
  b: { model: V-T2V-A, takes: 2, with: { prompt: x } }
`);
  expect([...made.instances].map(({ key, decision }) => `${key}: ${decision.why}`)).toEqual([
    'a[take=1]: never run',
    'a[take=2]: never run',
    'b[take=1]: the same request as a[take=1]: made once',
    'b[take=2]: the same request as a[take=2]: made once',
  ]);
});

test('how many takes there are may be a param', () => {
  const film = `params: { n: { type: integer, default: 2 } }
steps:
  shot: { model: V-T2V-A, takes: "\${{ params.n }}", with: { prompt: x } }
`;
  expect(keys(film)).toEqual(['shot[take=1]', 'shot[take=2]']);
  expect(planned(film, { params: { n: 0 } }).diagnostics.map(({ message }) => message)).toEqual([
    '`takes` must be a whole number from 1 to 10,000, not 0',
  ]);
});

const join = (voices: string, rest = '') => `steps:
  still: { matrix: { beat: [a, b, c], lens: [35, 50] }, model: I-GEN-A, with: { prompt: "\${{ matrix.beat }}" } }
  voice: { matrix: { beat: ${voices} }, run: [say, "\${{ matrix.beat }}"], creates: { line: line.wav } }
  shot:
    each: { still: "\${{ steps.still }}", voice: "\${{ steps.voice }}" }
    model: V-REF
    with:
      prompt: "\${{ matrix.beat }}"
      input_images: ["\${{ each.still.result_url }}"]
      input_audios: ["\${{ each.voice.files.line.file }}"]
${rest}`;

test('the join: instances meet on the coordinates they share, and wait for nobody else', () => {
  const made = planOf(join('[a, b, c]'));
  expect([...made.instances].filter(({ step }) => step.name === 'shot').map(({ key, needs }) => [key, needs])).toEqual([
    ['shot[beat=a,lens=35]', ['still[beat=a,lens=35]', 'voice[beat=a]']],
    ['shot[beat=a,lens=50]', ['still[beat=a,lens=50]', 'voice[beat=a]']],
    ['shot[beat=b,lens=35]', ['still[beat=b,lens=35]', 'voice[beat=b]']],
    ['shot[beat=b,lens=50]', ['still[beat=b,lens=50]', 'voice[beat=b]']],
    ['shot[beat=c,lens=35]', ['still[beat=c,lens=35]', 'voice[beat=c]']],
    ['shot[beat=c,lens=50]', ['still[beat=c,lens=50]', 'voice[beat=c]']],
  ]);
});

test('the join: who meets nobody is told by name, on either side', () => {
  expect(problems(join('[a, b]'))).toEqual([
    'voice[beat=c] is missing: `shot` is made where instances meet on `beat`; make it too, or leave the others out with `exclude`',
  ]);
  expect(problems(join('[a, b, c, d]'))).toEqual([
    'still[beat=d] is missing: `shot` is made where instances meet on `beat`; make it too, or leave the others out with `exclude`',
  ]);
});

test('a model as an axis: each of its instances is a request to another model, with what is for it alone', () => {
  const made = planOf(`steps:
  bake_off:
    matrix: { by: [V-T2V-A, V-T2V-B] }
    model: \${{ matrix.by }}
    with: { prompt: a fox }
    only: { V-T2V-A: { seed: 7 } }
  up: { each: "\${{ steps.bake_off }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
`);
  expect([...made.instances].map(({ key, step, request }) => [key, 'model' in step && step.model, request])).toEqual([
    ['bake_off[by=V-T2V-A]', 'V-T2V-A', { prompt: 'a fox', seed: 7 }],
    ['bake_off[by=V-T2V-B]', 'V-T2V-B', { prompt: 'a fox' }],
    ['up[by=V-T2V-A]', 'V-UP', { input_video: { $pending: 'each.result_url' } }],
    ['up[by=V-T2V-B]', 'V-UP', { input_video: { $pending: 'each.result_url' } }],
  ]);
});

test('the instance before: along the last axis, for each combination of the others', () => {
  const made = planOf(`steps:
  walk:
    matrix: { who: [fox, owl], part: 1..3 }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.who }} \${{ matrix.part }} \${{ has(previous.sha256) ? previous.sha256 : '' }}" }
`);
  expect([...made.instances].map(({ key, needs }) => [key, needs])).toEqual([
    ['walk[who=fox,part=1]', []],
    ['walk[who=fox,part=2]', ['walk[who=fox,part=1]']],
    ['walk[who=fox,part=3]', ['walk[who=fox,part=2]']],
    ['walk[who=owl,part=1]', []],
    ['walk[who=owl,part=2]', ['walk[who=owl,part=1]']],
    ['walk[who=owl,part=3]', ['walk[who=owl,part=2]']],
  ]);
  expect(made.instances.of('walk' as never)[0]).toMatchObject({
    decision: { is: 'run' },
    request: { prompt: 'fox 1 ' },
  });
});

test('a path names only what makes it unique', () => {
  const paths = (to: string) =>
    planned(`steps:
  shot: { matrix: { row: [{ slug: bar, take: one }, { slug: street, take: two }], lens: [35] }, model: V-T2V-A, with: { prompt: "\${{ matrix.row.slug }}" } }
outputs: { film: { from: "\${{ steps.shot }}", to: "${to}" } }
`);
  expect(paths('out/{row}.mp4').plan?.outputs.map(({ path }) => path)).toEqual(['out/1.mp4', 'out/2.mp4']);
  expect(paths('out/{row.slug}.mp4').plan?.outputs.map(({ path }) => path)).toEqual(['out/bar.mp4', 'out/street.mp4']);
});

test('a plan in words', () => {
  const text = shown(`steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema: { type: object, properties: { beats: { type: array, items: { type: object, properties: { look: { type: string } } } } } }
  still: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 12, model: I-GEN-A, with: { prompt: "\${{ matrix.beat.look }}" } }
  shot: { each: "\${{ steps.still }}", takes: 2, model: V-I2V-A, with: { prompt: on, input_image: "\${{ each.result_url }}" } }
`);
  expect(linesWith(text, '×?', 'at most', 'total')).toMatchInlineSnapshot(`
    "run    script  never run                      $0.42  at most, without max_tokens
    maybe  still ×?                         up to $0.12  1 image × $0.01
           waits for script; at most 12
    maybe  shot ×?                          up to $6.00  5 s × $0.05
           waits for still; at most 24
    total         1 run, 2 open: free (up to $6.54 at list price)"
  `);
});

test('a list that can never be whole is told before anything of it is made', () => {
  const film = (rest: string) => `params: { up: { type: boolean, default: false } }
steps:
  shot: { matrix: { n: [1, 2] }, if: "\${{ matrix.n == 1 }}", model: V-T2V-A, with: { prompt: "\${{ string(matrix.n) }}" } }
  ${rest}
`;
  const told = '`shot` is incomplete: shot[n=2] was skipped; leave it out with `exclude`, or make it too';
  const reads = '"${{ steps.shot.map(s, s.file).join() }}"';
  expect(problems(film(`cut: { run: [cut, ${reads}] }`))).toEqual([told]);
  expect(problems(film(`cut: { if: "\${{ params.up }}", run: [cut, ${reads}] }`))).toEqual([]);
  expect(problems(film(`cut: { run: [cut, "\${{ params.up ? steps.shot.map(s, s.file).join() : '' }}"] }`))).toEqual(
    [],
  );
  expect(problems(film('cut: { run: [cut, "${{ steps.shot[0].file }}"] }'))).toEqual([]);
  expect(problems(film('cut: { needs: [shot], run: [cut] }'))).toEqual([]);
});
