/**
 * What single things cost on a real PostgreSQL, which syncs every commit, beside 100,000 submissions of 1,000 films. It runs beside what
 * measures it: on two cores its figures are those of a small machine.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/machine/time/clock.ts';
import type { Event, RecordedEvent } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../../src/model/run/key.ts';
import { TeamDatabase } from '../../../src/team/database/team-database.ts';
import { TeamJournal } from '../../../src/team/journal/team-journal.ts';
import { BroadcastEvents } from '../../../src/team/runs/broadcast-events.ts';
import { fill } from '../../bench/team-cases.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { processorTimeOf } from '../../support/processor-of.ts';
import type { Cost, Costs } from './shape.ts';

export interface Measured {
  readonly costs: Costs;
  /** Paid steps a second of `leads` leads at once in one process, for the simulation to be held against. */
  readonly together: { readonly leads: number; readonly perSecond: number };
}

const LEADS = 8;
const MORE = 1_000;
/** Requests that ask at once. */
const GROUP = 16;

export async function measureCosts(times: number): Promise<Measured> {
  const postgres = await startPostgres('durable');
  const team = new TeamDatabase({ url: postgres.url, most: 20 });
  try {
    await team.migrate();
    await fill(team, 100_000);
    // Requests of a key with a limit of a day are admitted one by one.
    await team.query('UPDATE service_limit SET usd_per_day = NULL');
    const meter = new Meter(postgres);
    const leads = await Promise.all([...Array(LEADS).keys()].map(n => openLead(postgres.url, n)));
    const [first] = leads;
    if (!first) throw new Error('nobody leads');
    for (const lead of leads) await lead.step();
    const batch = await meter.each(times, first.batch);
    const admission = await meter.each(times, first.admitted);
    const refusal = await meter.each(times, first.refused);
    const group = await meter.each(Math.ceil(times / GROUP), () =>
      Promise.all(Array.from({ length: GROUP }, first.admitted)),
    );
    const together = await rateOf(
      leads.flatMap(({ step: one }) => [one, one]),
      Math.ceil(times / 8),
    );
    const committing = Array.from({ length: 16 }, () => () => commit(team));
    const commitsPerSecond = await rateOf(committing, times / 2);
    await team.query(
      `INSERT INTO want (account, model, film, seen) SELECT 'house', 'm1', 'film-' || n, 'infinity' FROM generate_series(1, ${MORE / 2}) n ON CONFLICT DO NOTHING`,
    );
    const inLine = await meter.each(times, first.refused);
    await team.query('DELETE FROM want');
    await team.query(
      `INSERT INTO submission (nonce, film, fingerprint, account, model, state, at, answered_at, body) SELECT 'u' || n, 'film-' || (n % 900 + 100),
       'u' || n, 'house', 'm1', 'accepted', now_ms() - 60000, now_ms() - 60000, '{}' FROM generate_series(1, ${MORE}) n`,
    );
    const crowded = await meter.each(times, first.refused);
    for (const one of leads) await one.close();
    await team.query("INSERT INTO told (run, body) SELECT 'run-50', body FROM told, generate_series(1, 100)");
    const bytes = await bytesOf(team);
    return {
      costs: {
        ...{ admission, refusal, batch, bytes, commit: 1_000 / commitsPerSecond },
        eachTogether: difference(group, admission, GROUP - 1),
        eachUnderWay: difference(crowded, refusal, MORE),
        eachWaiting: difference(inLine, refusal, MORE / 2),
      },
      together: { leads: LEADS, perSecond: together },
    };
  } finally {
    await team.close();
    await postgres.stop();
  }
}

/** What something takes on the wall, of the database's processor, and of this process's. */
class Meter {
  readonly #postgres: PostgresServer;

  constructor(postgres: PostgresServer) {
    this.#postgres = postgres;
  }

  async each(times: number, work: () => Promise<unknown>): Promise<Cost> {
    const [database, own] = [processorTimeOf(this.#postgres.pid()), process.cpuUsage()];
    const walls: number[] = [];
    for (let n = 0; n < times; n++) {
      const began = performance.now();
      await work();
      walls.push(performance.now() - began);
    }
    const { user, system } = process.cpuUsage(own);
    walls.sort((a, b) => a - b);
    return {
      wall: walls[walls.length >> 1] ?? 0,
      processor: (processorTimeOf(this.#postgres.pid()) - database) / times,
      thread: (user + system) / 1_000 / times,
    };
  }
}

const difference = (more: Cost, less: Cost, count: number): Cost => ({
  wall: Math.max(0, more.wall - less.wall) / count,
  processor: Math.max(0, more.processor - less.processor) / count,
  thread: Math.max(0, more.thread - less.thread) / count,
});

/** How many a second all of them come to, one behind the other each. */
async function rateOf(all: readonly (() => Promise<unknown>)[], times: number): Promise<number> {
  const began = performance.now();
  await Promise.all(
    all.map(async one => {
      for (let n = 0; n < times; n++) await one();
    }),
  );
  return (all.length * Math.ceil(times) * 1_000) / (performance.now() - began);
}

/** The least that is synced to the disk. */
const commit = ({ query }: TeamDatabase) => query("INSERT INTO note VALUES ($1, 'n', '')", [randomUUID()]);

/** About what the service made, as large as they are. */
const eventOf = (key: string): Event =>
  ({
    ...{ type: 'failed', key },
    failure: { code: 'generation_failed', generation_id: randomUUID(), message: 'a fox in the snow '.repeat(20) },
  }) as Event;

async function openLead(url: string, n: number) {
  const team = new TeamDatabase({ url, most: 4 });
  const run = randomUUID() as RunId;
  const [film, submitted] = [`film-${n}`, `run-${n}`];
  const [begun] = await team.query<{ epoch: number }>('SELECT begin_lead($1, $2) AS epoch', [submitted, 'costs']);
  const journal = await TeamJournal.open({
    ...{ team, film, submitted, epoch: begun?.epoch, account: 'house', clock: systemClock, newId: randomUUID },
    // Nor does a busy film wait for others to share a group with: that is no cost.
    later: work => void setTimeout(work, 20),
  });
  const record = (event: Event) => journal.append(run, [event]);
  const request = { prompt: 'a fox in the snow '.repeat(20) };
  const admitted = async () => {
    const nonce = randomUUID();
    const intent = { nonce, key: nonce as InstanceKey, fingerprint: nonce, model: 'm1', request, price: 1 } as const;
    await journal.decide({ fingerprint: nonce, model: 'm1' }, () => {
      journal.team.line.join('m1', 1_000);
      record({ type: 'submit_intended', ...intent, account: 'house' });
    });
    return nonce;
  };
  const told = new BroadcastEvents(journal, systemClock);
  let seq = 0;
  const batch = async () => {
    const event = eventOf(randomUUID());
    record(event);
    told.report({ ...event, seq: ++seq, at: 1 } as RecordedEvent);
    await journal.durable();
  };
  return {
    batch,
    refused: () =>
      journal.decide({ fingerprint: randomUUID(), model: 'm1' }, () => journal.team.line.join('m1', 1_000)),
    admitted: async () => {
      const nonce = await admitted();
      // What is under way stays as it is; that is no part of the decision.
      record({ type: 'submit_refused', key: nonce as InstanceKey, nonce, reason: 'no', retry_at: null });
    },
    step: async () => {
      const nonce = await admitted();
      record({
        ...{ type: 'submit_accepted', key: nonce as InstanceKey, nonce, found: false },
        generation_id: `gen ${nonce}` as GenerationId,
      });
      await journal.durable();
      record({
        ...eventOf(nonce),
        failure: { code: 'generation_failed', generation_id: `gen ${nonce}`, message: 'no' },
      } as Event);
      await journal.durable();
    },
    close: async () => {
      await journal.close();
      await team.close();
    },
  };
}

async function bytesOf({ query }: TeamDatabase): Promise<Costs['bytes']> {
  const each = async (table: string) => {
    await query(`VACUUM ANALYZE ${table}`);
    const [row] = await query<{ bytes: number }>(
      `SELECT pg_total_relation_size('${table}')::float8 / greatest(1, (SELECT count(*) FROM ${table})) AS bytes`,
    );
    return Math.round(row?.bytes ?? 0);
  };
  return { event: await each('event'), told: await each('told'), submission: await each('submission') };
}
