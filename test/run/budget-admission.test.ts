/** Budgets where they bind: in the one decision before money moves, over all runs, films and processes of one journal. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AppliedBudget, type Budget, type Demand, NO_DEMAND, UNKNOWN_DEMAND } from '../../src/domain/budget.ts';
import type { Event } from '../../src/domain/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/domain/key.ts';
import type { Result } from '../../src/domain/result.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { JournalBudgets } from '../../src/run/admission/journal-budgets.ts';
import { DEFAULT_LIMITS } from '../../src/run/limits.ts';
import { JOURNAL } from '../../src/run/local/journal-tables.ts';
import { LocalJournal } from '../../src/run/local/local-journal.ts';
import type { LockedCharge } from '../../src/run/requests/charge.ts';
import { FakeClock } from '../support/fake-clock.ts';

let clock: FakeClock;
let database: DatabaseSync;
const running = new Set<string>();
const never = new AbortController().signal;

beforeEach(() => {
  clock = new FakeClock();
  database = new DatabaseSync(':memory:');
  for (const table of JOURNAL.migrations) database.exec(String(table));
  running.clear();
});

const video = (usd: number, seconds = 5): Demand => ({ ...NO_DEMAND, usd, video_seconds: seconds, generations: 1 });
const ofFilm = (budget: Budget): AppliedBudget => ({ of: 'film', budget });
const ofProject = (budget: Budget): AppliedBudget => ({ of: 'project', budget });

let runs = 0;
/** One process that runs a film. */
function process(name: string, budgets: readonly AppliedBudget[], locked: readonly LockedCharge[] = []) {
  const journal = new LocalJournal({ database, film: name, clock });
  const run = `${name} ${++runs}` as RunId;
  const bounds = new JournalBudgets({ journal, account: 'a', budgets, locked: () => locked });
  const admission = new JournalAdmission({
    ...{ journal, clock, account: 'a', limits: DEFAULT_LIMITS, owned: () => undefined, budgets: bounds },
    isRunning: other => running.has(other),
  });
  const key = (fingerprint: string) => `shot ${fingerprint}` as InstanceKey;
  const record = async (event: Event) => {
    journal.append(run, journal.numbered(event));
    await journal.commit();
  };
  return {
    journal,
    admission,
    bounds,
    spent: () => admission.budget().map(({ spent, in_flight }) => [spent, in_flight]),
    ask: (fingerprint: string, demand: Demand) =>
      admission.admit(
        {
          ...{ key: key(fingerprint), fingerprint, model: 'm', demand, shared: true },
          intend: () => {
            const nonce = `${run} ${fingerprint}`;
            const work = { key: key(fingerprint), nonce, fingerprint, model: 'm', request: {}, price: demand.usd };
            journal.append(run, journal.numbered({ type: 'submit_intended', ...work, demand, account: 'a' }));
            return nonce;
          },
        },
        never,
      ),
    record: (fingerprint: string, event: { readonly type: Event['type']; readonly [name: string]: unknown }) =>
      record({ key: key(fingerprint), nonce: `${run} ${fingerprint}`, fingerprint, ...event } as Event),
    accepted: (fingerprint: string, id = `gen ${fingerprint}`) =>
      record({
        ...{ type: 'submit_accepted', key: key(fingerprint), nonce: `${run} ${fingerprint}` },
        ...{ generation_id: id as GenerationId, found: false },
      }),
    made: (fingerprint: string, cost: number | null, seconds = 5) =>
      record({
        ...{ type: 'succeeded', key: key(fingerprint), fingerprint },
        result: madeResult(fingerprint, cost, seconds),
      }),
  };
}

const madeResult = (fingerprint: string, cost: number | null, duration: number): Result => ({
  ...{ is: 'media', result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 },
  ...{ generation_id: `gen ${fingerprint}` as GenerationId, request: {}, cost, media: { kind: 'video', duration } },
});

const OVER = { is: 'over_budget' } as const;

describe('a film', () => {
  test('sends what fits, and holds back what does not; a cheaper one goes', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    expect(await fox.ask('a', video(0.7))).toMatchObject({ is: 'go' });
    await fox.accepted('a');
    await fox.made('a', 0.7);
    expect(await fox.ask('b', video(0.4))).toMatchObject({
      ...OVER,
      stop: { of: 'film', measure: 'usd', why: 'exceeds', limit: 1, spent: 0.7, in_flight: 0, next: 0.4 },
    });
    expect(await fox.ask('c', video(0.3))).toMatchObject({ is: 'go' });
    expect(fox.spent()).toEqual([[0.7, 0.3]]);
  });

  test('has spent what its earlier runs have, killed or not', async () => {
    await process('fox', [ofFilm({ usd: 1 })]).ask('a', video(0.7));
    // It was killed between the intent and the answer: nobody knows whether it was taken.
    const again = process('fox', [ofFilm({ usd: 1 })]);
    expect(again.spent()).toEqual([[0, 0.7]]);
    expect(await again.ask('b', video(0.4))).toMatchObject(OVER);
  });

  test('counts a lost answer in full, until it is proven absent', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.7));
    await fox.record('a', { type: 'submit_unknown', reason: 'cut off' });
    await fox.record('a', { type: 'failed', failure: { code: 'submit_unknown', message: 'nobody can tell' } });
    expect(await fox.ask('b', video(0.4))).toMatchObject(OVER);
    await fox.record('a', { type: 'submit_absent', reason: 'the whole history does not have it' });
    expect(fox.spent()).toEqual([[0, 0]]);
    expect(await fox.ask('b', video(0.4))).toMatchObject({ is: 'go' });
  });

  test('counts both where a lost one is sent again without proof, and one that was given up', async () => {
    const fox = process('fox', [ofFilm({ usd: 3 })]);
    await fox.ask('a', video(0.7));
    await fox.record('a', { type: 'submit_unknown', reason: 'cut off' });
    await fox.record('a', { type: 'submit_absent', reason: 'asked for', asked: true });
    expect(fox.spent()).toEqual([[0.7, 0]]);
    await fox.ask('b', video(0.4));
    await fox.record('b', { type: 'submission_forgotten' });
    expect(fox.spent()).toEqual([[1.1, 0]]);
  });

  test('counts nothing of what was refused', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.7));
    await fox.record('a', { type: 'submit_refused', reason: 'no', retry_at: null });
    expect(fox.spent()).toEqual([[0, 0]]);
  });

  test('counts a failed one in full, until the service tells what it billed', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.7));
    await fox.accepted('a');
    const failure = { code: 'generation_failed', generation_id: 'gen a', message: 'refused' };
    await fox.record('a', { type: 'failed', failure });
    expect(fox.spent()).toEqual([[0.7, 0]]);
    await fox.record('a', { type: 'billed', generation_id: 'gen a', cost: 0, estimate: null });
    expect(fox.spent()).toEqual([[0, 0]]);
  });

  test('sends nothing more where the service billed more than it was expected to', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.7));
    await fox.accepted('a');
    await fox.made('a', 0.7);
    await fox.record('a', { type: 'billed', generation_id: 'gen a', cost: 1.4, estimate: 0.7 });
    expect(fox.spent()).toEqual([[1.4, 0]]);
    expect(await fox.ask('b', video(0.01))).toMatchObject({ ...OVER, stop: { spent: 1.4 } });
  });

  test('counts what a result really came to: a shorter video leaves room', async () => {
    const fox = process('fox', [ofFilm({ video_seconds: 40 })]);
    await fox.ask('a', video(3, 30));
    await fox.accepted('a');
    await fox.made('a', 0.8, 8);
    expect(fox.spent()).toEqual([[8, 0]]);
    expect(await fox.ask('b', video(3, 30))).toMatchObject({ is: 'go' });
  });

  test('waits while something of its own is in flight that may turn out to be less, and is told when it does not', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.9));
    await fox.accepted('a');
    const next = fox.ask('b', video(0.8));
    await clock.asleep();
    await fox.made('a', 0.1);
    await clock.advance(1_000);
    expect(await next).toMatchObject({ is: 'go' });
    const last = fox.ask('c', video(0.5));
    await clock.asleep();
    await fox.accepted('b');
    await fox.made('b', 0.8);
    await clock.advance(1_000);
    expect(await last).toMatchObject({ ...OVER, stop: { spent: 0.9 } });
  });

  test('waits for nothing where it would not fit either way', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.5));
    expect(await fox.ask('b', video(1.5))).toMatchObject(OVER);
  });

  test('is not misled by a clock that goes back', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    await fox.ask('a', video(0.7));
    clock = new FakeClock(clock.now() - 86_400_000);
    const again = process('fox', [ofFilm({ usd: 1 })]);
    expect(await again.ask('b', video(0.4))).toMatchObject(OVER);
  });

  test('needs leave for what has no price, also to bring a model up', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })]);
    expect(await fox.ask('a', UNKNOWN_DEMAND)).toMatchObject({ ...OVER, stop: { why: 'unpriced' } });
    expect(await fox.admission.stopsActivation()).toMatchObject({ why: 'unpriced', measure: 'usd' });
    const allowing = process('fox', [ofFilm({ usd: 1, unpriced: 'allow' })]);
    expect(await allowing.admission.stopsActivation()).toBeUndefined();
    expect(await allowing.ask('a', UNKNOWN_DEMAND)).toMatchObject({ is: 'go' });
    expect(await process('fox', [ofFilm({ images: 1 })]).admission.stopsActivation()).toBeUndefined();
  });

  test('pays nothing for what another film of the project has sent', async () => {
    running.add('owl');
    const owl = process('owl', []);
    await owl.ask('a', video(0.7));
    running.delete('owl');
    const fox = process('fox', [ofFilm({ usd: 0.1 })]);
    expect(await fox.ask('a', video(0.7))).toMatchObject({ is: 'mine' });
    expect(fox.spent()).toEqual([[0, 0]]);
    // It stays the expense of the film that sent it.
    expect(process('owl', [ofFilm({ usd: 1 })]).spent()).toEqual([[0, 0.7]]);
  });
});

test('two processes at once on one journal never both pass: each sees what the other has sent', async () => {
  running.add('fox').add('owl');
  const both = [process('fox', [ofProject({ usd: 1 })]), process('owl', [ofProject({ usd: 1 })])] as const;
  const answers = await Promise.all([both[0].ask('a', video(0.7)), both[1].ask('b', video(0.7))]);
  expect(answers.map(({ is }) => is).sort()).toEqual(['go', 'over_budget']);
});

test('what one run alone may spend begins with it', async () => {
  await process('fox', []).ask('a', video(5));
  const fox = process('fox', [{ of: 'run', budget: { usd: 1 } }]);
  expect(fox.spent()).toEqual([[0, 0]]);
  expect(await fox.ask('b', video(0.7))).toMatchObject({ is: 'go' });
  await fox.accepted('b');
  await fox.made('b', 0.7);
  expect(await fox.ask('c', video(0.7))).toMatchObject({ ...OVER, stop: { of: 'run', limit: 1, spent: 0.7 } });
});

describe('what the lock names', () => {
  const locked = (generation: string | null, fingerprint: string, usd: number | null): LockedCharge => ({
    ...{ generation, fingerprint },
    charge: { ...video(0), usd, isOpen: false },
  });

  test('was spent, though this machine knows nothing of it', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })], [locked('gen x', 'x', 0.6), locked(null, 'y', 0.3)]);
    expect(fox.spent()).toEqual([[0.9, 0]]);
    expect(await fox.ask('a', video(0.2))).toMatchObject({ ...OVER, stop: { spent: 0.9 } });
  });

  test('is counted once: by its generation, or by what was asked', async () => {
    const first = process('fox', []);
    await first.ask('x', video(0.6));
    await first.accepted('x');
    await first.made('x', 0.6);
    const fox = process('fox', [ofFilm({ usd: 1 })], [locked('gen x', 'x', 0.6), locked('gen x', 'x', 0.6)]);
    expect(fox.spent()).toEqual([[0.6, 0]]);
  });

  test('stays spent when it names something else in its place, and is no expense of the run that keeps it', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 }), { of: 'run', budget: { usd: 1 } }], [locked('gen x', 'x', 0.6)]);
    expect(await fox.ask('a', video(0.3))).toMatchObject({ is: 'go' });
    expect(fox.spent()).toEqual([
      [0.6, 0.3],
      [0, 0.3],
    ]);
    expect(process('fox', [ofFilm({ usd: 1 })]).spent()).toEqual([[0.6, 0.3]]);
  });

  test('without a cost is nothing that anybody could count', async () => {
    const fox = process('fox', [ofFilm({ usd: 1 })], [locked('gen x', 'x', null)]);
    expect(await fox.ask('a', video(0.3))).toMatchObject({ ...OVER, stop: { why: 'unpriced_before', unknown: 1 } });
  });
});

test('a journal from before there were budgets tells what was spent by its prices and its results', async () => {
  database = new DatabaseSync(':memory:');
  const budgets = JOURNAL.migrations.findIndex(one => String(one).includes('CREATE TABLE charge'));
  for (const table of JOURNAL.migrations.slice(0, budgets)) database.exec(String(table));
  const put = (nonce: string, state: string, ending: string | null, id: string | null, body: object) =>
    database
      .prepare('INSERT INTO submission VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        nonce,
        'fox',
        nonce,
        'a',
        'm',
        state,
        ending,
        id,
        1,
        JSON.stringify({ nonce, key: 'shot', fingerprint: nonce, model: 'm', request: {}, at: 1, state, ...body }),
      );
  put('made', 'closed', 'made', 'gen made', { price: 0.5 });
  put('open', 'accepted', null, 'gen open', { price: 0.25 });
  put('refused', 'closed', 'refused', null, { price: 8 });
  put('absent', 'closed', 'absent', null, { price: 8 });
  put('failed', 'closed', 'failed', 'gen failed', { price: 0.125 });
  const event = (type: string, fingerprint: string, body: object) =>
    database
      .prepare('INSERT INTO event (film, run, seq, at, type, key, fingerprint, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run('fox', 'r', 1, 1, type, 'shot', fingerprint, JSON.stringify({ type, ...body }));
  event('succeeded', 'made', { result: madeResult('made', 0.5, 6) });
  event('billed', 'made', { generation_id: 'gen made', cost: 0.75 });
  event('succeeded', 'damaged', {});
  database.prepare("UPDATE event SET body = '{' WHERE fingerprint = 'damaged'").run();
  for (const table of JOURNAL.migrations.slice(budgets)) database.exec(String(table));
  const fox = process('fox', [ofFilm({ usd: 9, video_seconds: 9, unpriced: 'allow' })]);
  expect(fox.admission.budget()).toMatchObject([
    { measure: 'usd', spent: 0.875, in_flight: 0.25 },
    { measure: 'video_seconds', spent: 6, in_flight: 0, unknown: 2 },
  ]);
});

test('a chat whose answer did not fit has spent both calls, and each once', async () => {
  const chat: Demand = { ...NO_DEMAND, usd: 0.5, tokens: 1_000, generations: 1, atMost: ['usd', 'tokens'] };
  const fox = process('fox', [ofFilm({ usd: 9, tokens: 9_999, generations: 9 })]);
  await fox.ask('a', chat);
  await fox.record('a', { type: 'answer_unfit', reason: 'no JSON', cost: 0.125, tokens: 300 });
  expect(fox.spent()).toEqual([
    [0.125, 0],
    [1, 0],
    [300, 0],
  ]);
});
