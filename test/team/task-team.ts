/**
 * A lead and workers of one team, each with a store of its own, over a real database and queue, and a folder that all of them reach. The
 * workers are in this process; those that are to be killed are in `worker-process.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redactor } from '../../src/machine/redactor.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { SharedResults, SharedStore } from '../../src/records/store/shared/index.ts';
import { SharedFolder } from '../../src/records/store/shared/shared-folder.ts';
import type { SharedPlace } from '../../src/records/store/shared/shared-place.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TaskJobs, topicOf } from '../../src/team/queue/task-jobs.ts';
import { BEAT, TASK, type TaskAttempt, TeamQueue } from '../../src/team/queue/team-queue.ts';
import type { Manifest } from '../../src/team/runs/run-rows.ts';
import { TeamExecutor } from '../../src/team/tasks/team-executor.ts';
import { TaskWorker } from '../../src/team/worker/task-worker.ts';
import type { Server } from '../support/postgres-of-run.ts';
import { closeTables, openTables } from './test-database.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface Machine {
  readonly store: SharedStore;
  readonly local: LocalStore;
  readonly shared: SharedResults;
}

const PROCESS = fileURLToPath(new URL('worker-process.ts', import.meta.url));
export class TaskTeam {
  readonly folder: string;
  readonly url: string;
  readonly schema: string;
  readonly queueSchema: string;
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly hear: Hear;
  readonly run: string;
  readonly film: string;
  /** How the team's store is reached by the next machine. */
  placeOf: (place: SharedPlace) => SharedPlace = place => place;
  readonly #leaves = new Map<TaskWorker, () => Promise<void>>();
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(
    given: Pick<TaskTeam, 'folder' | 'url' | 'schema' | 'queueSchema' | 'team' | 'queue' | 'hear' | 'run' | 'film'>,
  ) {
    this.folder = given.folder;
    this.url = given.url;
    this.schema = given.schema;
    this.queueSchema = given.queueSchema;
    this.team = given.team;
    this.queue = given.queue;
    this.hear = given.hear;
    this.run = given.run;
    this.film = given.film;
  }

  /** Tables of its own, and a run that is handed in. @param folder for all machines of the team. */
  static async open({ url }: Pick<Server, 'url'>, folder: string, queueSchema = 'pgboss'): Promise<TaskTeam> {
    await mkdir(join(folder, 'team'));
    const team = await openTables(url);
    const { schema } = team;
    const queue = new TeamQueue({ url, schema: queueSchema, trouble: () => {} });
    await queue.start();
    const heard = await hearing(team);
    const run = `run-${randomUUID()}`;
    const film = 'project:fox';
    await team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', 'fox.yaml')", [film]);
    await team.query("INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, $2, 'house', '', 'test')", [
      run,
      film,
    ]);
    const world = new TaskTeam({ folder, url, schema, queueSchema, team, queue, run, film, hear: heard.hear });
    world.#ends.push(() => closeTables(team, url), heard.close);
    return world;
  }

  async machine(): Promise<Machine> {
    const local = await LocalStore.open(join(this.folder, `store-${randomUUID()}`));
    const place = this.placeOf(new SharedFolder({ folder: join(this.folder, 'team'), clock: systemClock }));
    const shared = new SharedResults({ place, store: local, clock: systemClock, write: true });
    return { local, shared, store: new SharedStore(local, shared) };
  }

  /** Leads the run from now on. Without slots of its own, it has everything done by the workers. */
  async lead(
    given: Partial<Omit<ConstructorParameters<typeof TeamExecutor>[0], 'film' | 'run'>> & {
      readonly machine?: Machine;
      readonly root?: string;
      readonly secrets?: Redactor;
    } = {},
  ): Promise<TeamExecutor> {
    const { store, shared } = given.machine ?? (await this.machine());
    const [begun] = await this.team.query<{ epoch: number }>('SELECT begin_lead($1, $2) AS epoch', [this.run, 'lead']);
    const root = given.root ?? join(this.folder, 'lead');
    await mkdir(root, { recursive: true });
    const executor = new TeamExecutor({
      ...{ team: this.team, queue: this.queue, run: { id: this.run, filmId: this.film }, epoch: begun?.epoch ?? 0 },
      ...{ listen: this.hear, clock: systemClock, others: () => ({ hands: 2_000, workers: 200 }) },
      film: { root, store, shared, secrets: given.secrets ?? new Redactor([]), journal: { durable: async () => {} } },
      here: { download: nothingHere, derive: nothingHere },
      ...{ leaving: new AbortController().signal, trouble: () => {} },
      ...given,
    });
    this.#ends.push(() => executor.close());
    return executor;
  }

  /** A worker of this process. */
  async worker(name: string, given: Partial<ConstructorParameters<typeof TaskWorker>[0]> = {}): Promise<TaskWorker> {
    const { team } = this;
    const machine = await this.machine();
    const queue = new TeamQueue({
      url: this.url,
      schema: this.queueSchema,
      trouble: () => {},
      works: true,
      beat: QUICK,
    });
    await queue.start();
    const worker = new TaskWorker({
      ...{ team, queue, worker: name, atOnce: 4, clock: systemClock, newId: randomUUID },
      ...{ folder: join(this.folder, name), environment: { PATH: process.env.PATH } },
      storesFor: async () => machine,
      ...given,
      ...(given.atOnce === 0 && { atOnce: 4 }),
    });
    // None at once: it is given jobs by the test.
    if (given.atOnce !== 0) await queue.workTasks(given.atOnce ?? 4, job => worker.do(job));
    const leave = async () => {
      await queue.takeNoMore();
      await worker.leave();
    };
    this.#leaves.set(worker, leave);
    this.#ends.push(async () => {
      await leave();
      await queue.stop(0);
    });
    return worker;
  }

  /** A worker that can be killed. Resolves when it takes jobs. */
  async process(name: string, atOnce = 4): Promise<ChildProcess> {
    const { url, schema, queueSchema, folder } = this;
    const given: WorkerProcess = {
      ...{ url, schema, queueSchema, name, atOnce, beat: QUICK },
      ...{ folder: join(folder, name), store: join(folder, 'team') },
    };
    const child = spawn(process.execPath, [PROCESS, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#ends.push(async () => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  }

  /** As when it is told to end. */
  async leaves(worker: TaskWorker): Promise<void> {
    await this.#leaves.get(worker)?.();
  }

  /** Puts files into the team's store, and names them in the run's manifest. */
  async handsIn(files: { readonly [path: string]: string }): Promise<void> {
    const { local, shared } = await this.machine();
    const manifest: { -readonly [path in keyof Manifest]: Manifest[path] } = {};
    for (const [path, text] of Object.entries(files)) {
      const { sha256, bytes } = await local.put([Buffer.from(text)], '');
      await shared.sent({ sha256, extension: '' }, new AbortController().signal);
      manifest[path] = { sha256, bytes, ...(text.startsWith('#!') && { executable: true }) };
    }
    await this.team.query('UPDATE run SET manifest = $2 WHERE id = $1', [this.run, JSON.stringify(manifest)]);
  }

  /** Of the jobs of the run, oldest first. */
  rows<Row>(columns: string): Promise<readonly Row[]> {
    return this.team.query<Row>(
      `SELECT ${columns} FROM ${this.queueSchema}.job WHERE name = $1 AND data ->> 'run' = $2 ORDER BY created_on, id`,
      [TASK, this.run],
    );
  }

  jobs(): TaskJobs {
    return new TaskJobs(this.team, this.queue, {
      clock: systemClock,
      signal: new AbortController().signal,
      trouble: () => {},
    });
  }

  /** A worker takes the oldest job that waits: the queue says so, and begins nothing by itself. */
  async taken(): Promise<TaskAttempt> {
    const take = `UPDATE ${this.queueSchema}.job SET state = 'active', heartbeat_on = now(),
         retry_count = retry_count + CASE WHEN started_on IS NULL THEN 0 ELSE 1 END, started_on = now()
       WHERE id = (SELECT id FROM ${this.queueSchema}.job WHERE name = $1 AND data ->> 'run' = $2 AND state < 'active' ORDER BY created_on LIMIT 1)
       RETURNING id, retry_count AS "retryCount", data`;
    for (;;) {
      const [taken] = await this.team.query<Omit<TaskAttempt, 'signal'>>(take, [TASK, this.run]);
      if (taken) return { ...taken, signal: new AbortController().signal };
      await systemClock.sleep(20);
    }
  }

  /** The queue finds that the worker which has this job beats no more. */
  async missed({ id }: TaskAttempt): Promise<void> {
    const state = "CASE WHEN retry_count < retry_limit THEN 'retry' ELSE 'failed' END";
    await this.team.query(`UPDATE ${this.queueSchema}.job SET state = (${state})::pgboss.job_state WHERE id = $1`, [
      id,
    ]);
    await this.team.query("SELECT pg_notify('shotlist', $1)", [topicOf(this.run, id)]);
  }

  async close(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
    await this.queue.stop(0);
  }
}

/** Seconds, as short as the queue allows. */
const QUICK = { ...BEAT, refresh: 0.5, supervise: 1, poll: 0.5 };

const nothingHere = async () => ({ is: 'failed', message: 'there is nothing here' }) as const;

type Hear = (topic: string, listener: () => void) => () => void;

/** One connection for all who hear. */
async function hearing(team: TeamDatabase): Promise<{ readonly hear: Hear; readonly close: () => Promise<void> }> {
  const listeners = new Map<string, Set<() => void>>();
  const { close } = await team.listen(
    'shotlist',
    topic => {
      for (const listener of listeners.get(topic) ?? []) listener();
    },
    () => {},
  );
  const hear: Hear = (topic, listener) => {
    const all = listeners.get(topic) ?? new Set();
    listeners.set(topic, all.add(listener));
    return () => void all.delete(listener);
  };
  return { hear, close };
}
