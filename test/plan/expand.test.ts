import { expect, test } from 'vitest';
import type { Expansion, Plan } from '../../src/model/plan.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import { expand, grow } from '../../src/plan/graph/expand.ts';
import { fanOutOpen } from '../../src/plan/graph/open-steps.ts';
import { plan } from '../../src/plan/plan.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { growing, wrote } from './growing.ts';
import { contextOf, decisions, linesWith, media, Shelf, type World } from './support.ts';

const FILM = `
params:
  list: { type: array, default: [x] }
steps:
  script: { run: [write] }
  shot:
    matrix: { beat: "\${{ params.list }}" }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}", duration: 5 }
  final:
    each: "\${{ steps.shot }}"
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
  cut: { run: [cut, "\${{ steps.final.map(f, f.file).join(' ') }}"], creates: { film: film.mp4 } }
outputs:
  beat: { from: "\${{ steps.final }}", to: "out/{beat}.mp4" }
`;
const BEATS = { shot: 'steps.script.json.beats' };

const step = (name: string) => name as StepName;
const key = (name: string) => name as InstanceKey;

function planned(text: string, lists: Readonly<Record<string, string>>, world: World = {}) {
  const { plan: made, diagnostics } = plan(growing(text, lists), contextOf(world));
  return { made, diagnostics };
}

function film(text = FILM, lists: Readonly<Record<string, string>> = BEATS, world: World = {}): Plan {
  const { made, diagnostics } = planned(text, lists, world);
  if (!made) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return made;
}

const having = (results: Readonly<Record<string, Result | 'skipped'>>) => (of: InstanceKey) => results[of];

/** `shot: shot[beat=a] run, …` */
const told = ({ expansions }: ReturnType<typeof expand>): readonly string[] =>
  expansions.map(
    ({ step, instances }) => `${step}: ${instances.map(({ key, decision }) => `${key} ${decision.is}`).join(', ')}`,
  );

const failures = ({ failures: all }: ReturnType<typeof expand>): readonly string[] =>
  all.map(({ step, failure, diagnostics }) => `${step}: ${failure.message} @${diagnostics[0]?.span.start}`);

test('a step whose list is not written yet is open, and so is what follows it; what reads all of it waits', () => {
  const made = film();
  expect([...made.instances].map(one => one.key)).toEqual(['script', 'cut']);
  expect(made.open).toMatchObject([
    { step: 'shot', lists: ['script'], follows: [], why: 'waits for script', usd: null },
    { step: 'final', lists: [], follows: ['shot'], why: 'waits for shot', usd: null },
  ]);
  expect(made.instances.isOpen(step('shot'))).toBe(true);
  expect(made.instances.get(key('cut'))).toMatchObject({
    decision: { is: 'maybe', why: 'waits for final' },
    needsAll: ['final'],
  });
  expect(made.totals).toMatchObject({ instances: 2, run: 1, maybe: 1, open: 2 });
  // One shot and one upscale are counted for all that will be.
  expect(made.criticalPath).toEqual({ keys: ['script', 'cut'], seconds: 5 + 300 + 300 + 5 });
  const script = made.instances.get(key('script'))!;
  expect(script.remaining).toBe(610);
});

test('an open step in the text of a plan, and in its JSON', () => {
  const made = film();
  expect(linesWith(formatPlan(made, { width: 80 }), '×?', 'open')).toMatchInlineSnapshot(`
    "maybe  shot ×?  waits for script                                5 s × $0.15 each
    maybe  final ×?  waits for shot                                 5 s × $0.10 each
    total         1 run, 1 maybe, 2 open: free
    films         out/{beat}.mp4 ← final ×?"
  `);
  expect(planJson(made)).toMatchObject({
    open: [
      { step: 'shot', kind: 'generate', model: 'V-T2V-A', why: 'waits for script', waits_for: ['script'] },
      { step: 'final', kind: 'generate', model: 'V-UP', why: 'waits for shot', waits_for: ['shot'] },
    ],
    totals: { open: 2 },
  });
});

test('when the list is there, the step is fanned out, and so is what follows it; the plan is not touched', () => {
  const made = film();
  expect(told(expand(made, step('shot'), having({}), contextOf()))).toEqual([]);
  const expanded = expand(made, step('shot'), having({ script: wrote({ beats: ['a', 'b'] }) }), contextOf());
  expect(told(expanded)).toEqual([
    'shot: shot[beat=a] run, shot[beat=b] run',
    'final: final[beat=a] maybe, final[beat=b] maybe',
  ]);
  expect(expanded.failures).toEqual([]);
  const [shots, finals] = expanded.expansions as readonly [Expansion, Expansion];
  expect(shots.instances[0]).toMatchObject({
    ...{ coordinates: { beat: 'a' }, matrix: { beat: 'a' }, needs: [], needsAll: [] },
    ...{ request: { prompt: 'a', duration: 5 }, price: 0.75, facts: { duration: 5 }, expected: 300, remaining: 605 },
  });
  expect(finals.instances[1]).toMatchObject({
    ...{ each: ['shot[beat=b]'], needs: ['shot[beat=b]'], price: 0.5, facts: { duration: 5 }, remaining: 305 },
  });
  expect(finals.outputs).toEqual([
    { name: 'beat', instance: 'final[beat=a]', path: 'out/a.mp4' },
    { name: 'beat', instance: 'final[beat=b]', path: 'out/b.mp4' },
  ]);
  expect(made.instances.isOpen(step('shot'))).toBe(true);
  expect(made.outputs).toEqual([]);

  for (const expansion of expanded.expansions) grow(made, expansion);
  expect([...made.instances].map(one => one.key)).toEqual([
    'script',
    'shot[beat=a]',
    'shot[beat=b]',
    'final[beat=a]',
    'final[beat=b]',
    'cut',
  ]);
  expect(made.outputs.map(({ path }) => path)).toEqual(['out/a.mp4', 'out/b.mp4']);
  expect(told(expand(made, step('shot'), having({}), contextOf()))).toEqual([]);
  expect(() => grow(made, shots)).toThrow('the instances of shot are known already');
});

test('a grown plan is resolved like any other: what reads all of a step gets all of it', () => {
  const made = film();
  const results: Record<string, Result> = { script: wrote({ beats: ['a', 'b'] }) };
  const lookup = (of: InstanceKey) => results[of];
  const cut = made.instances.get(key('cut'))!;
  // Asked before as well: nothing is kept of a step that is open.
  expect(resolve(made, cut, lookup, contextOf())).toMatchObject({ is: 'pending', on: ['final'] });
  for (const expansion of expand(made, step('shot'), lookup, contextOf()).expansions) grow(made, expansion);
  expect(resolve(made, cut, lookup, contextOf())).toMatchObject({ is: 'pending', on: ['final[beat=a]'] });
  for (const beat of ['a', 'b']) results[`final[beat=${beat}]`] = media(beat, { kind: 'video', duration: 5 });
  expect(resolve(made, cut, lookup, contextOf())).toMatchObject({
    is: 'command',
    command: { argv: ['cut', '/content/61 /content/62'] },
  });
});

test('planning again replays what happened', () => {
  const owned = new Shelf();
  const first = film(FILM, BEATS, { owned });
  owned.make(first, { owned });
  const script = first.instances.get(key('script'))!;
  owned.put(script, wrote({ beats: ['a', 'b'] }));
  const second = film(FILM, BEATS, { owned });
  expect(second.open).toEqual([]);
  expect(decisions(second)).toEqual([
    'script: hit, unchanged',
    'shot[beat=a]: run, never run',
    'shot[beat=b]: run, never run',
    'final[beat=a]: maybe, waits for shot[beat=a]',
    'final[beat=b]: maybe, waits for shot[beat=b]',
    'cut: maybe, waits for final',
  ]);
  expect(second.outputs.map(({ path }) => path)).toEqual(['out/a.mp4', 'out/b.mp4']);
  owned.make(second, { owned });
  expect([...film(FILM, BEATS, { owned }).instances].map(({ decision }) => decision.is)).toEqual(Array(6).fill('hit'));
});

test('an expansion is what planning again would say', () => {
  const owned = new Shelf();
  const made = film(FILM, BEATS, { owned });
  const result = wrote({ beats: ['a', 'b'] });
  const { expansions } = expand(made, step('shot'), having({ script: result }), contextOf({ owned }));
  owned.put(made.instances.get(key('script'))!, result);
  const again = film(FILM, BEATS, { owned });
  for (const { step, instances, outputs } of expansions) {
    expect(instances).toEqual(again.instances.of(step));
    expect(outputs).toEqual(again.outputs.filter(output => instances.some(({ key }) => key === output.instance)));
  }
});

test('twins are made once, whether their twin was planned or came with them', () => {
  const text = FILM.replace('  script:', '  known: { model: V-T2V-A, with: { prompt: a, duration: 5 } }\n  script:');
  const made = film(text);
  const { expansions } = expand(made, step('shot'), having({ script: wrote({ beats: ['a', 'b'] }) }), contextOf());
  expect(expansions[0]?.instances.map(({ decision, price }) => [decision, price])).toEqual([
    [{ is: 'run', why: 'the same request as known: made once' }, 0],
    [{ is: 'run', why: 'never run' }, 0.75],
  ]);
});

test('what is owned of a list that is written anew is owned still, and those behind it become known by it', () => {
  const text = `
params: { list: { type: array, default: [x] } }
steps:
  script: { run: [write] }
  scene: { matrix: { scene: "\${{ params.list }}" }, run: [scene, "\${{ matrix.scene }}"] }
  shot:
    matrix: { beat: "\${{ params.list }}" }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}", duration: 5 }
`;
  const lists = { scene: 'steps.script.json.scenes', shot: 'steps.scene[0].json.beats' };
  const results = having({ script: wrote({ scenes: ['one'] }) });
  const owned = new Shelf();
  const made = film(text, lists, { owned });
  expect(made.open.map(({ step, lists, follows }) => [step, [...lists, ...follows]])).toEqual([
    ['scene', ['script']],
    ['shot', ['scene']],
  ]);
  const first = expand(made, step('scene'), results, contextOf({ owned }));
  expect(told(first)).toEqual(['scene: scene[scene=one] run']);
  owned.put(first.expansions[0]!.instances[0]!, wrote({ beats: ['a'] }));
  expect(told(expand(made, step('scene'), results, contextOf({ owned })))).toEqual([
    'scene: scene[scene=one] hit',
    'shot: shot[beat=a] run',
  ]);
});

test.each([
  ['a whole world', { beats: { title: 'dusk '.repeat(40) } }, `gave {"title":"${'dusk '.repeat(13)}dusk…`],
  ['no list', { beats: 'dusk' }, '`beat` must be a list, and the result it reads gave "dusk"'],
  [
    'an empty list',
    { beats: [] },
    '`beat` has no values, because the result it reads gave an empty list; the step would have no instances',
  ],
  [
    'one value twice',
    { beats: ['a', 'b', 'a'] },
    'there are two instances called shot[beat=a]: the list it reads gives the same value twice',
  ],
  ['nothing there', {}, 'beats'],
  [
    'too many',
    { beats: Array.from({ length: 10_001 }, (_, i) => i) },
    'step `shot` would have 10,001 = 10,001 instances, and a step has at most 10,000; take values out, or make it several films',
  ],
])('%s: the step fails with words and a place', (_, json, words) => {
  const made = film();
  const expanded = expand(made, step('shot'), having({ script: wrote(json) }), contextOf());
  expect(expanded.expansions).toEqual([]);
  expect(failures(expanded)).toHaveLength(1);
  expect(failures(expanded)[0]).toContain(words);
  const { span, source } = expanded.failures[0]!.diagnostics[0]!;
  expect(source.text.slice(span.start, span.end)).toMatch(/params\.list|^beat$/);
  expect(expanded.failures[0]?.failure.code).toBe('expression_failed');
});

test('planning over such a list says so, and refuses nothing else: the run that made it went on as well', () => {
  const owned = new Shelf();
  const first = film(FILM, BEATS, { owned });
  owned.put(first.instances.get(key('script'))!, wrote({ beats: [] }));
  const { open, totals } = film(FILM, BEATS, { owned });
  expect(open.map(({ step: name, why }) => `${name}: ${why}`)[0]).toBe(
    'shot: it will fail: `beat` has no values, because the result it reads gave an empty list; the step would have no instances',
  );
  expect([totals.hit, totals.open]).toEqual([1, 2]);
});

test('an output that would be written over another is a failure of the step behind', () => {
  const made = film();
  const expanded = expand(made, step('shot'), having({ script: wrote({ beats: ['a/b', 'a:b'] }) }), contextOf());
  expect(told(expanded)).toEqual(['shot: shot[beat=a/b] run, shot[beat=a:b] run']);
  expect(expanded.failures.map(({ step, failure }) => `${step}: ${failure.message}`)).toEqual([
    'final: final[beat=a/b] and final[beat=a:b] would both be written to out/a-b.mp4; give each a path of its own',
  ]);
});

test('also where it was planned before', () => {
  const text = FILM.replace('outputs:', 'outputs:\n  script: { from: "${{ steps.cut.files.film }}", to: out/a.mp4 }');
  const made = film(text);
  const expanded = expand(made, step('shot'), having({ script: wrote({ beats: ['a', 'b'] }) }), contextOf());
  expect(expanded.failures.map(({ step, failure }) => `${step}: ${failure.message}`)).toEqual([
    'final: cut and final[beat=a] would both be written to out/a.mp4; give each a path of its own',
  ]);
});

test('a list that will never be written leaves nothing to make', () => {
  const made = film();
  const lookup = having({ script: 'skipped' });
  const expanded = expand(made, step('shot'), lookup, contextOf());
  expect(told(expanded)).toEqual(['shot: ', 'final: ']);
  for (const expansion of expanded.expansions) grow(made, expansion);
  expect(resolve(made, made.instances.get(key('cut'))!, lookup, contextOf())).toEqual({
    is: 'skip',
    why: 'final is skipped',
    by: 'final',
  });
});

test('planning over it says so', () => {
  const made = film(FILM.replace('script: { run', 'script: { if: "${{ false }}", run'));
  expect(made.open).toMatchObject([]);
  expect(decisions(made)).toEqual(['script: skip, its condition is false', 'cut: skip, final is skipped']);
  expect(formatPlan(made, { width: 80 })).toContain(
    `skip   script  its condition is false
skip   shot ×0  the step that writes its list is skipped
skip   final ×0  the step that writes its list is skipped
skip   cut  final is skipped`,
  );
});

test('a film has at most so many instances, whenever they become known', () => {
  const made = film();
  const lookup = having({ script: wrote({ beats: ['a', 'b'] }) });
  const shot = made.pipeline.steps.find(({ name }) => name === 'shot')!;
  expect(fanOutOpen(shot, made, lookup, contextOf(), 99_998)).toMatchObject({ is: 'known' });
  const opened = fanOutOpen(shot, made, lookup, contextOf(), 99_999);
  expect(opened.is === 'failed' && opened.diagnostics.map(({ message }) => message)).toEqual([
    'with step `shot` the film would have 100,001 instances, and a film has at most 100,000; make it several films',
  ]);
});

test('a list in a row that is inherited is known with the row, before what `each` names is made', () => {
  const made = planned(
    `steps:
  script: { run: [write] }
  scene: { matrix: { scene: "\${{ steps.script.json.scenes }}" }, max: 9, run: [say, "\${{ matrix.scene.name }}"] }
  shot: { each: "\${{ steps.scene }}", matrix: { shot: "\${{ matrix.scene.shots }}" }, run: [say, "\${{ matrix.shot }}"] }
`,
    {},
  ).made!;
  const scenes = [
    { name: 'bar', shots: ['wide', 'close'] },
    { name: 'street', shots: ['tilt'] },
  ];
  expect(told(expand(made, step('scene'), having({ script: wrote({ scenes }) }), contextOf()))).toEqual([
    'scene: scene[scene=1] run, scene[scene=2] run',
    'shot: shot[scene=1,shot=wide] run, shot[scene=1,shot=close] run, shot[scene=2,shot=tilt] run',
  ]);
});
