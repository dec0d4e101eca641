/** What commands of a team's runs wrote: where each log is in the team's store. Rows stand in `hand`, beside those of older versions. */
import { randomUUID } from 'node:crypto';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Queries } from '../database/team-database.ts';

export interface TaskLog {
  readonly key: InstanceKey;
  readonly worker: string;
  /** Of the text, which is in the team's store. */
  readonly sha256: string;
}

export async function keepLog(
  { query }: Queries,
  { run, film }: { readonly run: string; readonly film: string },
  { key, worker, sha256 }: TaskLog,
): Promise<void> {
  await query("INSERT INTO hand (id, run, film, key, state, worker, log) VALUES ($1, $2, $3, $4, 'taken', $5, $6)", [
    randomUUID(),
    run,
    film,
    key,
    worker,
    sha256,
  ]);
}

/** The logs of a run, oldest first. @param key of one instance; absent: of all. */
export async function taskLogs({ query }: Queries, run: string, key?: InstanceKey): Promise<readonly TaskLog[]> {
  return query<TaskLog>(
    `SELECT key, worker, log AS sha256 FROM hand
     WHERE run = $1 AND log IS NOT NULL AND ($2::text IS NULL OR key = $2) ORDER BY hand.at, id`,
    [run, key ?? null],
  );
}

/** Calls off an act that a lead of an older version gave out, and no worker has begun: it would act beside this lead's. */
export async function callOffOlder({ query }: Queries, run: string, key: InstanceKey): Promise<void> {
  const gone = "state = 'taken', work = NULL, is_wanted = false";
  await query(
    `UPDATE hand SET ${gone} WHERE run = $1 AND key = $2 AND state IN ('queued', 'doing') AND NOT has_acted`,
    [run, key],
  );
}
