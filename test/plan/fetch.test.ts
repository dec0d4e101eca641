import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { decisions, planOf, Shelf, shown } from './support.ts';

const FILM = `
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a red fox, duration: 5, resolution: 720P }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: forest }
  graded:
    run: [grade, "\${{ steps.framed.file }}"]
    creates: { film: film.mp4 }
`;
const key = (name: string) => name as InstanceKey;

/** A fresh clone: the lock is there, the store is not. */
function clone(...names: readonly string[]): Shelf {
  const shelf = new Shelf();
  shelf.make(planOf(FILM));
  for (const name of names) shelf.leaveAtService(key(name));
  return shelf;
}

test('what the service may still have is fetched, and nothing behind it is paid for', () => {
  expect(`\n${shown(FILM, { owned: clone('shot', 'framed') })}\n`).toBe(`
film  3 instances on studio, free: prices are list prices

fetch  shot                                                                owned
       fetched again from the studio; drawn again, free, if gone there

fetch  framed                                                              owned
       fetched again from the studio; drawn again, free, if gone there

hit    graded  unchanged                                                   owned

total         1 hit, 2 fetch: free
`);
});

test('two that were fetched are told apart by what they hold, not by where their bytes are', () => {
  const film = `${FILM}  other:
    run: [grade, "\${{ steps.shot.file }}", "\${{ steps.framed.file }}"]
`;
  const shelf = new Shelf();
  shelf.make(planOf(film));
  shelf.leaveAtService(key('shot'));
  shelf.leaveAtService(key('framed'));
  expect(decisions(planOf(film, { owned: shelf })).slice(2)).toStrictEqual([
    'graded: hit, unchanged',
    'other: hit, unchanged',
  ]);
});

test('a program reads the decision and what the total leaves out', () => {
  const json = planJson(planOf(FILM, { owned: clone('framed') }));
  expect(json.totals).toStrictEqual({
    instances: 3,
    hit: 2,
    fetch: 1,
    sent: 0,
    run: 0,
    maybe: 0,
    skip: 0,
    left_out: 0,
    open: 0,
    open_usd: 0,
    open_unpriced: 0,
    usd: 0,
    unpriced: 0,
    paid: 0,
    perhaps: 0,
  });
  expect((json.instances as unknown as { decision: string; price_usd: number }[])[1]).toMatchObject({
    decision: 'fetch',
    price_usd: 0,
  });
});

test('`cache: off` and a changed request make it anew', () => {
  const owned = clone('shot');
  expect(decisions(planOf(FILM.replace('red', 'grey'), { owned }))[0]).toBe('shot: run, prompt changed');
  const live = FILM.replace('model: V-T2V-A', 'model: V-T2V-A\n    cache: off');
  expect(decisions(planOf(live, { owned }))[0]).toBe('shot: run, cache is off');
});
