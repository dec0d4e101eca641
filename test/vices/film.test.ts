/**
 * One film, shot on a day of each vice that a service can have, through the real client and at the real studio; and once more when that
 * day is over. Whatever the service did: nothing is taken twice, nothing that was taken is lost, and the film is the same to the byte.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { HistoryRow } from '../../src/api/queue.ts';
import { connect } from '../../src/client/connect.ts';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { type Clock, systemClock } from '../../src/machine/time/clock.ts';
import { verifyMedia } from '../../src/media/decode/verify.ts';
import type { Failure } from '../../src/model/run/failure.ts';
import { download } from '../../src/records/store/download.ts';
import type { Store } from '../../src/records/store/store.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import type { FetchResult } from '../../src/run/local/local-executor.ts';
import { serveStudio } from '../../src/studio/service/serve.ts';
import { VICES, type ViceName } from '../../src/studio/service/vices/vice-table.ts';
import { RunRig, type StartedRun } from '../run/rig.ts';
import { readyRenderer } from '../support/ready-renderer.ts';

const FILM = `
shotlist: 1
name: days
steps:
  shot:
    matrix: { copy: [1, 2] }
    model: V-T2V-A
    with: { prompt: a fox crosses a river, duration: 5, resolution: 720P }
  tall:
    each: \${{ steps.shot }}
    model: V-RF
    with:
      input_video: \${{ each.result_url }}
      aspect_ratio: "9:16"
      prompt: snow falls on the river
  still:
    model: I-GEN-A
    with: { prompt: a hare sleeps under a tree }
  tuned:
    tokenize: { repository: film-house/looks, fine_tune: ft-harbour }
    timeout: 5m
`;
const KEY = 'a-key-of-this-house';

/** How a run may end on such a day. A new vice has to say. */
interface Day {
  /** Another number than the usual one: on this day it happens for certain, or to a film as short as this. */
  readonly value?: number;
  /** Until which the fine-tune is waited for; absent: the film's own. */
  readonly timeout?: string;
  readonly ends: readonly Outcome['is'][];
  /** Where it fails. */
  readonly with?: readonly Failure['code'][];
  /** Answers are lost, and told as lost. */
  readonly loses?: true;
  /** What never arrived may stay lost for good: nobody can tell, and a person has to say. */
  readonly mayStayLost?: true;
}
const LIVES: Day = { ends: ['done'] };
/** Answers are lost, and this history is no proof; a good one is. */
const MAY_NOT_TELL: Day = { ends: ['done', 'failed'], with: ['submit_unknown'] };
const FINDS_ALL: Day = { value: 1, ends: ['done'], loses: true };
const NOT_BROUGHT_HOME: Day = { value: 1, ends: ['failed'], with: ['download_failed'] };

const DAYS: Readonly<Record<ViceName, Day>> = {
  // No answer is lost on these: nobody looks into the history but for what it really cost.
  'history-truncates': { ...LIVES, value: 1 },
  'history-omits-fields': LIVES,
  'history-rewrites': LIVES,
  'history-lags': LIVES,
  'history-relabels': LIVES,
  'history-without-totals': LIVES,
  'history-empty': LIVES,
  'history-fails-a-page': LIVES,
  'answers-late': { ...MAY_NOT_TELL, loses: true },
  'answers-408': FINDS_ALL,
  'answers-502': FINDS_ALL,
  'answers-504': FINDS_ALL,
  'drops-answers': FINDS_ALL,
  forgets: LIVES,
  'forgets-for-good': { value: 1, ends: ['failed'], with: ['generation_lost'] },
  'status-goes-back': LIVES,
  'status-unknown': LIVES,
  'ids-repeat': FINDS_ALL,
  'events-for-others': LIVES,
  'events-garbage': LIVES,
  'events-silent': LIVES,
  'results-expire': LIVES,
  'results-gone': NOT_BROUGHT_HOME,
  'results-lie': NOT_BROUGHT_HOME,
  'results-short': NOT_BROUGHT_HOME,
  'results-empty': NOT_BROUGHT_HOME,
  'succeeds-without-url': LIVES,
  'tunes-stall': { timeout: '1m', ends: ['failed'], with: ['timed_out'] },
  'tunes-unreadable': LIVES,
  'tunes-forgotten': LIVES,
  'tunes-go-back': LIVES,
  busy: LIVES,
  'busy-without-retry-after': LIVES,
  'busy-retry-after-zero': LIVES,
  'key-refused': { ends: ['done', 'unreachable'] },
  redirects: { ...MAY_NOT_TELL, mayStayLost: true },
  'echoes-the-key': LIVES,
};

/** With every answer lost besides: what the history makes of it then. */
const LOST_TOO: Readonly<Partial<Record<ViceName, Day>>> = {
  'history-truncates': { ...MAY_NOT_TELL, value: 1 },
  'history-omits-fields': MAY_NOT_TELL,
  'history-rewrites': MAY_NOT_TELL,
  'history-lags': MAY_NOT_TELL,
  'history-relabels': MAY_NOT_TELL,
  'history-without-totals': MAY_NOT_TELL,
  'history-empty': { ends: ['failed'], with: ['submit_unknown'] },
  'history-fails-a-page': { ends: ['done', 'unreachable'] },
};

const PRICES: RunRig['pricing'] = new Map([
  ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
  ['V-RF', { method: 'per_video_output_second', cost_per_second: 0.25 }],
  ['I-GEN-A', { method: 'per_image', cost_per_image: 0.5 }],
]);

/** A minute is three seconds. */
const HURRY = 20;
const began = systemClock.now();
const clock: Clock = {
  now: () => began + (systemClock.now() - began) * HURRY,
  sleep: (ms, signal, where) => systemClock.sleep(ms / HURRY, signal, where),
};

const renderer = readyRenderer();
/** The film of a good day: digests by instance. */
let honest: Readonly<Record<string, string>>;
beforeAll(async () => {
  await using house = await opened([]);
  const { outcome } = await house.start();
  expect(outcome.is).toBe('done');
  honest = digests(outcome);
});

const digests = ({ results }: Outcome): Readonly<Record<string, string>> =>
  Object.fromEntries([...results].map(([key, { result }]) => [key, result.is === 'media' ? result.sha256 : result.is]));
const ids = ({ results }: Outcome): readonly string[] => [
  ...new Set(
    [...results.values()].flatMap(({ result }) => (result.is === 'media' ? [result.generation_id ?? 'no id'] : [])),
  ),
];

/** A studio and a rig; the same state and the same address with other vices, when it opens anew. */
async function opened(vices: readonly string[], seed = 1) {
  const rig = new RunRig();
  const folder = mkdtempSync(join(tmpdir(), 'studio-of-vices-'));
  const serve = (vices: readonly string[], port = 0) =>
    serveStudio({ folder, key: KEY, speed: 'draft', workers: 3, vices, seed, clock, renderer, port });
  let studio = await serve(vices);
  let closeClient: () => Promise<void> = async () => {};
  const call = async () => {
    await closeClient();
    const client = connect({ name: 'house', baseUrl: studio.url, key: KEY, clock });
    closeClient = client.close;
    Object.assign(rig.service, client);
    return client;
  };
  rig.settings = {
    proof: { settled: 4_000, settledBehindGateway: 8_000, apart: 1_000, witnessAfter: 8_000, trusted: false },
    pace: { slow: 10_000, least: 500 },
  };
  const fetchResults =
    (store: Store): FetchResult =>
    (url, id, signal, kind) => {
      const check = kind && ((path: string) => verifyMedia(path, kind));
      return download(url, { store, id, allow: guardFor(studio.url), clock, signal, check });
    };
  rig.live = { clock, fetchResults };
  rig.pricing = PRICES;
  return {
    async start(timeout = '5m'): Promise<{ readonly film: StartedRun; readonly outcome: Outcome }> {
      await call();
      const film = await rig.start(FILM.replace('5m', timeout));
      return { film, outcome: await film.done };
    },
    /** The day is over: what it was told late comes to its end, and from now on it is honest. */
    async mendItsWays(): Promise<void> {
      const port = Number(new URL(studio.url).port);
      await clock.sleep(5_000);
      await studio.close();
      studio = await serve([], port);
    },
    /** What the last run has sent and not brought home. */
    open: () => rig.journal.views.ledger.open,
    /** All that it has ever taken. */
    async taken(): Promise<readonly HistoryRow[]> {
      const answer = await (await call()).history(new AbortController().signal);
      if (answer.is !== 'ok') throw new Error(`an honest history says ${answer.is}`);
      return answer.value;
    },
    async [Symbol.asyncDispose]() {
      await closeClient();
      await studio.close();
      await rig.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const failures = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'failed' ? [event.failure.code] : []));
const perhaps = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'run_finished' ? [event.perhaps] : []))[0];

async function livesThrough(vices: readonly string[], day: Day): Promise<void> {
  await using house = await opened(vices);
  const first = await house.start(day.timeout);
  expect(day.ends).toContain(first.outcome.is);
  expect(day.with ?? []).toEqual(expect.arrayContaining([...new Set(failures(first.film))]));
  if (day.loses) expect(first.film.events.map(({ type }) => type)).toContain('submit_unknown');
  expect(JSON.stringify(first.film.events)).not.toContain(KEY);

  await house.mendItsWays();
  const taken = await house.taken();
  const asked = taken.map(({ model_name, prompt }) => `${model_name} ${prompt}`);
  expect(asked.toSorted()).toEqual([...new Set(asked)].sort());
  // What was taken is owned, or open with its id, or told as perhaps spent, at its price.
  const open = house.open();
  const lost = open.filter(({ id }) => id === undefined);
  const known = new Set([...ids(first.outcome), ...open.flatMap(({ id }) => id ?? [])]);
  expect(taken.filter(({ generation_id }) => !known.has(generation_id)).length).toBeLessThanOrEqual(lost.length);
  const usd = lost.reduce((sum, { price }) => sum + (price ?? Number.NaN), 0);
  expect(perhaps(first.film)).toEqual(lost.length === 0 ? undefined : { requests: lost.length, usd });

  const second = await house.start();
  if (day.mayStayLost && second.outcome.is === 'failed') {
    expect(new Set(failures(second.film))).toEqual(new Set(['submit_unknown']));
    expect(perhaps(second.film)?.requests).toBeGreaterThan(0);
    return;
  }
  expect(second.outcome.is).toBe('done');
  expect(digests(second.outcome)).toEqual(honest);
  // Each of the three was taken once, and each that was taken is owned.
  const rows = await house.taken();
  expect(rows).toHaveLength(3);
  expect(ids(second.outcome).toSorted()).toEqual(rows.map(row => row.generation_id).toSorted());
}

const named = (name: string, { value }: Day) => (value === undefined ? name : `${name}=${value}`);

test.concurrent.each(Object.entries(DAYS))('%s', (name, day) => livesThrough([named(name, day)], day));

test.concurrent.each(Object.entries(LOST_TOO))('%s, and answers are lost', (name, day) =>
  livesThrough([named(name, day), 'drops-answers=0.7'], { ...day, loses: true }),
);

test('every vice of the studio has its day', () => {
  expect(Object.keys(DAYS).toSorted()).toEqual(Object.keys(VICES).toSorted());
});
