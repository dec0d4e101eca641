/** What a team lets its key do: at once, in a second, in a day; and who is served when films wait for one another. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AppliedBudget, type Demand, NO_DEMAND } from '../../src/model/budget.ts';
import type { Event } from '../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import { budgetStopText } from '../../src/plan/cost/budget-text.ts';
import { JournalBudgets } from '../../src/run/admission/journal-budgets.ts';
import { waitForPlace } from '../../src/run/admission/service-places.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { admitted } from '../support/admitted.ts';
import { admissionOf, databaseForTests, MANY, TeamWorld } from './team-world.ts';

const database = databaseForTests();
let world: TeamWorld;
beforeEach(async () => {
  world = await TeamWorld.open(database());
});
afterEach(() => world.close());

const usd = (price: number): Demand => ({ ...NO_DEMAND, usd: price, generations: 1 });

async function allow(limits: {
  readonly in_flight?: number;
  readonly per_second?: number;
  readonly usd_per_day?: number;
}) {
  const { in_flight: inFlight = null, per_second: perSecond = null, usd_per_day: perDay = null } = limits;
  await world.team.query(
    "INSERT INTO service_limit (account, name, in_flight, per_second, usd_per_day) VALUES ('house', 'house', $1, $2, $3)",
    [...[inFlight, perSecond, perDay]],
  );
}

/** A film and what goes of it, in order. */
async function film(name: string, budgets: readonly AppliedBudget[] = []) {
  const { journal, run } = await world.lead(name);
  const admission = admissionOf({ journal }, world.clock, {
    budgets: new JournalBudgets({ journal, account: 'house', budgets, locked: () => [] }),
  });
  const stop = new AbortController();
  const record = async (event: Event) => {
    journal.append(run as RunId, [event]);
    await journal.durable();
  };
  return {
    ...{ name, run, admission, record },
    stop: () => stop.abort(),
    ask: async (request: string, { model = 'm', demand = usd(1) } = {}) => {
      const [key, nonce] = [request as InstanceKey, `${name} ${request}`];
      const asked = { key, nonce, fingerprint: nonce, model, demand };
      const intend = () => {
        const event = { type: 'submit_intended', ...asked, request: {}, price: demand.usd, account: 'house' } as const;
        journal.append(run as RunId, [event]);
        return nonce;
      };
      const answer = await admitted(admission, { ...asked, shared: true, intend }, stop.signal);
      if (answer.is === 'go') served.push(nonce);
      return answer;
    },
    ends: async (request: string) => {
      const [key, nonce] = [request as InstanceKey, `${name} ${request}`];
      const generation_id = `gen ${nonce}` as GenerationId;
      await record({ type: 'submit_accepted', key, nonce, generation_id, found: false });
      await record({ type: 'failed', key, failure: { code: 'generation_failed', generation_id, message: 'no' } });
    },
  };
}
let served: string[] = [];
beforeEach(() => {
  served = [];
});

/** Time moves, and whoever waits asks, until so many are served. */
async function untilServed(many: number): Promise<void> {
  while (served.length < many) await secondPasses();
}

async function minutePasses(): Promise<void> {
  for (let n = 0; n < 60; n++) await secondPasses();
}

async function secondPasses(): Promise<void> {
  await world.passes(1_000);
  await new Promise(resolve => setTimeout(resolve, 15));
}
const names = (from: number) => served.slice(from).map(nonce => nonce.split(' ')[0]);

describe('places', () => {
  test('are asked for again within a minute, however many are ahead', () => {
    const others = Array.from({ length: 300 }, (_, n) => {
      return { film: `film ${n}`, model: 'm', since: n, underWay: { all: 0, ofModel: 0 } };
    });
    const line = { others, since: () => 1_000, join: () => {}, quit: () => {}, leave: () => {} };
    const asked = {
      model: 'm',
      now: 0,
      allowed: undefined,
      line,
      mine: new Map(),
      theirs: new Map([['m', 2]]),
      recent: [],
    };
    expect(waitForPlace({ ...asked, limits: { ...MANY, per_model: 2 } })).toEqual({ behind: 301, ms: 60_000 });
  });

  test('that are freed go to the film with the fewest, and not to the one with the longest list', async () => {
    await allow({ in_flight: 4 });
    const [big, small] = [await film('big'), await film('small')];
    const all = [...Array(20).keys()].map(n => big.ask(`r${n}`));
    await Promise.all(all.slice(0, 4));
    const few = ['a', 'b', 'c'].map(request => small.ask(request));
    await minutePasses();
    expect(served).toHaveLength(4);
    await big.ends('r0');
    await untilServed(5);
    await big.ends('r1');
    await untilServed(6);
    expect(names(4)).toEqual(['small', 'small']);
    // Two each. One place is for the one that has none now, and the other for whoever comes first.
    for (const request of ['r2', 'r3']) await big.ends(request);
    await untilServed(8);
    expect(names(6)).toContain('big');
    for (const one of [big, small]) one.stop();
    await Promise.all([...all, ...few]);
  });

  test('of a model are not kept for who waits for another one', async () => {
    await allow({ in_flight: 3 });
    await world.team.query("INSERT INTO model_limit VALUES ('house', 'slow', 1)");
    const [fox, owl] = [await film('fox'), await film('owl')];
    await fox.ask('s1', { model: 'slow' });
    const waiting = owl.ask('s2', { model: 'slow' });
    await minutePasses();
    expect(served).toHaveLength(1);
    // The owl waits for what is full: the fox, which has more, goes on with what is not.
    const quick = [fox.ask('q1', { model: 'quick' }), fox.ask('q2', { model: 'quick' })];
    await untilServed(3);
    expect(names(0)).toEqual(['fox', 'fox', 'fox']);
    await Promise.all(quick);
    await fox.ends('s1');
    await untilServed(4);
    expect(await waiting).toMatchObject({ is: 'go' });
    expect(await rows('want')).toEqual([]);
  });

  test('are held for nobody who has gone: a film whose process is dead is forgotten within seconds', async () => {
    await allow({ in_flight: 1 });
    const [fox, owl, hare] = [await film('fox'), await film('owl'), await film('hare')];
    await fox.ask('a');
    const gone = owl.ask('b');
    await minutePasses();
    expect((await rows('want')).map(({ film: name }) => name)).toEqual(['owl']);
    owl.stop();
    await gone;
    await world.team.query("UPDATE want SET seen = seen - interval '30 seconds'");
    await fox.ends('a');
    expect(await hare.ask('c')).toMatchObject({ is: 'go' });
  });

  test('are asked for by one request of a film, however many of it wait', async () => {
    await allow({ in_flight: 1 });
    const fox = await film('fox');
    await fox.ask('first');
    const waiting = [...Array(50).keys()].map(n => fox.ask(`r${n}`));
    await new Promise(resolve => setTimeout(resolve, 200));
    const before = await transactions();
    await minutePasses();
    expect((await transactions()) - before).toBeLessThan(60 * 8);
    fox.stop();
    await Promise.all(waiting);
  });
});

test('a film that waits for the lock of its key keeps its events meanwhile, and sends all that asks until then in one transaction', async () => {
  const { journal, run } = await world.lead('fox');
  const intend = (name: string) => {
    const about = { key: name as InstanceKey, nonce: name, fingerprint: name, model: 'm', demand: usd(1) };
    const sent = { type: 'submit_intended', ...about, request: {}, price: 1, account: 'house' } as const;
    return journal.decide({ fingerprint: name, model: 'm' }, () => journal.append(run as RunId, [sent]));
  };
  let decided: readonly Promise<void>[] = [];
  await world.team.transaction(async ({ query }) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended('house', 0))");
    decided = [intend('first')];
    journal.append(run as RunId, [{ type: 'pace_changed', slower: false }]);
    await journal.durable();
    decided = [...decided, intend('second'), intend('third')];
  });
  await Promise.all(decided);
  const sent = "SELECT count(*) AS n, count(DISTINCT xmin::text) AS together FROM event WHERE type = 'submit_intended'";
  expect(await world.team.query(sent)).toEqual([{ n: 3, together: 1 }]);
});

test('transactions that wait for one of another machine leave a connection for heartbeats, and all listeners share one', async () => {
  const worker = new TeamDatabase({ url: database().url, schema: world.team.schema, most: 3, called: 'three' });
  try {
    for (const channel of ['a', 'b'])
      await worker.listen(
        channel,
        () => {},
        () => {},
      );
    const lock = 'SELECT pg_advisory_xact_lock(4711)';
    let waiting: readonly Promise<unknown>[] = [];
    await world.team.transaction(async ({ query }) => {
      await query(lock);
      waiting = [...Array(8).keys()].map(() => worker.transaction(own => own.query(lock)));
      const asleep = () =>
        world.team.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted");
      await expect.poll(async () => (await asleep()).length).toBe(2);
      expect(await worker.query('SELECT 1 AS beat')).toEqual([{ beat: 1 }]);
      const [all] = await world.team.query(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'three'",
      );
      expect(all).toEqual({ n: 4 });
    });
    await Promise.all(waiting);
  } finally {
    await worker.close();
  }
});

test('so many a second, and no more, whoever asks', async () => {
  await allow({ per_second: 3 });
  const [fox, owl] = [await film('fox'), await film('owl')];
  const all = ['a', 'b', 'c', 'd'].flatMap(request => [fox.ask(request), owl.ask(request)]);
  await expect.poll(() => served).toHaveLength(3);
  // What was not answered may arrive at any moment: it goes on counting.
  await world.passes(1_500);
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(served).toHaveLength(3);
  for (const nonce of [...served]) {
    const [name, request] = nonce.split(' ') as [string, string];
    const one = name === 'fox' ? fox : owl;
    await one.record({
      type: 'submit_accepted',
      key: request as InstanceKey,
      nonce,
      generation_id: `g ${nonce}` as GenerationId,
      found: false,
    });
  }
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(served).toHaveLength(3);
  await untilServed(6);
  expect(served).toHaveLength(6);
  for (const one of [fox, owl]) one.stop();
  await Promise.all(all);
});

describe('requests that ask at the same time', () => {
  test.each([
    { by: 'a second', limits: { per_second: 12 }, budgets: [], go: 12 },
    { by: 'places', limits: { in_flight: 12 }, budgets: [], go: 12 },
    { by: 'a budget', limits: {}, budgets: [{ of: 'film', budget: { usd: 12 } }] as const, go: 12 },
    // Of one day the database alone knows the sum: each is decided by itself.
    { by: 'a day', limits: { usd_per_day: 12 }, budgets: [], go: 12, most: 60 },
    { by: 'nothing', limits: {}, budgets: [], go: 40 },
  ])('are decided in a few transactions, and bounded by $by', async ({ limits, budgets, go, most = 12 }) => {
    await allow(limits);
    const fox = await film('fox', budgets);
    const transactions = vi.spyOn(world.team, 'transaction');
    const all = [...Array(40).keys()].map(n => fox.ask(`r${n}`));
    await expect.poll(() => served.length).toBeGreaterThanOrEqual(go);
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(served).toHaveLength(go);
    expect(transactions.mock.calls.length).toBeLessThan(most);
    fox.stop();
    await Promise.all(all);
    transactions.mockRestore();
  });
});

describe('dollars of a day', () => {
  test('bound all films of the key together, and are told in words', async () => {
    await allow({ usd_per_day: 1 });
    const [fox, owl] = [await film('fox'), await film('owl')];
    expect(await fox.ask('a', { demand: usd(0.7) })).toMatchObject({ is: 'go' });
    const stopped = await owl.ask('b', { demand: usd(0.4) });
    expect(stopped).toMatchObject({
      is: 'over_budget',
      stop: { of: 'team_day', measure: 'usd', why: 'exceeds', limit: 1, spent: 0, in_flight: 0.7, next: 0.4 },
    });
    if (stopped.is === 'over_budget')
      expect(budgetStopText('b' as InstanceKey, stopped.stop)).toBe(
        "b is not sent: it comes to $0.40, and the team's daily budget of $1.00 leaves $0.30 ($0.70 reserved); resume the run as hours go by, or raise `usd_per_day` of `shotlist team limit`",
      );
    // Of more than a whole day no hour makes room for it.
    const never = await owl.ask('d', { demand: usd(1.5) });
    if (never.is === 'over_budget')
      expect(budgetStopText('d' as InstanceKey, never.stop)).toMatch(
        /\); raise `usd_per_day` of `shotlist team limit`$/,
      );
    expect(never.is).toBe('over_budget');
    expect(await owl.ask('c', { demand: usd(0.3) })).toMatchObject({ is: 'go' });
    expect(owl.admission.budget()).toMatchObject([{ of: 'team_day', limit: 1 }]);
  });

  test('are free again when the day is over, and not before', async () => {
    await allow({ usd_per_day: 1 });
    const fox = await film('fox');
    await fox.ask('a', { demand: usd(1) });
    await fox.ends('a');
    await world.passes(23 * 3_600_000);
    expect(await fox.ask('b', { demand: usd(1) })).toMatchObject({ is: 'over_budget', stop: { spent: 1 } });
    await world.passes(2 * 3_600_000);
    expect(await fox.ask('b', { demand: usd(1) })).toMatchObject({ is: 'go' });
  });

  test('let nothing through that has no price, nor a model be brought up', async () => {
    await allow({ usd_per_day: 1 });
    const fox = await film('fox');
    const demand = { ...NO_DEMAND, usd: null, generations: 1 };
    const stopped = await fox.ask('a', { demand });
    expect(stopped).toMatchObject({ is: 'over_budget', stop: { of: 'team_day', why: 'unpriced' } });
    if (stopped.is === 'over_budget')
      expect(budgetStopText('a' as InstanceKey, stopped.stop)).toBe(
        "a is not sent: its cost is unknown, and a budget bounds the team's daily dollars; take `usd_per_day` of `shotlist team limit` out to send it all the same",
      );
    expect(await fox.admission.stopsActivation()).toMatchObject({ of: 'team_day' });
  });

  test('of two who ask at once for the last of them one is served', async () => {
    await allow({ usd_per_day: 1 });
    const films = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(name => film(name)));
    const came = await Promise.all(films.map(one => one.ask('x', { demand: usd(0.6) })));
    expect(came.filter(({ is }) => is === 'go')).toHaveLength(1);
  });
});

const rows = (table: string) => world.team.query<{ film: string }>(`SELECT * FROM ${table}`);
async function transactions(): Promise<number> {
  const [row] = await world.team.query<{ n: number }>(
    'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.n);
}
