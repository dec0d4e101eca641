/** `until` in a plan: the first round as usual, the others perhaps; what it comes to in any case and at most; and what a result has decided. */
import { describe, expect, test } from 'vitest';
import { compileProject } from '../support/project-files.ts';
import { decisions, linesWith, media, planOf, Shelf, shown } from './support.ts';

const FILM = `
params: { rounds: { type: integer, default: 3 } }
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a fox, duration: 5 }
    until: { holds: "\${{ this.media.duration > 6.0 }}", max: "\${{ params.rounds }}" }
    save: out/shot.mp4
  big: { model: V-UP, with: { input_video: "\${{ steps.shot.result_url }}" } }
`;

describe('what nobody has made yet', () => {
  test('the first round will be made, the others perhaps, and the price is told for both', () => {
    expect(linesWith(shown(FILM, { width: 100 }), 'shot', 'round', 'total')).toMatchInlineSnapshot(`
      "maybe  shot  the first of at most 3 rounds that holds                          free
      run    shot × 3  1 run, 2 maybe                                               $2.25  3 × 5 s × $0.15
             1 run    never run (round=1)
             1 maybe  round 2 of at most 3, if shot[round=1] does not hold (round=2)
             1 maybe  round 3 of at most 3, if shot[round=2] does not hold (round=3)
      maybe  big  waits for shot                                                    $0.50  5 s × $0.10
             V-UP · input_video ‹steps.shot.result_url›
      longest path  about 20m 00s: shot[round=1] → shot[round=2] → shot[round=3] → big
      total         1 run, 4 maybe: free (up to $2.75 at list price)
      films         out/shot.mp4 ← shot"
    `);
    const { demand } = planOf(FILM);
    expect([demand.certain.generations.known, demand.most.generations.known]).toEqual([1, 4]);
    expect([demand.certain.usd.known, demand.most.usd.known]).toEqual([0.75, 2.75]);
  });

  test('how many rounds there can be is a param, from 1 on', () => {
    const keys = (rounds: number) => [...planOf(FILM, { params: { rounds } }).instances].map(({ key }) => key);
    expect(keys(1)).toEqual(['shot[round=1]', 'shot', 'big']);
    expect(shown(FILM, { params: { rounds: 0 } })).toContain(
      '`max` of `until` must be a whole number from 1 to 100, not 0',
    );
  });

  test('a step that is off has no round that could be made', () => {
    const off = FILM.replace('    model:', '    if: ${{ params.rounds > 3 }}\n    model:').replace(
      '${{ steps.shot.result_url }}',
      'https://x.example/a.mp4',
    );
    expect(decisions(planOf(off)).slice(0, 4)).toEqual([
      'shot[round=1]: skip, its condition is false',
      'shot[round=2]: skip, its condition is false',
      'shot[round=3]: skip, its condition is false',
      'shot: skip, its condition is false',
    ]);
  });

  test('a selection of the step needs its rounds; one round can be named', () => {
    const { instances } = planOf(FILM, { selection: { steps: ['shot'] } });
    expect([...instances].map(({ key, decision }) => `${key} ${decision.is}`)).toEqual([
      'shot[round=1] run',
      'shot[round=2] maybe',
      'shot[round=3] maybe',
      'shot maybe',
      'big left_out',
    ]);
    const one = planOf(FILM, { selection: { steps: ['shot[round=2]'] } });
    expect(decisions(one).map(line => line.split(',')[0])).toEqual([
      'shot[round=1]: run',
      'shot[round=2]: maybe',
      'shot[round=3]: left_out',
      'shot: left_out',
      'big: left_out',
    ]);
  });
});

test('seeds go on from the author’s, beside those of takes', () => {
  const film = FILM.replace('duration: 5', 'duration: 5, seed: 7').replace('    with:', '    takes: 2\n    with:');
  const seeds = [
    ...planOf(film.replace('steps.shot.result_url', 'steps.shot[0].result_url').replace('out/shot', 'out/{take}'))
      .instances,
  ]
    .filter(({ round }) => round !== undefined)
    .map(({ key, request }) => `${key} ${request?.seed}`);
  expect(seeds).toEqual([
    'shot[take=1,round=1] 7',
    'shot[take=1,round=2] 10007',
    'shot[take=1,round=3] 20007',
    'shot[take=2,round=1] 8',
    'shot[take=2,round=2] 10008',
    'shot[take=2,round=3] 20008',
  ]);
});

describe('what is made already', () => {
  /** Owns the first rounds, which last so long. */
  const owning = (...seconds: readonly number[]) => {
    const owned = new Shelf();
    for (const [at, duration] of seconds.entries()) {
      const round = planOf(FILM, { owned }).instances.get(`shot[round=${at + 1}]` as never);
      if (!round) throw new Error('no such round');
      owned.put(round, media(round.key, { kind: 'video', duration, width: 1280, height: 720 }));
    }
    return planOf(FILM, { owned });
  };

  test('a round that does not hold: the next is certain, and the one behind it is still perhaps', () => {
    expect(decisions(owning(5)).slice(0, 4)).toEqual([
      'shot[round=1]: hit, unchanged',
      'shot[round=2]: run, never run',
      'shot[round=3]: maybe, round 3 of at most 3, if shot[round=2] does not hold',
      'shot: maybe, the first of at most 3 rounds that holds',
    ]);
  });

  test('one that holds is the result, and nothing behind it is needed', () => {
    const made = owning(5, 7);
    expect(decisions(made)).toEqual([
      'shot[round=1]: hit, unchanged',
      'shot[round=2]: hit, unchanged',
      'shot[round=3]: skip, an earlier round holds',
      'shot: hit, round 2 holds',
      'big: run, never run',
    ]);
    expect(made.totals).toMatchObject({ hit: 3, skip: 0, left_out: 1, run: 1, maybe: 0 });
    expect(made.instances.get('big' as never)?.request).toMatchObject({
      input_video: expect.stringContaining('round=2'),
    });
  });

  test('none holds: the step will fail, which is no mistake of the file, and nothing is paid for it', () => {
    const made = owning(5, 5, 5);
    expect(decisions(made).slice(3)).toEqual([
      'shot: run, it will fail: none of its 3 rounds holds; of the last, this.media.duration is 5',
      'big: maybe, waits for shot',
    ]);
    expect(made.totals.run).toBe(1);
  });
});

test('a file whose own step writes a list that another of its steps is made for cannot be made in rounds', () => {
  const { diagnostics } = compileProject({
    'film.yaml': `shotlist: 1
name: film
steps:
  hero: { uses: ./beats.yaml, with: { idea: "a \${{ has(previous.outputs) ? 'b' : 'a' }}" }, until: { holds: "\${{ size(this.outputs.stills) > 3 }}", max: 2 } }
`,
    'beats.yaml': `shotlist: 1
name: beats
params: { idea: { type: string } }
steps:
  script:
    model: C-D
    with: { prompt: "\${{ params.idea }}" }
    schema: { type: object, required: [beats], properties: { beats: { type: array, maxItems: 4, items: { type: string } } } }
  still: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 4, model: I-GEN-A, with: { prompt: "\${{ matrix.beat }}" } }
outputs: { stills: { from: "\${{ steps.still }}", to: "out/{beat}.webp" } }
`,
  });
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(/^list-in-round: step `still` of that file/),
  ]);
});
