/** Runs of a team over a real database and a real queue: whose turn it is, what wakes one, and what whoever runs the machines does. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isCommand } from '../../src/cli/command-line/commands.ts';
import { prometheusText, statusLines } from '../../src/cli/commands/team/status.ts';
import { afterDecision, commandMessages, goOnCommand } from '../../src/cli/team/command-messages.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { RecordedEvent, RunOutcome } from '../../src/model/run/event.ts';
import { NO_SELECTION } from '../../src/model/selector.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import type { Team } from '../../src/team/client/open-team.ts';
import { isGoing } from '../../src/team/client/run-in-team.ts';
import { type Submitted, submitFilm } from '../../src/team/client/submit-film.ts';
import { commandFor } from '../../src/team/client/team-messages.ts';
import { TeamNews } from '../../src/team/client/team-news.ts';
import { watchRun } from '../../src/team/client/watch-team-run.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { BroadcastEvents, broadcastAfter, newestTurn } from '../../src/team/runs/broadcast-events.ts';
import { limits, setLimits } from '../../src/team/runs/cluster-limits.ts';
import { clusterStatus } from '../../src/team/runs/cluster-status.ts';
import { beginLead, endLead, leaveLine } from '../../src/team/runs/lead-rows.ts';
import {
  dropAttached,
  goOn,
  type HandedIn,
  type RunRow,
  requeueOrphanedRuns,
  runRow,
  sameRun,
  stopRun,
  submitRun,
  wake,
} from '../../src/team/runs/run-rows.ts';
import { prune, restored, unknownAmong } from '../../src/team/runs/upkeep.ts';
import { forgetWorker, sendHeartbeat, workersOfLate } from '../../src/team/runs/worker-rows.ts';
import { TeamClock } from '../../src/team/worker/team-clock.ts';
import { newerVersion } from '../../src/team/worker/worker-duties.ts';
import { temporaryFolder } from '../support/temp.ts';
import { databaseForTests } from './team-world.ts';
import { closeTables, openTables } from './test-database.ts';

const database = databaseForTests();

const FOX: HandedIn = {
  ...{ project: 'foxes', path: 'fox.yaml', profile: null, film: 'fox', service: 'house', source: 'shotlist: 1\n' },
  ...{
    params: {},
    options: {},
    manifest: { 'fox.yaml': { sha256: 'a'.repeat(64), bytes: 1 } },
    price: 2,
    priority: 0,
    shotlist: '0.1.0',
  },
};

let team: TeamDatabase;
let queue: TeamQueue;
beforeEach(async () => {
  const { url } = database();
  team = await openTables(url);
  await team.query('DELETE FROM pgboss.job');
  queue = new TeamQueue({ url, trouble: () => {} });
  await queue.start();
});
afterEach(async () => {
  await queue.stop(0);
  await closeTables(team, database().url);
});

const LOCK = 'fox.lock.yaml';
const handedIn = async (given: HandedIn): Promise<string> => {
  const { is, run } = await submitRun(team, queue, given, LOCK);
  return is === 'same' ? run.id : run;
};
const begin = (run: string, job: string, gone?: string) => beginLead(team, { run, worker: 'w', job, gone });
type Ending = Parameters<typeof endLead>[2];
const ends = (
  run: string,
  epoch: number,
  status: Ending['status'],
  more: Partial<Ending> & { readonly is?: RunOutcome } = {},
) => {
  const { is = status as RunOutcome, ...rest } = more;
  return endLead(team, queue, { run, epoch, status, outcome: { is, usd: 0 }, lastChoice: 0, ...rest });
};
const waits = (run: string, epoch: number) => ends(run, epoch, 'waiting');

describe('a turn', () => {
  test('is had by one job; another one finds it led, and the same one takes it up again', async () => {
    const run = await handedIn(FOX);
    expect(await queue.awaited([run])).toEqual(new Set([run]));
    expect([await begin(run, 'one'), await begin(run, 'two'), await begin(run, 'one')]).toEqual([1, undefined, 2]);
    expect(await begin(run, 'two', 'one')).toBe(3);
    expect((await runRow(team, run))?.leadJob).toBe('two');
  });

  test('of a second run of the same film waits for the first, whose end brings it', async () => {
    const first = await handedIn(FOX);
    const second = await handedIn({ ...FOX, params: { a: 1 } });
    const epoch = (await begin(first, 'one')) ?? 0;
    expect(await begin(second, 'two')).toBeUndefined();
    await team.query(`UPDATE run SET status = status`);
    expect(await ends(first, epoch, 'done')).toBe('done');
    expect(await begin(second, 'two')).toBe(2);
  });

  test('tells its end with its end: a lead that dies before, or is superseded, has told nothing of it', async () => {
    const run = await handedIn(FOX);
    const { filmId: film } = (await runRow(team, run))!;
    const detached: RecordedEvent = { type: 'run_detached', running: [], resume: '', seq: 1, at: 1 };
    const counts = { succeeded: 1, reused: 0, failed: 0, blocked: 0, skipped: 0, unfinished: 0 };
    const finished: RecordedEvent = { type: 'run_finished', outcome: 'done', counts, usd: 0, seq: 2, at: 2 };
    const saidBy = async (epoch: number) => {
      const journal = await TeamJournal.open({
        ...{ team, film, submitted: run, epoch, account: 'house', clock: systemClock, newId: randomUUID },
      });
      const told = new BroadcastEvents(journal, systemClock);
      for (const event of [detached, finished]) told.report(event);
      await journal.close();
      return told.last;
    };
    const all = async () => (await broadcastAfter(team, run, 0)).events.map(({ type }) => type);
    const first = (await begin(run, 'one')) ?? 0;
    const last = await saidBy(first);
    expect(await all()).toEqual(['run_detached']);
    const second = (await begin(run, 'two', 'one')) ?? 0;
    expect([await ends(run, first, 'done', { told: last }), await all()]).toEqual([undefined, ['run_detached']]);
    expect(await ends(run, second, 'done', { told: await saidBy(second) })).toBe('done');
    expect(await all()).toEqual(['run_detached', 'run_detached', 'run_finished']);
  });

  test('that nobody has is put into the queue again, and one that somebody has is not', async () => {
    const run = await handedIn(FOX);
    await begin(run, randomUUID());
    await team.query(`UPDATE run SET changed_at = now() - interval '5 minutes'`);
    // The job that was handed in with it waits still.
    expect(await requeueOrphanedRuns(team, queue)).toEqual([]);
    await team.query('DELETE FROM pgboss.job');
    expect(await requeueOrphanedRuns(team, queue)).toEqual([run]);
    expect(await requeueOrphanedRuns(team, queue)).toEqual([]);
  });
});

test('whoever led a film and is gone stands in no line for a place, from when its turn is taken from it', async () => {
  const gone = await handedIn(FOX);
  await handedIn({ ...FOX, film: 'owl' });
  const job = 'pgboss.job';
  const [{ id } = { id: '' }] = await team.query<{ id: string }>(`SELECT id FROM ${job} WHERE data ->> 'run' = $1`, [
    gone,
  ]);
  await begin(gone, id);
  for (const film of ['foxes:fox', 'foxes:owl'])
    await team.query("SELECT want_place('a', 'V', $1, 'waits', 30000)", [film]);
  await team.query(
    `UPDATE ${job} SET state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute' WHERE id = $1`,
    [id],
  );
  const back = await queue.requeueLost();
  expect(back).toEqual([id]);
  await leaveLine(team, back);
  expect(await team.query('SELECT film FROM want')).toEqual([{ film: 'foxes:owl' }]);
});

describe('a run that waits', () => {
  test('holds no job; a choice wakes it, and one that came while it ended keeps it from waiting', async () => {
    const run = await handedIn(FOX);
    await team.query('DELETE FROM pgboss.job');
    const epoch = (await begin(run, 'one')) ?? 0;
    expect([await waits(run, epoch), await queue.awaited([run])]).toEqual(['waiting', new Set()]);
    expect([await wake(team, queue, 'foxes:fox'), await wake(team, queue, 'foxes:fox')]).toEqual([[run], []]);
    expect(await queue.awaited([run])).toEqual(new Set([run]));
    const again = (await begin(run, 'two')) ?? 0;
    await team.query("INSERT INTO choice (film, key, body) VALUES ('foxes:fox', 'best', '{\"withdrawn\":\"best\"}')");
    expect(await waits(run, again)).toBe('queued');
  });

  test('and was not woken by who decided, for that one was killed, has its turn a minute later, once', async () => {
    const run = await handedIn(FOX);
    await team.query('DELETE FROM pgboss.job');
    await waits(run, (await begin(run, 'one')) ?? 0);
    const [choice] = await team.query<{ id: number }>(
      "INSERT INTO choice (film, key, body) VALUES ('foxes:fox', 'best', '{\"withdrawn\":\"best\"}') RETURNING id",
    );
    // Who has decided may be about to wake it.
    expect(await requeueOrphanedRuns(team, queue)).toEqual([]);
    await team.query("UPDATE choice SET at = now() - interval '2 minutes'");
    expect([await requeueOrphanedRuns(team, queue), await requeueOrphanedRuns(team, queue)]).toEqual([[run], []]);
    expect([(await runRow(team, run))?.status, await queue.awaited([run])]).toEqual(['queued', new Set([run])]);
    await team.query('DELETE FROM pgboss.job');
    const epoch = (await begin(run, 'two')) ?? 0;
    await ends(run, epoch, 'waiting', { lastChoice: Number(choice?.id) });
    expect([await requeueOrphanedRuns(team, queue), (await runRow(team, run))?.status]).toEqual([[], 'waiting']);
  });

  test('is stopped by a turn of its own, also where that was said while it ended; and goes on when it is told to', async () => {
    const run = await handedIn(FOX);
    const epoch = (await begin(run, 'one')) ?? 0;
    expect(await stopRun(team, queue, run, 'cancel')).toBe('led');
    expect(await waits(run, epoch)).toBe('queued');
    const next = (await begin(run, 'two')) ?? 0;
    await ends(run, next, 'cancelled', { is: 'interrupted' });
    expect([await goOn(team, queue, run), (await runRow(team, run))?.stop]).toEqual(['cancelled', null]);
    expect(await goOn(team, queue, run)).toBeUndefined();
  });
});

test('the same is not handed in twice; what runs write themselves, the lock, makes no difference', async () => {
  const run = await handedIn(FOX);
  const lock = { ...FOX.manifest, [LOCK]: { sha256: 'b'.repeat(64), bytes: 2 } };
  expect((await sameRun(team, { ...FOX, manifest: lock }, LOCK))?.id).toBe(run);
  expect(await sameRun(team, { ...FOX, params: { a: 1 } }, LOCK)).toBeUndefined();
  expect(await sameRun(team, { ...FOX, source: 'shotlist: 1 \n' }, LOCK)).toBeUndefined();
  await stopRun(team, queue, run, 'cancel');
  expect(await sameRun(team, FOX, LOCK)).toBeUndefined();
});

test('five equal submits at once make one run, and all five get its id; another selection or budget makes another run', async () => {
  const root = await temporaryFolder();
  const film = { store: await LocalStore.open(join(root, 'own')), lockPath: join(root, LOCK) };
  const settings = { is: 'folder', path: 'shared', where: 'shared', write: true } as const;
  const place: Team = {
    ...{ name: 'house', url: database().url, database: team, queue, project: 'foxes', cache: 0 },
    ...{ store: { settings, folder: join(root, 'shared') }, [Symbol.asyncDispose]: async () => {} },
  };
  const project = { root, pipelineFile: join(root, 'fox.yaml'), settingsFile: '', stateFolder: '' };
  const submit = (more: Partial<Parameters<typeof submitFilm>[1]> = {}) =>
    submitFilm(
      film,
      {
        ...{ project, profile: undefined, service: 'house', source: FOX.source, params: {}, manifest: {} },
        ...{ options: {}, priority: 0, price: 2, ...more },
      },
      { team: place, say: () => {}, signal: new AbortController().signal },
    );
  const ids = (all: readonly Submitted[]) => all.map(one => (one.is === 'same' ? one.run.id : one.run));
  const five = await Promise.all([1, 2, 3, 4, 5].map(() => submit()));
  expect([new Set(ids(five)).size, five.filter(({ is }) => is === 'handed_in').length]).toEqual([1, 1]);
  const others = await Promise.all([
    submit({ options: { maxUsd: 3 } }),
    submit({ options: { selection: { ...NO_SELECTION, only: ['still'] } } }),
  ]);
  expect(others.map(({ is }) => is)).toEqual(['handed_in', 'handed_in']);
  // Options of a resume make no other film.
  await team.query("UPDATE run SET status = 'failed'");
  await goOn(team, queue, ids(five)[0] ?? '', { onUnknown: 'resubmit' });
  expect(ids([await submit()])).toEqual([ids(five)[0]]);
});

describe('each command that a message suggests is accepted', () => {
  const led = async (status?: Ending['status'], more?: Parameters<typeof ends>[3]): Promise<string> => {
    const run = await handedIn(FOX);
    const epoch = (await begin(run, 'one')) ?? 0;
    if (status) await ends(run, epoch, status, more);
    return run;
  };
  /** Whether the command does something for the run as it is now. */
  const accepts: { readonly [command: string]: (run: RunRow) => Promise<boolean> } = {
    'team watch': async run => isGoing(run),
    'team resume': async run => (await goOn(team, queue, run.id)) !== undefined,
    'team fetch': async run => !isGoing(run),
    'team submit': async () => (await submitRun(team, queue, FOX, LOCK)).is === 'handed_in',
    review: async run => run.status === 'waiting',
  };

  test.each<readonly [state: string, reach: () => Promise<string>]>([
    ['queued', () => handedIn(FOX)],
    ['led', () => led()],
    ['waiting', () => led('waiting')],
    ['parked until the service is there again', () => led('queued', { is: 'unreachable', after: 60 })],
    ['failed', () => led('failed')],
    ['given up, for the service was out of reach', () => led('failed', { is: 'unreachable' })],
    ['cancelled', () => led('cancelled', { is: 'interrupted' })],
    ['done', () => led('done')],
  ])('%s', async (_, reach) => {
    const id = await reach();
    const now = async () => {
      const run = await runRow(team, id);
      if (!run) throw new Error('it was handed in');
      return run;
    };
    const run = await now();
    const submit = 'shotlist team submit fox.yaml --on house';
    const advice = [
      commandFor(run, { name: 'house' }),
      goOnCommand(run, 'house', submit),
      ...(run.status === 'waiting' ? [] : [afterDecision(run, 'house', submit)]),
      ...(isGoing(run) ? [commandMessages.notOver(id, 'house'), commandMessages.goesOn(id, 'house')] : []),
    ];
    for (const words of advice) {
      const [, command = '', rest = ''] = /shotlist ((?:team )?[a-z]+)(.*)$/.exec(words) ?? [];
      expect([words, isCommand(command)]).toEqual([words, true]);
      expect(rest).toBe(command === 'team submit' ? ' fox.yaml --on house' : ` ${id} --on house`);
      const before = await now();
      expect([words, await accepts[command]?.(before)]).toEqual([words, true]);
      // Each is tried in the same state.
      await team.query('UPDATE run SET status = $2 WHERE id = $1', [id, before.status]);
      await team.query('DELETE FROM run WHERE id <> $1', [id]);
    }
  });

  test('after a decision: in each state what becomes of it, and none of a film that has no run', async () => {
    const run = (await runRow(team, await led())) as RunRow;
    const words = (status: RunRow['status']) =>
      afterDecision({ ...run, id: 'fox-1', status }, 'house', 'shotlist team submit fox.yaml');
    expect(words('led')).toBe(
      'fox-1 is led by w, and acts on it before it ends; to see it: shotlist team watch fox-1 --on house',
    );
    expect(words('queued')).toMatch(/^fox-1 acts on it when its turn comes; to see it: shotlist team watch/);
    expect(words('failed')).toBe('fox-1 has failed; to go on with it: shotlist team resume fox-1 --on house');
    expect(afterDecision(undefined, 'house', 'shotlist team submit fox.yaml')).toBe(
      'no run of it goes on; to have it made: shotlist team submit fox.yaml',
    );
  });
});

test('what is told of a run that went on elsewhere begins with its newest turn, and its being let go of is told to nobody', async () => {
  const run = await handedIn(FOX);
  const tell = (...types: readonly string[]) =>
    team.query('INSERT INTO told (run, body) SELECT $1, body FROM unnest($2::text[]) AS e (body)', [
      run,
      types.map(type => JSON.stringify({ type })),
    ]);
  await tell('run_started', 'submitted', 'run_detached', 'run_finished');
  const told: string[] = [];
  const stop = new AbortController();
  const turn = async () => void told.push('a turn');
  await using news = new TeamNews({ team, clock: systemClock });
  const watching = watchRun(run, {
    ...{ team, news, clock: systemClock, signal: stop.signal, turn, queued: () => {}, trouble: () => {} },
    event: ({ type }) => void told.push(type),
  });
  await expect.poll(() => told).toEqual(['a turn', 'run_started', 'submitted']);
  await tell('run_started', 'succeeded', 'run_finished');
  await team.query("UPDATE run SET status = 'done'");
  await team.query("SELECT pg_notify('shotlist', $1)", [`run:${run}`]);
  expect((await watching)?.status).toBe('done');
  expect(told.slice(3)).toEqual(['a turn', 'run_started', 'succeeded', 'run_finished']);
  const { events } = await broadcastAfter(team, run, await newestTurn(team, run));
  expect(events.map(({ type }) => type)).toEqual(['run_started', 'succeeded', 'run_finished']);
});

describe('whoever runs the machines', () => {
  test('sets limits, takes one away, and sees how things stand', async () => {
    const account = 'https://farm 12ab';
    await setLimits(
      team,
      { account, name: 'farm' },
      { in_flight: 40, usd_per_day: 500, models: new Map([['V-T2V-A', 8]]) },
    );
    await setLimits(team, { account, name: 'farm' }, { in_flight: null, models: new Map() });
    expect(await limits(team)).toEqual([
      { account, name: 'farm', in_flight: null, per_second: null, usd_per_day: 500, models: { 'V-T2V-A': 8 } },
    ]);
    const worker = { name: 'render3', shotlist: '0.1.0', does: ['lead'], hands: 0, leads: 1 };
    await sendHeartbeat(team, worker);
    await handedIn(FOX);
    const status = await clusterStatus(team, queue);
    expect(status).toMatchObject({
      // It reported one run some seconds ago, and no run is led now.
      ...{
        workers: [{ ...worker, leads: 0, silent: 0 }],
        runs: { queued: 1 },
        debts: 0,
        debt_runs: [],
        retried: 0,
        given_up: 0,
      },
      accounts: [{ account, name: 'farm', in_flight: 0, models: [{ model: 'V-T2V-A', in_flight: 0, limit: 8 }] }],
    });
    expect(prometheusText(status)).toContain(
      '# TYPE shotlist_runs gauge\nshotlist_runs{status="queued"} 1\nshotlist_runs{status="led"} 0\n',
    );
    expect(prometheusText(status)).toContain(
      `shotlist_in_flight_limit{account=${JSON.stringify(account)},model="V-T2V-A"} 8\n`,
    );
    expect(statusLines(status, 'house').slice(0, 3)).toEqual([
      'worker render3 (0.1.0): leads 0 runs',
      expect.stringMatching(/^runs: 1 queued; the oldest that waits for its turn has waited /),
      'farm: 0 in flight, 0 of 8 of them V-T2V-A, 0 sent a second, $0.00 of $500.00 in 24 hours',
    ]);
    await forgetWorker(team, 'render3');
    expect((await clusterStatus(team, queue)).workers).toEqual([]);
  });

  test('deletes events of old runs, and never a result, what it cost, or what another run of the film needs', async () => {
    const run = await handedIn(FOX);
    const event = (type: string, seq: number) =>
      team.query(
        `INSERT INTO event (film, submitted, epoch, run, seq, at, type, fingerprint, body)
         VALUES ('foxes:fox', $1, 1, 'r', $2, 1, $3, 'f', '{}')`,
        [run, seq, type],
      );
    for (const [seq, type] of ['run_started', 'submit_intended', 'succeeded', 'billed', 'run_finished'].entries())
      await event(type, seq);
    await team.query("INSERT INTO told (run, body) VALUES ($1, '{}')", [run]);
    const later = new Date(Date.now() + 60_000);
    expect(await prune(team, later)).toEqual({ runs: 0, events: 0, told: 0 });
    await team.query("UPDATE run SET status = 'done'");
    expect(await prune(team, new Date(0))).toEqual({ runs: 0, events: 0, told: 0 });
    expect(await prune(team, later)).toEqual({ runs: 1, events: 3, told: 1 });
    expect(await team.query('SELECT type FROM event ORDER BY seq')).toEqual([
      { type: 'succeeded' },
      { type: 'billed' },
    ]);
  });

  test('says that a backup was restored: whoever led writes nothing more, and nothing is led before somebody says so', async () => {
    const run = await handedIn(FOX);
    const epoch = (await begin(run, 'one')) ?? 0;
    await team.query(
      `INSERT INTO submission (nonce, film, fingerprint, account, model, state, generation_id, at, body)
       VALUES ('n', 'foxes:fox', 'f', 'a', 'V', 'accepted', 'gen_1', 1000, '{}')`,
    );
    expect(await restored(team)).toEqual({ films: 1, held: [run], newest: expect.any(Number) });
    expect(await waits(run, epoch)).toBeUndefined();
    expect(await begin(run, 'one')).toBeUndefined();
    expect(await unknownAmong(team, ['gen_1', 'gen_2'], 'a')).toEqual(new Set(['gen_2']));
    expect(await goOn(team, queue, run)).toBe('failed');
    expect(await begin(run, 'two')).toBeGreaterThan(epoch + 1000);
  });
});

test('what is said at a resume holds until the next; what is attached stays, and is let go when it is refused', async () => {
  const run = await handedIn({ ...FOX, options: { onUnknown: 'fail', maxUsd: 3 } });
  const said = async (...[how]: readonly Parameters<typeof goOn>[3][]) => {
    await team.query("UPDATE run SET status = 'failed'");
    expect(await goOn(team, queue, run, how)).toBe('failed');
    return (await runRow(team, run))?.options;
  };
  const given = { onUnknown: 'fail', maxUsd: 3 };
  const [one, two] = [
    { generation: 'gen-1', accept: 'same' } as const,
    { generation: 'gen-2', accept: 'different' } as const,
  ];
  expect(await said({ onUnknown: 'resubmit' })).toEqual({ ...given, resumed: { onUnknown: 'resubmit' } });
  expect(await said()).toEqual(given);
  expect(await said({ attach: { 'shot[n=1]': one } })).toEqual({ ...given, attach: { 'shot[n=1]': one } });
  const attach = { 'shot[n=1]': one, 'shot[n=2]': two };
  expect(await said({ onUnknown: 'done', attach: { 'shot[n=2]': two } })).toEqual({
    ...given,
    resumed: { onUnknown: 'done' },
    attach,
  });
  expect(await said()).toEqual({ ...given, attach });
  await dropAttached(team, run, 'shot[n=1]', one);
  await dropAttached(team, run, 'shot[n=2]', one);
  expect((await runRow(team, run))?.options).toEqual({ ...given, attach: { 'shot[n=2]': two } });
});

test('a lost time begins when the backup was made, where somebody knows that, and with what the database knows otherwise', async () => {
  const sent = (at: number) =>
    team.query(
      `INSERT INTO event (film, epoch, run, seq, at, type, body) VALUES ('foxes:fox', 1, 'r', $1::integer, $1::integer, 'submit_intended', '{}')`,
      [at],
    );
  expect((await restored(team)).newest).toBeNull();
  expect((await restored(team, 500)).newest).toBe(500);
  for (const at of [1_000, 2_000]) await sent(at);
  expect((await restored(team)).newest).toBe(2_000);
  expect((await restored(team, 1_500)).newest).toBe(1_500);
  expect((await restored(team, 9_000)).newest).toBe(2_000);
  // What was sent since, by whoever looked for nothing, is no reason not to look.
  const [row] = await team.query(
    'SELECT event = (SELECT max(id) FROM event) AS is_newest FROM restored WHERE since = 1500',
  );
  expect(row).toEqual({ is_newest: true });
});

test('workers that are there are told from those of the backup', async () => {
  const worker = { shotlist: '0.1.0', does: ['all'], hands: 1, leads: 0 };
  for (const name of ['render1', 'render2']) await sendHeartbeat(team, { ...worker, name });
  await team.query("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name = 'render1'");
  expect(await workersOfLate(team)).toEqual(['render2']);
});

test('the clock of a worker is that of the database, however wrong its own is', async () => {
  const wrong = { ...systemClock, now: () => Date.now() - 3_600_000 };
  const clock = new TeamClock(wrong);
  await clock.set(team);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  expect(clock.offset).toBeGreaterThan(3_599_000);
});

test.each([
  ['1.4.0', '1.2.0', false],
  ['2.0.0', '1.9.9', true],
  ['0.2.0', '0.1.5', true],
  ['0.1.9', '0.1.0', false],
  ['0.9.0', '1.0.0', false],
])('a run of %s is left alone by %s: %s', (theirs, ours, isNewer) => expect(newerVersion(theirs, ours)).toBe(isNewer));
