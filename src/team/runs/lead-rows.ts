/** The turn of a run as the team's tables have it: begun by one worker, ended by the same, or taken over. */
import type { RecordedEvent } from '../../model/run/event.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { postgresSafeText, storableJson } from '../database/storable-text.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import type { RunRow, RunStatus } from './run-rows.ts';

interface LeadBegun {
  readonly run: string;
  readonly worker: string;
  /** Of the queue, by which it is led. */
  readonly job: string;
  /** The job of the lead that it had, which no worker does any more. */
  readonly gone?: string | undefined;
}

/** The epoch of its lead; undefined: it is at its end, another worker leads it, or another run of the same film is led at the moment. */
export async function beginLead(
  team: TeamDatabase,
  { run, worker, job, gone }: LeadBegun,
): Promise<number | undefined> {
  const [row] = await team.query<{ epoch: number | null }>('SELECT begin_lead($1, $2, $3, $4) AS epoch', [
    ...[run, worker, job, gone ?? null],
  ]);
  return row?.epoch ?? undefined;
}

/** Milliseconds. A lead that vanishes within this time is counted; a longer one resets the count. */
const EARLY = 600_000;

/**
 * Counts the leads of this run in a row that vanished early, without an end. Returns the count.
 * @param before the run as it was when this lead began. @param now Unix milliseconds by the database's clock.
 */
export async function countCutOff(
  { query }: Queries,
  before: Pick<RunRow, 'id' | 'status' | 'changedAt' | 'cutOff'>,
  now: number,
): Promise<number> {
  const { id, status, changedAt, cutOff } = before;
  const count = status !== 'led' ? 0 : now - changedAt < EARLY ? cutOff + 1 : 1;
  await query('UPDATE run SET cut_off = $2, refused = NULL WHERE id = $1', [id, count]);
  return count;
}

/** Records why a worker cannot lead a run, for `team status`. The run waits for another worker. */
export async function noteRefusal({ query }: Queries, run: string, why: string): Promise<void> {
  await query("UPDATE run SET refused = $2 WHERE id = $1 AND status = 'queued' AND refused IS DISTINCT FROM $2", [
    run,
    postgresSafeText(why),
  ]);
}

/** The worker of these jobs is gone, and waits for no place any more: others do not queue behind it until its film is led again. */
export async function leaveLine({ query }: Queries, jobs: readonly string[]): Promise<void> {
  await query("DELETE FROM want WHERE film IN (SELECT film FROM run WHERE status = 'led' AND lead_job = ANY($1))", [
    [...jobs],
  ]);
}

export interface EndOfLead {
  readonly run: string;
  readonly epoch: number;
  readonly status: Exclude<RunStatus, 'led'>;
  readonly outcome: JsonObject;
  /** The newest choice that the lead has seen. */
  readonly lastChoice: number;
  /** Seconds after which its turn comes again; with `queued`. */
  readonly after?: number;
  /** The last event of the turn, with its end. */
  readonly told?: RecordedEvent | undefined;
}

/** The status that it has now; undefined: another worker leads it. What waits behind it for the film has its turn next. */
export async function endLead(team: TeamDatabase, queue: TeamQueue, end: EndOfLead): Promise<RunStatus | undefined> {
  const { run, epoch, status, outcome, lastChoice, after, told } = end;
  return team.transaction(async within => {
    const [row] = await within.query<{ status: RunStatus | null }>('SELECT end_lead($1, $2, $3, $4, $5) AS status', [
      ...[run, epoch, status, storableJson(outcome), lastChoice],
    ]);
    if (!row?.status) return undefined;
    if (told) await within.query('INSERT INTO told (run, body) VALUES ($1, $2)', [run, JSON.stringify(told)]);
    if (row.status === 'queued') await queue.lead(run, { within, ...(after !== undefined && { after }) });
    const [next] = await within.query<{ id: string; priority: number }>(
      `SELECT id, priority FROM run WHERE film = (SELECT film FROM run WHERE id = $1) AND id <> $1 AND status = 'queued'
       ORDER BY created_at LIMIT 1`,
      [run],
    );
    if (next) await queue.lead(next.id, { within, priority: next.priority });
    return row.status;
  });
}
