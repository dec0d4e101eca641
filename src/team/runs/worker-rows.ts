/** The workers of a team, by their last reports. Shown to people, and no decision depends on it. */
import type { Queries } from '../database/team-database.ts';

export interface WorkerRow {
  readonly name: string;
  readonly shotlist: string;
  readonly does: readonly string[];
  readonly hands: number;
  readonly leads: number;
}

export interface SeenWorker extends WorkerRow {
  /** Unix milliseconds, of the database's clock. */
  readonly since: number;
  readonly seen: number;
}

/** Seconds without a heartbeat after which a worker is no longer shown. */
const FORGOTTEN = 86_400;

export async function sendHeartbeat(
  { query }: Queries,
  { name, shotlist, does, hands, leads }: WorkerRow,
): Promise<void> {
  await query(
    `INSERT INTO worker (name, shotlist, does, hands, leads) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (name) DO UPDATE SET shotlist = excluded.shotlist, does = excluded.does, hands = excluded.hands,
       leads = excluded.leads, seen = now()`,
    [name, shotlist, [...does], hands, leads],
  );
  await query("DELETE FROM worker WHERE seen < now() - $1 * interval '1 second'", [FORGOTTEN]);
}

/** Notifies the other workers that this one leads runs from now on, so that each offers it the runs that it cannot lead itself. */
export async function announceLead({ query }: Queries, name: string): Promise<void> {
  await query("SELECT pg_notify('shotlist', $1)", [`${TOPIC}${name}`]);
}

const TOPIC = 'leads:';

/** Whether a notification announces that a worker has begun to lead runs. */
export const isNewLead = (topic: string): boolean => topic.startsWith(TOPIC);

export async function forgetWorker({ query }: Queries, name: string): Promise<void> {
  await query('DELETE FROM worker WHERE name = $1', [name]);
}

/** Those that are at work, or were a minute ago. A row of a backup is as old as the backup. */
export async function workersOfLate({ query }: Queries): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    "SELECT name FROM worker WHERE seen > now() - interval '1 minute' ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

/** The slots for commands and cuts of the workers heard of lately, beside this one, and how many workers have any. */
export async function slotsOfOthers({ query }: Queries, name: string) {
  const [row] = await query<{ hands: number; workers: number }>(
    `SELECT coalesce(sum(hands), 0)::integer AS hands, count(*) FILTER (WHERE hands > 0)::integer AS workers
     FROM worker WHERE name <> $1 AND seen > now() - interval '1 minute'`,
    [name],
  );
  return row ?? { hands: 0, workers: 0 };
}

/** What each leads is counted here and now: its own report is some seconds old, and of a worker that died it stays as it was. */
export async function workers({ query }: Queries): Promise<readonly SeenWorker[]> {
  return query<SeenWorker>(
    `SELECT name, shotlist, does, hands, (SELECT count(*)::int FROM run WHERE status = 'led' AND leader = worker.name) AS leads,
       (extract(epoch FROM since) * 1000)::bigint AS since,
       (extract(epoch FROM seen) * 1000)::bigint AS seen FROM worker ORDER BY name`,
  );
}
