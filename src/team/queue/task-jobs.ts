/**
 * The jobs of commands and cuts that a lead sends to other workers. A job carries the work itself, and ends with its result:
 *
 *     created ──▶ active ──▶ completed, with the result    its lead takes the result, and deletes the job
 *        ▲           │
 *        └── retry ──┴─────▶ failed                        its worker died, or left, too often, or after an act had begun
 *
 * Its id is a digest of run and work: a later lead finds the job of an earlier one, and no work is given out twice. What acts outside begins
 * at most once: its worker takes the retries away first (`begins`), in the row that holds the number of its attempt.
 */
import { createHash } from 'node:crypto';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import { type Reaching, whileReachable } from '../database/while-reachable.ts';
import { type RemoteTask, resultIn, type TaskResult } from '../tasks/remote-task.ts';
import { TASK, type TaskAttempt, type TaskLead, type TeamQueue } from './team-queue.ts';

export interface TaskNews {
  readonly worker?: string;
  readonly begun?: true;
  /** Of a cut: how much of it is rendered, 0 to 1. */
  readonly progress?: number;
  /** Why it does not go on at the moment; null: it does. */
  readonly trouble?: string | null;
}

type TaskState =
  | { readonly is: 'open'; readonly isCalledOff: boolean; readonly news: TaskNews }
  | { readonly is: 'ended'; readonly result: TaskResult }
  /** No worker ends it. `acted`: it acts outside, and was begun. */
  | { readonly is: 'failed'; readonly acted: boolean };

export class TaskJobs {
  readonly #team: TeamDatabase;
  readonly #queue: TeamQueue;
  readonly #reaching: Reaching;

  /** @param reaching how to wait while the database is out of reach. */
  constructor(team: TeamDatabase, queue: TeamQueue, reaching: Reaching) {
    this.#team = team;
    this.#queue = queue;
    this.#reaching = reaching;
  }

  /** A job that exists stays as it is. False: another worker leads the film. */
  give(lead: TaskLead, work: RemoteTask, priority: number): Promise<boolean> {
    return this.#asLead(lead, async within => {
      const id = jobOf(lead, work);
      await this.#rows(`DELETE FROM $job WHERE name = $1 AND id = $2::uuid AND NOT (${OF_USE})`, [id], within);
      const data = { ...lead, work: JSON.stringify(work) };
      await this.#queue.giveOut({ id, key: nameOf(lead, work.work.key), priority, data }, within);
    });
  }

  /** Whether there is a job of this lead, or of an earlier one. One from before a restored backup is of no use. */
  async exists(id: string): Promise<boolean> {
    const rows = await this.#rows(`SELECT FROM $job WHERE name = $1 AND id = $2::uuid AND ${OF_USE}`, [id]);
    return rows.length > 0;
  }

  /** Undefined: the job is gone. */
  async look(id: string): Promise<TaskState | undefined> {
    const [row] = await this.#rows<{
      readonly state: string;
      readonly acted: boolean;
      readonly output: (TaskNews & { readonly result?: string }) | null;
    }>("SELECT state, data ? 'begun' AS acted, output FROM $job WHERE name = $1 AND id = $2::uuid", [id]);
    if (!row) return undefined;
    if (row.output?.result !== undefined) return { is: 'ended', result: resultIn(row.output.result) };
    if (row.state === 'failed') return { is: 'failed', acted: row.acted };
    return { is: 'open', isCalledOff: row.state === 'cancelled', news: row.output ?? {} };
  }

  /** Cancels it, unless it has acted outside. A worker that does it stops, and reports that. */
  async cancel(lead: TaskLead, id: string): Promise<void> {
    const sql = `UPDATE $job SET state = 'cancelled', completed_on = now(), data = data - 'work',
      output = CASE state WHEN 'active' THEN output ELSE $3::jsonb END
      WHERE name = $1 AND id = $2::uuid AND state < 'completed' AND NOT data ? 'begun'`;
    await this.#asLead(lead, within => this.#rows(sql, [id, outputOf({ is: 'stopped' })], within));
  }

  /** Deletes jobs, after their results were used. Workers stop what they do for a deleted job. @param ids absent: all of the run that have not acted outside. */
  async drop(lead: TaskLead, ids?: readonly string[]): Promise<void> {
    const all = "starts_with(singleton_key, $2 || ' ') AND NOT data ? 'begun'";
    const sql = `DELETE FROM $job WHERE name = $1 AND ${ids === undefined ? all : 'id = ANY($2::uuid[])'}`;
    await this.#asLead(lead, within => this.#rows(sql, [ids ?? lead.run], within));
  }

  /** The worker that does the work of an instance at this moment. */
  async workerAt(run: string, key: InstanceKey): Promise<string | undefined> {
    const [row] = await this.#rows<{ worker: string | null }>(
      `SELECT output ->> 'worker' AS worker FROM $job WHERE name = $1 AND singleton_key = $2 AND state = 'active' LIMIT 1`,
      [nameOf({ run }, key)],
    );
    return row?.worker ?? undefined;
  }

  /** What acts outside begins: from here on no other worker gets the job. False: it must not begin. */
  async begins({ id, retryCount }: TaskAttempt): Promise<boolean> {
    const rows = await this.#rows(
      `UPDATE $job SET retry_limit = retry_count, data = data || '{"begun": true}'
       WHERE name = $1 AND ${CURRENT} AND NOT data ? 'begun' AND ${OF_USE} RETURNING id`,
      [id, retryCount],
    );
    return rows.length > 0;
  }

  async report({ id, retryCount, data: { run } }: TaskAttempt, news: TaskNews): Promise<void> {
    await this.#rows(
      `WITH told AS (UPDATE $job SET output = coalesce(output, '{}') || $5::jsonb WHERE name = $1 AND ${CURRENT} RETURNING id)
       SELECT pg_notify('shotlist', $4) FROM told`,
      [id, retryCount, topicOf(run, id), JSON.stringify(news)],
    );
  }

  /** The work has ended. The result of an attempt that is not the current one is of no use. */
  async settle({ id, retryCount, data: { run } }: TaskAttempt, result: TaskResult): Promise<void> {
    await this.#rows(
      `WITH ended AS (UPDATE $job SET completed_on = now(), output = $5::jsonb, data = data - 'work',
         state = CASE state WHEN 'active' THEN 'completed' ELSE state END
         WHERE name = $1 AND id = $2::uuid AND retry_count = $3 AND state IN ('active', 'cancelled') RETURNING id)
       SELECT pg_notify('shotlist', $4) FROM ended`,
      [id, retryCount, topicOf(run, id), outputOf(result)],
    );
  }

  #asLead({ film, epoch }: TaskLead, change: (within: Queries) => Promise<unknown>): Promise<boolean> {
    const changed = async (within: Queries) => {
      const [row] = await within.query<{ leads: boolean }>('SELECT still_leads($1, $2) AS leads', [film, epoch]);
      if (row?.leads) await change(within);
      return row?.leads === true;
    };
    return whileReachable(() => this.#team.transaction(changed), this.#reaching);
  }

  #rows<Row = unknown>(sql: string, values: readonly unknown[], within?: Queries): Promise<readonly Row[]> {
    const ask = () =>
      (within ?? this.#team).query<Row>(sql.replaceAll('$job', `${this.#queue.schema}.job`), [TASK, ...values]);
    return within ? ask() : whileReachable(ask, this.#reaching);
  }
}

/** On the team's channel: something is known of a job. */
export const topicOf = (run: string, id: string): string => `hands:${run}:${id}`;

/** The id of the job of this work: a UUID. */
export const jobOf = ({ run }: Pick<TaskLead, 'run'>, work: RemoteTask): string =>
  createHash('sha256')
    .update(JSON.stringify([run, work.is, work.work]))
    .digest('hex')
    .slice(0, 32)
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const nameOf = ({ run }: Pick<TaskLead, 'run'>, key: InstanceKey): string => `${run} ${key}`;

/** As a text, which holds what jsonb refuses: NUL, half characters. */
const outputOf = (result: TaskResult): string => JSON.stringify({ result: JSON.stringify(result) });

const OF_USE = "state <> 'cancelled' AND (data ->> 'epoch')::integer > least_epoch()";
const CURRENT = "id = $2::uuid AND retry_count = $3 AND state = 'active'";
