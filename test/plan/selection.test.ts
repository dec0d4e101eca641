/** Which part of a film is planned, and what is told of the rest. */
import { describe, expect, test } from 'vitest';
import type { Instance } from '../../src/model/plan.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Selection } from '../../src/model/selector.ts';
import { leavingOut } from '../../src/plan/owned/left-out.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { compiled, decisions, planned, planOf, Shelf, shown } from './support.ts';

const FILM = `
steps:
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "beat \${{ matrix.beat }}" } }
  shot:
    each: "\${{ steps.still }}"
    takes: 2
    model: V-I2V-A
    with: { prompt: it moves, input_image: "\${{ each.result_url }}" }
  reel: { run: [ echo, "\${{ string(size(steps.shot)) }}" ] }
  music: { run: [ echo, la ] }
  film: { needs: [reel, music], run: [ echo, done ] }
`;

/** What of the film is made, in the order of the plan. */
const made = (selection: Partial<Selection>, owned = new Shelf(), film = FILM) =>
  [...planOf(film, { selection, owned }).instances]
    .filter(({ decision }) => decision.is !== 'left_out')
    .map(({ key }) => key);
const mistakes = (selection: Partial<Selection>, owned = new Shelf(), film = FILM) =>
  planned(film, { selection, owned }).unselectable;

describe('what is selected', () => {
  test('without a selection it is all of the film', () => {
    expect(made({})).toHaveLength(9);
  });

  test('a step comes with all that it needs, and nothing behind it', () => {
    expect(made({ steps: ['shot'] })).toEqual([
      ...['still[beat=1]', 'still[beat=2]'],
      ...['shot[beat=1,take=1]', 'shot[beat=1,take=2]', 'shot[beat=2,take=1]', 'shot[beat=2,take=2]'],
    ]);
  });

  test('an instance comes with the instances that it needs', () => {
    expect(made({ steps: ['shot[beat=2,take=1]'] })).toEqual(['still[beat=2]', 'shot[beat=2,take=1]']);
    expect(made({ steps: ['shot[beat=2]', 'music'] })).toEqual([
      ...['still[beat=2]', 'shot[beat=2,take=1]', 'shot[beat=2,take=2]', 'music'],
    ]);
  });

  test('a list that lacks a part is not made of the rest', () => {
    expect(decisions(planOf(FILM, { selection: { exclude: ['still[beat=1]'] } }))).toEqual([
      'still[beat=1]: left_out, excluded',
      'still[beat=2]: run, never run',
      'shot[beat=1,take=1]: left_out, needs still[beat=1], which is left out',
      'shot[beat=1,take=2]: left_out, needs still[beat=1], which is left out',
      'shot[beat=2,take=1]: maybe, waits for still[beat=2]',
      'shot[beat=2,take=2]: maybe, waits for still[beat=2]',
      'reel: left_out, needs shot[beat=1,take=1], which is left out',
      'music: run, never run',
      'film: left_out, needs reel, which is left out',
    ]);
  });

  test('from a step: all behind it, with what that needs', () => {
    expect(made({ from: ['reel'] })).toHaveLength(9);
    expect(made({ from: ['music'], exclude: ['film'] })).toEqual(['music']);
    expect(made({ from: ['film'], exclude: ['shot'] })).toEqual(['music']);
  });

  test('until a step: all before it; from and until: what lies between, and what that needs', () => {
    expect(made({ until: ['reel'] })).not.toContain('music');
    expect(made({ until: ['reel'] })).toContain('reel');
    expect(made({ from: ['still[beat=1]'], until: ['shot[take=1]'] })).toEqual([
      'still[beat=1]',
      'shot[beat=1,take=1]',
    ]);
  });

  test('only these: what they need must be here', () => {
    const owned = new Shelf();
    expect(mistakes({ only: ['shot[beat=1,take=1]'] })).toEqual([
      "shot[beat=1,take=1] needs still[beat=1], which is not here yet; without --only, 'shot[beat=1,take=1]' is made with all that it needs",
    ]);
    owned.make(planOf(FILM, { owned }), { owned });
    const other = FILM.replace('it moves', 'it flies');
    expect(made({ only: ['shot[beat=1,take=1]'] }, owned, other)).toEqual([
      ...['still[beat=1]', 'still[beat=2]', 'shot[beat=1,take=1]', 'reel', 'music', 'film'],
    ]);
  });

  test('what is owned is no concern of a selection', () => {
    const owned = new Shelf();
    owned.make(planOf(FILM, { owned }), { owned });
    expect(planOf(FILM, { owned, selection: { steps: ['music'], exclude: ['still'] } }).totals).toMatchObject({
      ...{ hit: 9, left_out: 0 },
    });
  });
});

describe('what is told', () => {
  test('in the text: what is left out, why, and no price, no path, no film of it', () => {
    const film = `${FILM}outputs:\n  film: { from: "\${{ steps.shot }}", to: "out/{beat}-{take}.mp4" }\n`;
    expect(
      shown(film, { selection: { steps: ['music'] } }),
    ).toBe(`film  9 instances on studio, free: prices are list prices

out    still × 2  not selected
out    shot × 4 (2 × 2)  not selected
out    reel  not selected

run    music  never run                                                     free
       command · run [echo, la]

out    film  not selected

longest path  about 5.0s: music
total         1 run, 8 left out: free`);
  });

  test('as JSON', () => {
    const json = planJson(planOf(FILM, { selection: { steps: ['music'] } }));
    expect(json.totals).toMatchObject({ instances: 9, run: 1, left_out: 8, usd: 0, unpriced: 0 });
    expect(json.critical_path).toMatchObject({ keys: ['music'] });
    expect((json.instances as { key: string }[])[0]).toMatchObject({
      ...{ key: 'still[beat=1]', decision: 'left_out', why: 'not selected', price_usd: 0 },
    });
  });
});

describe('a selector that picks nothing', () => {
  test('names the nearest right one, as a shell takes it', () => {
    expect(mistakes({ steps: ['shto', 'shot[beat=9]', 'shot['], exclude: ['nothing_like_it'] })).toEqual([
      'there is no step `nothing_like_it`; there are still, shot, reel, music and film',
      'there is no step `shto`; did you mean shot?',
      "'shot[beat=9]' matches no instance; there are shot[beat=1,take=1], shot[beat=1,take=2], shot[beat=2,take=1] and shot[beat=2,take=2]",
      "'shot[' is not written like a selector; write a step, `shot`, or instances of it, 'shot[beat=1,take=1]'",
    ]);
  });

  test('a step that has no instances today is no mistake, and one of its instances is', () => {
    const film = `${FILM}  none: { matrix: { x: "\${{ steps.off.json.list }}" }, max: 3, run: [ echo ] }\n  off: { if: false, run: [ echo ] }\n`;
    expect(made({ steps: ['none'] }, new Shelf(), film)).toEqual(['off']);
    expect(mistakes({ steps: ['none[x=1]'] }, new Shelf(), film)).toEqual([
      '`none` has no instances: the step that writes its list is skipped',
    ]);
  });

  test('what is to be made again must be selected', () => {
    expect(mistakes({ steps: ['music'], redo: ['shot[beat=1,take=1]'] })).toEqual([
      'shot[beat=1,take=1] would be made again, and is no part of what is selected; select it as well',
    ]);
  });
});

describe('what somebody does without', () => {
  /** `reel` has chosen: it needs the first take of each beat alone. */
  const settled = (one: Instance): Instance =>
    one.key === 'reel'
      ? {
          ...one,
          excludes: {
            instances: ['shot[beat=1,take=2]', 'shot[beat=2,take=1]', 'shot[beat=2,take=2]'] as InstanceKey[],
            why: 'lost the pick reel',
          },
        }
      : one;
  const leftOut = (selection?: Selection, outputs: readonly string[] = []) => {
    const instances = [...planOf(FILM).instances].map(settled);
    const asked = outputs.map(key => ({ name: 'o', instance: key as InstanceKey, path: `out/${key}` }));
    return Object.fromEntries(leavingOut(instances, { outputs: asked, pipeline: compiled(FILM) }, selection).leftOut);
  };
  const none = { steps: [], only: [], from: [], until: [], exclude: [], redo: [] };

  test('is not made, and neither is what would be made for it alone', () => {
    expect(leftOut()).toEqual({
      'still[beat=2]': 'lost the pick reel',
      'shot[beat=1,take=2]': 'lost the pick reel',
      'shot[beat=2,take=1]': 'lost the pick reel',
      'shot[beat=2,take=2]': 'lost the pick reel',
    });
  });

  test('is made where it is an output, or is named', () => {
    expect(Object.keys(leftOut(undefined, ['shot[beat=2,take=1]']))).toEqual([
      ...['shot[beat=1,take=2]', 'shot[beat=2,take=2]'],
    ]);
    expect(leftOut({ ...none, steps: ['shot[beat=2]', 'film'] })).toEqual({
      'shot[beat=1,take=2]': 'lost the pick reel',
    });
  });

  test('is not selected by what needs it no more', () => {
    expect(leftOut({ ...none, steps: ['film'] })).toMatchObject({ 'shot[beat=2,take=2]': 'lost the pick reel' });
    expect(Object.keys(leftOut({ ...none, from: ['still'] }))).toEqual([
      ...['still[beat=2]', 'shot[beat=1,take=2]', 'shot[beat=2,take=1]', 'shot[beat=2,take=2]'],
    ]);
  });
});
