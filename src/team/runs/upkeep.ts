/** Upkeep of a team's database: deletes old events, announces a restored backup, finds deployments of films without a lead. */

import type { RunId } from '../../model/run/key.ts';
import { isObject, recordIn } from '../../model/text/json.ts';
import { isAt } from '../../records/views/ledger.ts';
import { type Activation, openActivations } from '../../records/views/model-durations.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';

interface Pruned {
  readonly runs: number;
  readonly events: number;
  readonly told: number;
}

/** What later runs ask for: results, what they cost, acts, and whether an act or an activation was left open. */
const KEPT = `'succeeded', 'reused', 'billed', 'command_started', 'failed', 'retrying', 'activation_intended', 'activation_closed'`;

/**
 * Events of runs that ended before then, and their news. Never what was paid for: submissions, charges, results and choices stay, and so does
 * everything of a film with a run still to be made.
 */
export async function prune(team: TeamDatabase, before: Date): Promise<Pruned> {
  return team.transaction(async ({ query }) => {
    const ended = await query<{ id: string }>(
      `SELECT id FROM run WHERE status IN ('done', 'failed', 'cancelled') AND changed_at < $1
         AND NOT EXISTS (SELECT 1 FROM run AS other WHERE other.film = run.film AND other.status IN ('queued', 'led', 'waiting'))`,
      [before.toISOString()],
    );
    const runs = [ended.map(({ id }) => id)];
    const told = await query('DELETE FROM told WHERE run = ANY($1) RETURNING 1', runs);
    await query('DELETE FROM run_plan WHERE run IN (SELECT run FROM event WHERE submitted = ANY($1))', runs);
    const events = await query(
      `DELETE FROM event WHERE submitted = ANY($1) AND type NOT IN (${KEPT}) RETURNING 1`,
      runs,
    );
    return { runs: ended.length, events: events.length, told: told.length };
  });
}

/** Deletes a choice that cannot be read. Returns the id of its film; undefined: there is no such choice, or it can be read. */
export async function dropUnreadable({ query }: Queries, id: number): Promise<string | undefined> {
  const [row] = await query<{ film: string | null }>('SELECT drop_unreadable($1) AS film', [id]);
  return row?.film ?? undefined;
}

interface Restored {
  readonly films: number;
  /** Runs that were not at their end when the backup was made. */
  readonly held: readonly string[];
  /**
   * Since when something may have been sent that has no row: the newest thing that the database knows of, or the given time; null: it knows
   * nothing. Unix milliseconds.
   */
  readonly newest: number | null;
}

/**
 * The database is as it was some time ago. Earlier leads write nothing more of their films, nothing is led before a person allows it, and what is
 * asked for then is looked for at its service before it is sent: what was sent since the backup is known there alone. Work that was given
 * out is given out anew by the next lead.
 * @param since when the backup was made, Unix milliseconds: a process that outlived the outage may have written since. Absent: none has.
 * @param generation the newest that is known outside of the database: the new one is above it.
 */
export async function restored(
  { query }: Pick<TeamDatabase, 'query'>,
  since: number | null = null,
  generation = 0,
): Promise<Restored> {
  const [counted] = await query<Restored>('SELECT * FROM count_as_restored($1, 0, true, $2)', [since, generation]);
  if (!counted) throw new Error('count_as_restored returned no row');
  return counted;
}

/**
 * A person declares that nothing of the lost time is left to be looked for: from now on requests are sent like any other. @param account of which
 * service and key; absent: of all.
 */
export async function restoredIsOver({ query }: Pick<TeamDatabase, 'query'>, account = ''): Promise<void> {
  await query('INSERT INTO restored_over (restored, account) SELECT id, $1 FROM restored ON CONFLICT DO NOTHING', [
    account,
  ]);
}

/** Returns those of these generations, at the service of this account, that no film of the team has. */
export async function unknownAmong(
  { query }: Pick<TeamDatabase, 'query'>,
  ids: readonly string[],
  account: string,
): Promise<ReadonlySet<string>> {
  const known = await query<{ id: string; account: string }>(
    'SELECT generation_id AS id, account FROM submission WHERE generation_id = ANY($1)',
    [[...ids]],
  );
  const there = new Set(known.filter(row => isAt(row, { account })).map(({ id }) => id));
  return new Set(ids.filter(id => !there.has(id)));
}

/** A deployment that a run activated, of a film that no worker leads. */
export interface OrphanedDeployment {
  readonly film: string;
  /** The row of `run` that activated it, and the lead of that run: its events have this id. */
  readonly run: string;
  readonly lead: RunId;
  readonly model: string;
  /** The film's epoch at the time of the query. */
  readonly epoch: number;
}

/** Returns the deployments of films without a lead for `ms`, as the journal knows them: each may be inactive already. */
export async function findOrphanedDeployments(
  { query }: Queries,
  queue: Pick<TeamQueue, 'withoutWorker'>,
  ms: number,
): Promise<readonly OrphanedDeployment[]> {
  const rows = await query<ActivationRow>(
    `SELECT e.film, e.submitted AS run, e.run AS lead, e.type, e.body, r.service, f.epoch, now_ms() - e.at AS age, l.ended_ago,
       l.jobs, l.is_jobless
       FROM event e JOIN film f ON f.id = e.film JOIN run r ON r.id = e.submitted, LATERAL (
         -- A run that is handed in, and was never led, leaves the deployment as long without a lead as it was.
         SELECT extract(epoch FROM now() - max(changed_at) FILTER (WHERE status <> 'queued' OR outcome IS NOT NULL)) * 1000 AS ended_ago,
           array_remove(array_agg(lead_job) FILTER (WHERE status = 'led'), NULL) AS jobs,
           coalesce(bool_or(status = 'led' AND lead_job IS NULL), false) AS is_jobless
         FROM run WHERE run.film = e.film) l
       WHERE e.type IN ('activation_intended', 'activation_closed') AND e.film IN (
         SELECT film FROM event WHERE type IN ('activation_intended', 'activation_closed') GROUP BY film
         HAVING count(*) FILTER (WHERE type = 'activation_intended') > count(*) FILTER (WHERE type = 'activation_closed'))
       ORDER BY e.id`,
  );
  const activations = rows.flatMap(row => {
    const body = recordIn(row.body);
    return isObject(body) && typeof body.model === 'string' ? [{ ...row, event: row, model: body.model }] : [];
  });
  const open = openActivations(activations, ({ film, service, model }) => JSON.stringify([film, service, model]));
  const without = await queue.withoutWorker([...open.values()].flatMap(({ jobs }) => jobs ?? []));
  return [...open.values()]
    .filter(({ age, ended_ago: ended, jobs, is_jobless }) => {
      const lost = (jobs ?? []).map(job => without.get(job) ?? 0);
      return !is_jobless && Math.min(age, ended ?? age, ...lost) >= ms;
    })
    .map(({ film, run, lead, model, epoch }) => ({ film, run, lead, model, epoch }));
}

interface ActivationRow {
  readonly film: string;
  readonly run: string;
  readonly lead: RunId;
  readonly type: Activation['event']['type'];
  readonly body: string;
  readonly service: string;
  readonly epoch: number;
  /** Milliseconds since it was intended, and since a run of the film was led last. */
  readonly age: number;
  readonly ended_ago: number | null;
  /** Jobs of the queue by which runs of the film are led. */
  readonly jobs: readonly string[] | null;
  /** A run is led without a job. */
  readonly is_jobless: boolean;
}

/**
 * Takes a film from its former lead. Returns the epoch of the new lead, which leads no run; undefined: another lead of the film has begun
 * since `epoch` was read.
 */
export async function claimFilm({ query }: Queries, film: string, epoch: number): Promise<number | undefined> {
  const [row] = await query<{ epoch: number }>(
    'UPDATE film SET epoch = greatest(epoch, least_epoch()) + 1 WHERE id = $1 AND epoch = $2 RETURNING epoch',
    [film, epoch],
  );
  return row?.epoch;
}

/** Runs `work` while no other lead of the film can begin. Undefined, without running it: another one has begun since `epoch`. */
export async function whileLeading<T>(
  team: TeamDatabase,
  { film, epoch }: { readonly film: string; readonly epoch: number },
  work: () => Promise<T>,
): Promise<T | undefined> {
  return team.transaction(async ({ query }) => {
    // A machine that freezes here delays the next lead by this time at most.
    await query("SET LOCAL idle_in_transaction_session_timeout = '60s'");
    const [row] = await query<{ leads: boolean }>('SELECT still_leads($1, $2) AS leads', [film, epoch]);
    return row?.leads === true ? work() : undefined;
  });
}
