/**
 * What a team's database costs a paid step, at 100,000 submissions of 1,000 films: how many are admitted a second, what one costs by itself,
 * how soon a watcher hears of an event, and how soon a film of 1,000 results is open.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/machine/time/clock.ts';
import { NO_DEMAND } from '../../src/model/budget.ts';
import type { Event } from '../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { BroadcastEvents, broadcastAfter } from '../../src/team/runs/broadcast-events.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Bench, type Case, type Measured, quantile } from './measure.ts';

export const teamCases: readonly Case[] = [{ name: 'ledger of a team', measure }];

const SCHEMA = 'shotlist';
const FILMS = 1_000;
/** Leads that are at it at once, each over connections of its own. */
const LEADS = 8;

async function measure({ quick }: Bench): Promise<readonly Measured[]> {
  const postgres = await startPostgres('durable');
  const team = new TeamDatabase({ url: postgres.url, schema: SCHEMA });
  try {
    await team.migrate();
    await fill(team, quick ? 10_000 : 100_000);
    const leads = await Promise.all([...Array(LEADS).keys()].map(n => lead(postgres.url, `film-${n}`)));
    const [first] = leads;
    if (!first) throw new Error('nobody leads');
    await Promise.all(leads.map(one => one.step()));
    const alone: number[] = [];
    for (let n = 0; n < (quick ? 10 : 60); n++) alone.push(await timed(first.step));
    const each: number[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const steps = quick ? 4 : 25;
      const all = () => Promise.all(leads.flatMap(one => [0, 1].map(() => times(steps, one.step))));
      each.push((await timed(all)) / (LEADS * 2 * steps));
    }
    for (const one of leads) await one.close();
    const opened: number[] = [];
    for (let n = 0; n < (quick ? 1 : 5); n++) opened.push(await timed(() => rerun(team)));
    return [
      { name: 'ledger of a team, a paid step by itself', ours: alone, unit: 'ms', aim: 20 },
      {
        name: `ledger of a team, ${LEADS} leads at once, each paid step`,
        ...{ ours: each, unit: 'ms', aim: 10 },
        note: `${Math.round(1_000 / Math.min(...each))} a second`,
      },
      { name: 'ledger of a team, an event until a watcher has it', ...(await watched(team, quick)) },
      { name: 'ledger of a team, a film of 1,000 results opened and looked up', ours: opened, unit: 'ms' },
    ];
  } finally {
    await team.close();
    await postgres.stop();
  }
}

/** Submissions that were made, and some that are under way, of many films; what they came to; one film with 1,000 results. */
export async function fill(team: TeamDatabase, submissions: number): Promise<void> {
  const body = JSON.stringify({
    ...{ nonce: 'n', key: 'shot', fingerprint: 'f', model: 'V-T2V-A', at: 1, state: 'closed' },
    request: { prompt: 'a fox in the snow '.repeat(20) },
  });
  await team.query(
    `INSERT INTO film (id, project, path) SELECT 'film-' || n, 'project', 'film-' || n FROM generate_series(0, ${FILMS - 1}) n`,
  );
  await team.query(
    `INSERT INTO run (id, film, service, source, shotlist, status) SELECT 'run-' || n, 'film-' || n, 'house', '', '1',
       CASE WHEN n < 200 THEN 'queued' ELSE 'done' END FROM generate_series(0, ${FILMS - 1}) n`,
  );
  await team.query(
    `INSERT INTO submission (nonce, film, fingerprint, account, model, state, ending, generation_id, at, body)
     SELECT 's' || n, 'film-' || (n % ${FILMS - 100} + 100), md5(n::text), 'house', 'm' || n % 5,
       CASE WHEN n % ${submissions / 200} = 0 THEN 'accepted' ELSE 'closed' END, CASE WHEN n % ${submissions / 200} = 0 THEN NULL ELSE 'made' END,
       'gen-' || n, now_ms() - (${submissions} - n) * 20, $1 FROM generate_series(1, ${submissions}) n`,
    [body],
  );
  // Their sums are added at once.
  await team.query('ALTER TABLE charge DISABLE TRIGGER USER');
  await team.query(
    `INSERT INTO charge (id, film, account, is_open, usd, video_seconds, images, generations, tokens, at)
     SELECT nonce, film, account, false, 0.5, 5, 0, 1, 0, at FROM submission`,
  );
  await team.query('ALTER TABLE charge ENABLE TRIGGER USER');
  await team.query(
    'INSERT INTO spent (film, account, is_open, n, usd) SELECT film, account, is_open, count(*), sum(usd) FROM charge GROUP BY 1, 2, 3',
  );
  await team.query(
    'INSERT INTO spent_hour SELECT account, at / 3600000, is_open, sum(usd), 0 FROM charge GROUP BY 1, 2, 3',
  );
  await team.query("INSERT INTO service_limit VALUES ('house', 'house', 100000, 100000, 1000000)");
  await team.query("INSERT INTO model_limit VALUES ('house', 'm1', 100000)");
  const made = {
    ...{ is: 'media', result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 },
    ...{ generation_id: 'g', request: {}, cost: 1, media: { kind: 'video', duration: 5 } },
  };
  const event = JSON.stringify({ type: 'succeeded', key: 'shot', fingerprint: 'f', seq: 1, at: 1, result: made });
  for (const type of ['submit_intended', 'submit_accepted', 'generated', 'succeeded'])
    await team.query(
      `INSERT INTO event (film, epoch, run, seq, at, type, key, fingerprint, body)
       SELECT 'film-999', 1, 'r', n * 4 + $3, 1, $1, 'shot' || n, CASE WHEN $1 = 'succeeded' THEN 'f' || n END, $2 FROM generate_series(1, 1000) n`,
      [
        type,
        event.replace('succeeded', type),
        ['submit_intended', 'submit_accepted', 'generated', 'succeeded'].indexOf(type),
      ],
    );
  await team.query('ANALYZE');
}

async function lead(url: string, film: string) {
  const team = new TeamDatabase({ url, schema: SCHEMA, most: 4 });
  const run = randomUUID() as RunId;
  const [begun] = await team.query<{ epoch: number }>('SELECT begin_lead($1, $2) AS epoch', [
    film.replace('film', 'run'),
    'bench',
  ]);
  const journal = await TeamJournal.open({
    ...{ team, film, submitted: film.replace('film', 'run'), epoch: begun?.epoch, account: 'house' },
    ...{ clock: systemClock, newId: randomUUID },
  });
  const limits = { in_flight: 100_000, per_model: 100_000, submits_per_second: 100_000, attempts: 3 };
  const admission = new JournalAdmission({
    ...{ journal, clock: systemClock, account: 'house', limits, owned: () => undefined, isRunning: () => false },
  });
  const record = (event: Event) => journal.append(run, [event]);
  return {
    /** Asked for, sent, known to be taken, and owned: all that is durable of it. */
    step: async () => {
      const name = randomUUID();
      const [key, fingerprint, model] = [name as InstanceKey, name, 'm1'];
      const intend = () => {
        const work = { key, nonce: name, fingerprint, model, request: {}, price: 1, account: 'house' };
        record({ type: 'submit_intended', ...work });
        return name;
      };
      const asked = { key, fingerprint, model, demand: NO_DEMAND, shared: true, intend };
      const admitted = await admission.admit(asked, NEVER);
      if (admitted.is !== 'go') throw new Error(`a step is ${admitted.is}`);
      const generation_id = `gen ${name}` as GenerationId;
      record({ type: 'submit_accepted', key, nonce: name, generation_id, found: false });
      await journal.durable();
      record({ type: 'failed', key, failure: { code: 'generation_failed', generation_id, message: 'no' } });
      await journal.durable();
    },
    close: async () => {
      await journal.close();
      await team.close();
    },
  };
}

async function rerun(team: TeamDatabase): Promise<void> {
  const journal = await TeamJournal.open({
    ...{ team, film: 'film-999', epoch: 0, account: 'house', clock: systemClock, newId: randomUUID },
  });
  for (let n = 1; n <= 1_000; n++) if (!journal.views.owned.find(`f${n}`)) throw new Error('a result is gone');
  journal.giveUp();
  await journal.close();
}

/** The slowest of twenty, again and again. */
async function watched(
  team: TeamDatabase,
  quick: boolean,
): Promise<Pick<Extract<Measured, { ours: unknown }>, 'ours' | 'unit' | 'aim' | 'note'>> {
  const [begun] = await team.query<{ epoch: number }>("SELECT begin_lead('run-50', 'bench') AS epoch");
  const journal = await TeamJournal.open({
    ...{ team, film: 'film-50', submitted: 'run-50', epoch: begun?.epoch, account: 'house' },
    ...{ clock: systemClock, newId: randomUUID },
  });
  const told = new BroadcastEvents(journal, systemClock);
  const seen = new Map<number, (at: number) => void>();
  let last = 0;
  const over = new AbortController();
  const polling = (async () => {
    while (!over.signal.aborted) {
      const found = await broadcastAfter(team, 'run-50', last);
      last = found.last;
      for (const { seq } of found.events) seen.get(seq)?.(performance.now());
      // As `watchRun` does.
      await systemClock.sleep(100, over.signal);
    }
  })();
  const took: number[] = [];
  for (let seq = 1; seq <= (quick ? 20 : 200); seq++) {
    const began = performance.now();
    const arrived = new Promise<number>(resolve => seen.set(seq, resolve));
    told.report({ type: 'command_started', key: 'a' as InstanceKey, fingerprint: 'f', seq, at: 1 });
    took.push((await arrived) - began);
  }
  over.abort();
  await polling;
  await journal.close();
  const note = `p95; half of them within ${Math.round(quantile(took, 0.5))} ms`;
  return { ours: [quantile(took, 0.95)], unit: 'ms', aim: 150, note };
}

const NEVER = new AbortController().signal;
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n++) await work();
}
