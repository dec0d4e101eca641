/**
 * The queue of the team: a `lead` job for each run, and a `hand` job (a task) for each command or cut that a lead sends to other workers. Only this
 * file uses pg-boss; `task-jobs.ts` reads and writes the rows of tasks.
 *
 * It assigns jobs, and takes them from a machine without heartbeats; it is never relied on to give a job to one worker
 * only. The film's epoch decides who leads it, and what a task makes is content, so that it may be made twice. Limits are no matter
 * of the queue's: see `admission_rows`.
 */
import { type Job, PgBoss } from 'pg-boss';
import type { Queries, TeamDatabase } from '../database/team-database.ts';

interface TeamQueueOptions {
  readonly url: string;
  /** The connections that its statements share with all others of this process. Absent: it has its own. */
  readonly database?: Pick<TeamDatabase, 'raw' | 'listen'>;
  /** Absent: `pgboss`. */
  readonly schema?: string;
  /** Hears what goes wrong in the background: a connection that broke, mostly, which is made anew. */
  readonly trouble: (message: string) => void;
  /** Requeues jobs of dead workers. Absent: this process only sends. */
  readonly works?: true;
  /** Shorter beats, for tests of what happens without them. */
  readonly beat?: Beat;
}

/** Seconds. */
interface Beat {
  /** Seconds without a heartbeat after which a job is given to another worker. The queue allows no less than 10. */
  readonly heartbeat: number;
  readonly refresh: number;
  readonly supervise: number;
  readonly poll: number;
}

/** Seconds after its last beat at which the lead of a run counts as gone: a takeover takes ten at most. The queue itself allows no less than 10. */
const SILENT = 7;

export const BEAT: Beat = { heartbeat: 15, refresh: 3, supervise: 5, poll: 5 };

interface LeadJob {
  readonly run: string;
}

/** A lead of a run: what it gives out is its own until another one leads. */
export interface TaskLead {
  readonly run: string;
  readonly film: string;
  readonly epoch: number;
}

interface TaskPayload extends TaskLead {
  /** A `RemoteTask` as JSON in a text, which holds what jsonb refuses: NUL, half characters. It goes when the job ends. */
  readonly work: string;
}

/** @param job names this turn: a worker that dies has it taken up under the same name. */
type LeadTurn = (data: LeadJob, signal: AbortSignal, job: string) => Promise<void>;

/** One attempt at a task. `signal` aborts when the job is cancelled, or given to another worker. */
export type TaskAttempt = Pick<Job<TaskPayload>, 'id' | 'retryCount' | 'data' | 'signal'>;

/** Names carry the version of what is in a job: a worker that does not know it leaves it to others. */
const LEAD = 'lead.v1';
export const TASK = 'hand.v2';
/** Attempts at a task that no worker ends, before it fails: each worker may have died of it. */
export const MAX_ATTEMPTS = 10;

export class TeamQueue {
  readonly #boss: PgBoss;
  readonly schema: string;
  readonly #beat: Beat;
  /** Ids of this process's pg-boss workers that have no task: each is a free slot. */
  readonly #freeSlots = new Set<string>();
  #takeTask: ((job: TaskAttempt) => Promise<void>) | undefined;
  #isStopping = false;

  constructor({ url, database, schema = 'pgboss', trouble, works, beat = BEAT }: TeamQueueOptions) {
    this.#beat = beat;
    this.schema = schema;
    this.#boss = new PgBoss({
      ...(database
        ? { db: sharedConnections(database), schema }
        : { connectionString: url, schema, max: 4, application_name: 'shotlist queue' }),
      ...{ migrate: false, createSchema: false, schedule: false, useListenNotify: works ?? false },
      ...{
        supervise: works ?? false,
        superviseIntervalSeconds: beat.supervise,
        monitorIntervalSeconds: beat.supervise,
      },
    });
    this.#boss.on('error', error => {
      // A read under way while the queue stops fails when its connection closes: that is no trouble.
      if (!this.#isStopping) trouble(error.message);
    });
  }

  /** Makes its tables and queues, or brings them up to date: once, when the database is set up. */
  static async setUp({ url, schema = 'pgboss' }: Pick<TeamQueueOptions, 'url' | 'schema'>): Promise<void> {
    const boss = new PgBoss({
      connectionString: url,
      schema,
      max: 2,
      migrate: true,
      schedule: false,
      supervise: false,
    });
    boss.on('error', () => {});
    await boss.start();
    try {
      for (const [name, options] of Object.entries(QUEUES)) {
        const dead = `${name}.dead`;
        // The lead reports a failed task, and a copy would keep the environment of its command.
        if (name === LEAD) await boss.createQueue(dead);
        await boss.createQueue(name, { ...options, ...(name === LEAD && { deadLetter: dead }) });
      }
    } finally {
      await boss.stop({ graceful: false });
    }
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /**
   * Asks for a lead of this run. False: a job for it waits already. One that is under way is no such job: the worker that takes the next meanwhile
   * finds the run led, and leaves it. @param within the transaction that writes why. @param after seconds; an earlier request is not delayed by
   * that.
   */
  async lead(
    run: string,
    { priority = 0, within, after }: { priority?: number; within?: Queries; after?: number } = {},
  ) {
    const job: LeadJob = { run };
    const id = await this.#boss.send(LEAD, job, {
      ...{ singletonKey: after === undefined ? run : `${run} later`, priority },
      ...(after !== undefined && { startAfter: after }),
      ...(within && { db: databaseOf(within) }),
    });
    return id !== null;
  }

  /**
   * Gives the runs of workers that have stopped beating to other workers at once; the queue would do the same later, and notify no worker.
   * A worker takes a job with its first beat. A worker that was only slow is superseded, and nothing is done twice. Returns those jobs.
   */
  async requeueLost(): Promise<readonly string[]> {
    const { rows } = await this.#boss.getDb().executeSql(
      `UPDATE ${this.schema}.job SET state = 'retry', start_after = ${this.schema}.job_now(), heartbeat_on = NULL
         WHERE name = $1 AND state = 'active' AND retry_count < retry_limit
           AND heartbeat_on < ${this.schema}.job_now() - $2 * interval '1 second' RETURNING id`,
      [LEAD, SILENT],
    );
    if (rows.length > 0) await this.#wake(LEAD);
    return rows.map(({ id }: { id: string }) => id);
  }

  /** Free workers look into the queue now: it announces new jobs alone. */
  async #wake(queue: string): Promise<void> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(`SELECT 'pgboss_' || left(encode(sha224($1::bytea), 'hex'), 24) AS channel`, [this.schema]);
    await this.#boss.getDb().executeSql('SELECT pg_notify($1, $2)', [(rows[0] as { channel: string }).channel, queue]);
  }

  /** Those of these jobs that a worker does, or will. */
  async live(jobs: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(`SELECT id FROM ${this.schema}.job WHERE id::text = ANY($1) AND state < 'completed'`, [[...jobs]]);
    return new Set(rows.map(({ id }: { id: string }) => id));
  }

  /** Returns those of the jobs that no worker has, each with the milliseconds since its last worker lost or ended it. An unknown job counts as long ago. */
  async withoutWorker(jobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#boss.getDb().executeSql(
      `SELECT asked.id, coalesce(extract(epoch FROM clock_timestamp() - coalesce(completed_on, start_after)) * 1000, 1e12)::float8 AS ms
         FROM unnest($1::text[]) AS asked (id) LEFT JOIN ${this.schema}.job ON job.id::text = asked.id WHERE state IS DISTINCT FROM 'active'`,
      [[...jobs]],
    );
    return new Map(rows.map(({ id, ms }: { id: string; ms: number }) => [id, ms]));
  }

  /** Which of these runs have a job that waits for its turn. */
  async awaited(runs: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#boss
      .getDb()
      .executeSql(
        `SELECT data ->> 'run' AS run FROM ${this.schema}.job WHERE name = $2 AND state < 'active' AND data ->> 'run' = ANY($1)`,
        [[...runs], LEAD],
      );
    return new Set(rows.map(({ run }: { run: string }) => run));
  }

  /** Jobs that wait for their turn again after a worker died or failed, and those that were given up. */
  async troubles(): Promise<{ readonly retried: number; readonly given_up: number }> {
    const { rows } = await this.#boss.getDb().executeSql(
      `SELECT count(*) FILTER (WHERE state = 'retry')::int AS retried,
        count(*) FILTER (WHERE name LIKE '%.dead' AND state < 'completed')::int AS given_up FROM ${this.schema}.job`,
    );
    return rows[0] as { retried: number; given_up: number };
  }

  /** @param id a UUID; a job of this id that exists stays as it is. @param key finds the job again. */
  async giveOut(
    { id, key, priority, data }: { id: string; key: string; priority: number; data: TaskPayload },
    within: Queries,
  ): Promise<void> {
    const options = { id, singletonKey: key, priority: wholeNumber(priority), db: databaseOf(within) };
    await this.#boss.send(TASK, data, options);
  }

  /** Leads up to so many runs at once, until `stop`. A turn that throws goes to another worker. */
  async workLeads(atOnce: number, turn: LeadTurn): Promise<void> {
    for (let n = 0; n < atOnce; n++) await this.#work<LeadJob>(LEAD, job => turn(job.data, job.signal, job.id));
  }

  /** Takes up to `atOnce` tasks at a time, until `stop`. A turn that throws is another worker's next. */
  async workTasks(atOnce: number, turn: (job: TaskAttempt) => Promise<void>): Promise<void> {
    this.#takeTask = turn;
    for (let n = 0; n < atOnce; n++) await this.#freeSlot();
  }

  /** Takes a free slot of this process, which takes no task until it is given back. Returns how; undefined: none is free. */
  occupySlot(): (() => void) | undefined {
    const [slot] = this.#freeSlots;
    if (slot === undefined || !this.#takeTask) return undefined;
    this.#freeSlots.delete(slot);
    void this.#boss.offWork(TASK, { id: slot, wait: false });
    return () => void this.#freeSlot();
  }

  async #freeSlot(): Promise<void> {
    const turn = this.#takeTask;
    if (turn) await this.#work(TASK, turn, this.#freeSlots);
  }

  async takeNoMore(): Promise<void> {
    this.#takeTask = undefined;
    for (const queue of [LEAD, TASK]) await this.#boss.offWork(queue, { wait: false }).catch(() => {});
  }

  /** @param graceful milliseconds for the turns under way; unfinished ones go to other workers. */
  async stop(graceful: number): Promise<void> {
    this.#isStopping = true;
    await this.#boss.stop({ graceful: graceful > 0, timeout: Math.max(1_000, graceful), close: true });
  }

  /**
   * Starts a worker that takes the next job as soon as it is free: the queue itself would wait for its next look without a notification. @param
   * free holds the name of the worker while it has no job.
   */
  async #work<Data extends object>(
    queue: string,
    turn: (job: Job<Data>) => Promise<void>,
    free?: Set<string>,
  ): Promise<void> {
    const { refresh, poll } = this.#beat;
    const options = {
      ...{ batchSize: 1, heartbeatRefreshSeconds: refresh },
      ...{ pollingIntervalSeconds: Math.min(2, poll), notifyPollingIntervalSeconds: poll },
    };
    let name = '';
    name = await this.#boss.work<Data>(queue, options, async ([job]: Job<Data>[]) => {
      const wasFree = free?.delete(name);
      try {
        if (job) await turn(job);
      } finally {
        if (wasFree) free?.add(name);
        this.#boss.notifyWorker(name);
      }
    });
    free?.add(name);
  }
}

/** As the queue's tables hold one. */
const wholeNumber = (priority: number): number =>
  Number.isNaN(priority) ? 0 : Math.round(Math.max(-1e9, Math.min(1e9, priority)));

const LONGEST_LEAD = 86_400;
const LONGEST_HAND = 21_600;

const QUEUES = {
  // One may wait, however many are under way. The team's tables ensure a single lead of a run: a queue that held jobs back for that would keep free
  // workers from all jobs behind them.
  [LEAD]: {
    ...{ policy: 'short', heartbeatSeconds: BEAT.heartbeat, expireInSeconds: LONGEST_LEAD },
    ...{ retryLimit: 1000, retryDelay: 0, notify: true },
  },
  [TASK]: {
    ...{ heartbeatSeconds: BEAT.heartbeat, expireInSeconds: LONGEST_HAND },
    ...{ retryLimit: MAX_ATTEMPTS - 1, retryDelay: 1, retryBackoff: true, notify: true },
  },
} as const;

type Within = NonNullable<NonNullable<Parameters<PgBoss['cancel']>[2]>['db']>;

const databaseOf = (queries: Queries): Within => ({
  executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await queries.query(text, values))] }),
});

/** Milliseconds until a connection that broke is made anew. Polling goes on meanwhile. */
const LISTEN_AGAIN = 1_000;

function sharedConnections(database: Pick<TeamDatabase, 'raw' | 'listen'>) {
  return {
    executeSql: (text: string, values?: unknown[]) => database.raw(text, values),
    listen: async (channel: string, onPayload: (payload: string) => void, isBack: () => void) => {
      let isClosed = false;
      let listening: { close(): Promise<void> } | undefined;
      const listen = async () => {
        if (isClosed) return;
        const opened = await database.listen(channel, onPayload, again);
        if (isClosed) return opened.close();
        listening = opened;
        isBack();
      };
      const again = () => void setTimeout(() => listen().catch(again), LISTEN_AGAIN).unref();
      await listen();
      return {
        close: async () => {
          isClosed = true;
          await listening?.close();
        },
      };
    },
  };
}
