/** What `shotlist plan` shows from the first look at a file to the last. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { decisions, planOf, Shelf, shown } from './support.ts';

const FOX = `
steps:
  shot:
    model: V-T2V-A
    with:
      prompt: a red fox crossing a frozen river, single shot
      duration: 6
      resolution: 720P
      seed: 11
  framed:
    model: V-RF
    matrix: { ratio: [9:16, 1:1] }
    with:
      input_video: \${{ steps.shot.result_url }}
      aspect_ratio: \${{ matrix.ratio }}
      prompt: extend the snowy forest
  final:
    each: \${{ steps.framed }}
    model: V-UP
    with:
      input_video: \${{ each.result_url }}
      resolution: 1080p
outputs:
  film:
    from: \${{ steps.final }}
    to: out/fox-{ratio}.mp4
`;

test('a fresh film: what runs, what waits for it, what it costs', () => {
  expect(`\n${shown(FOX)}\n`).toBe(`
film  5 instances on studio, free: prices are list prices

run    shot  never run                                    $0.60  6 s × $0.10
       V-T2V-A · prompt a red fox crossing a frozen river, single shot
       duration 6 · resolution 720P · seed 11

maybe  framed × 2  waits for shot                         $1.44  2 × 6 s × $0.12
       V-RF · input_video ‹steps.shot.result_url› · aspect_ratio 9:16, 1:1
       prompt extend the snowy forest

maybe  final × 2  waits for framed                        $0.60  2 × 6 s × $0.05
       V-UP · input_video ‹each.result_url› · resolution 1080p

longest path  about 18m 00s: shot → framed[ratio=9:16] → final[ratio=9:16]
total         1 run, 4 maybe: free (up to $2.64 at list price)
films         out/fox-9x16.mp4 ← final[ratio=9:16]
              out/fox-1x1.mp4 ← final[ratio=1:1]
`);
});

test('on a wide terminal the columns stay together', () => {
  expect(`\n${shown(FOX, { width: 200 })}\n`).toBe(`
film  5 instances on studio, free: prices are list prices

run    shot  never run                                                                            $0.60  6 s × $0.10
       V-T2V-A · prompt a red fox crossing a frozen river, single shot · duration 6 · resolution 720P · seed 11

maybe  framed × 2  waits for shot                                                                 $1.44  2 × 6 s × $0.12
       V-RF · input_video ‹steps.shot.result_url› · aspect_ratio 9:16, 1:1 · prompt extend the snowy forest

maybe  final × 2  waits for framed                                                                $0.60  2 × 6 s × $0.05
       V-UP · input_video ‹each.result_url› · resolution 1080p

longest path  about 18m 00s: shot → framed[ratio=9:16] → final[ratio=9:16]
total         1 run, 4 maybe: free (up to $2.64 at list price)
films         out/fox-9x16.mp4 ← final[ratio=9:16]
              out/fox-1x1.mp4 ← final[ratio=1:1]
`);
});

test('a finished film costs nothing, and says so', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX));
  expect(`\n${shown(FOX, { owned })}\n`).toBe(`
film  5 instances on studio, free: prices are list prices

hit    shot  unchanged                                                     owned
hit    framed × 2  unchanged                                               owned
hit    final × 2  unchanged                                                owned

total         5 hit: free
films         out/fox-9x16.mp4 ← final[ratio=9:16]
              out/fox-1x1.mp4 ← final[ratio=1:1]
`);
});

test('an edit in the middle runs that step, and what follows waits to see', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX));
  expect(decisions(planOf(FOX.replace('snowy forest', 'dark valley'), { owned }))).toStrictEqual([
    'shot: hit, unchanged',
    'framed[ratio=9:16]: run, prompt changed',
    'framed[ratio=1:1]: run, prompt changed',
    'final[ratio=9:16]: maybe, waits for framed[ratio=9:16]',
    'final[ratio=1:1]: maybe, waits for framed[ratio=1:1]',
  ]);
});

test('several changed fields are all named', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX));
  const edited = FOX.replace('single shot', 'multi-shot')
    .replace('seed: 11', 'seed: 12')
    .replace('duration: 6', 'duration: 7');
  expect(decisions(planOf(edited, { owned }))[0]).toBe('shot: run, prompt, duration and seed changed');
});

test('a new shot behind an unchanged step says which input changed', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX));
  const edited = FOX.replace('seed: 11', 'seed: 12');
  const shelf = new Shelf();
  shelf.make(planOf(edited));
  const both = {
    find: (key: string) => shelf.find(key) ?? owned.find(key),
    atService: () => undefined,
    last: owned.last.bind(owned),
  };
  // As if only the new shot were finished.
  for (const { key } of planOf(edited, { owned: shelf }).instances) if (key !== 'shot') shelf.lose(key);
  expect(decisions(planOf(edited, { owned: both }))).toStrictEqual([
    'shot: hit, the same request was made before',
    'framed[ratio=9:16]: run, its input shot changed',
    'framed[ratio=1:1]: run, its input shot changed',
    'final[ratio=9:16]: maybe, waits for framed[ratio=9:16]',
    'final[ratio=1:1]: maybe, waits for framed[ratio=1:1]',
  ]);
});

test('comments, order, white space and renamed steps never make anything again', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX));
  const rewritten = `
# the same film in other words
steps:
  opening:   # was: shot
    with: { seed: 11, resolution: "720P",
            duration: 6, prompt: "a red fox crossing a frozen river, single shot" }
    model: V-T2V-A
  other:
    matrix: { format: ["9:16", "1:1"] }
    model: V-RF
    with:
      prompt: >-
        extend the
        snowy forest
      aspect_ratio: \${{ matrix.format }}
      input_video: \${{ steps.opening.result_url }}
`;
  expect(decisions(planOf(rewritten, { owned }))).toStrictEqual([
    'opening: hit, unchanged',
    'other[format=9:16]: hit, unchanged',
    'other[format=1:1]: hit, unchanged',
  ]);
});

test('a studio draft never stands in for a production result', () => {
  const owned = new Shelf();
  owned.make(planOf(FOX, { service: 'studio' }));
  expect(decisions(planOf(FOX, { owned, service: 'production' }))[0]).toBe(
    'shot: run, its model or its service changed',
  );
  expect(
    decisions(
      planOf(FOX, {
        owned: { find: owned.find.bind(owned), atService: () => undefined, last: () => undefined },
        service: 'production',
      }),
    )[0],
  ).toBe('shot: run, never run');
});

test('a lost file is told apart from a changed request', () => {
  const owned = new Shelf();
  const made = planOf(FOX);
  owned.make(made);
  owned.lose([...made.instances][1]!.key);
  expect(decisions(planOf(FOX, { owned }))).toStrictEqual([
    'shot: hit, unchanged',
    'framed[ratio=9:16]: run, its result is not on this machine',
    'framed[ratio=1:1]: hit, unchanged',
    'final[ratio=9:16]: maybe, waits for framed[ratio=9:16]',
    'final[ratio=1:1]: hit, unchanged',
  ]);
});

test('`cache: off` always runs, and what follows waits to see', () => {
  const owned = new Shelf();
  const live = FOX.replace('model: V-T2V-A', 'model: V-T2V-A\n    cache: off');
  owned.make(planOf(live));
  expect(decisions(planOf(live, { owned })).slice(0, 2)).toStrictEqual([
    'shot: run, cache is off',
    'framed[ratio=9:16]: maybe, waits for shot',
  ]);
});

test('what is made for each of another without reading it is known before that is made', () => {
  const film = (prompt: string) => `
steps:
  still: { model: I-GEN-A, matrix: { n: [1, 2] }, with: { prompt: "${prompt} \${{ matrix.n }}" } }
  shot: { each: "\${{ steps.still }}", model: V-I2V-A, with: { prompt: it moves, input_image: "\${{ each.result_url }}" } }
  voice: { each: "\${{ steps.shot }}", run: [say, "\${{ matrix.n }}"] }
  maybe: { each: "\${{ steps.still }}", if: "\${{ each.bytes > 5 }}", run: [ls, "\${{ matrix.n }}"] }
  after: { each: "\${{ steps.maybe }}", run: [cat, "\${{ matrix.n }}"] }
`;
  const owned = new Shelf();
  const fresh = planOf(film('a fox'));
  const of = (one: number, all: Plan) => decisions(all).filter(line => line.includes(`[n=${one}]`));
  expect(of(1, fresh)).toEqual([
    'still[n=1]: run, never run',
    'shot[n=1]: maybe, waits for still[n=1]',
    'voice[n=1]: run, never run',
    'maybe[n=1]: maybe, waits for still[n=1]',
    'after[n=1]: maybe, waits for maybe[n=1]',
  ]);
  owned.make(fresh);
  expect(of(2, planOf(film('a hare'), { owned }))).toEqual([
    'still[n=2]: run, prompt changed',
    'shot[n=2]: maybe, waits for still[n=2]',
    'voice[n=2]: hit, unchanged',
    'maybe[n=2]: maybe, waits for still[n=2]',
    'after[n=2]: maybe, waits for maybe[n=2]',
  ]);
});

test('two instances that ask for the same thing pay once', () => {
  const twins = `
steps:
  shot:
    model: V-T2V-A
    matrix: { name: [a, b] }
    with: { prompt: a fox, duration: 5 }
`;
  expect(`\n${shown(twins)}\n`).toBe(`
film  2 instances on studio, free: prices are list prices

run    shot × 2  2 run                                        $0.75  5 s × $0.15
       1 run  never run (name=a)
       1 run  the same request as shot[name=a]: made once (name=b)
       V-T2V-A · prompt a fox · duration 5

longest path  about 5m 00s: shot[name=a]
total         2 run: free ($0.75 at list price)
`);
});
