/** What is done to a team's database now and then: old events go, and a restored backup is owned up to. */
import type { TeamDatabase } from '../database/team-database.ts';

export interface Pruned {
  readonly runs: number;
  readonly events: number;
  readonly told: number;
}

/** What later runs ask for: results, what they cost, acts, and whether an act or an activation was left open. */
const KEPT = `'succeeded', 'reused', 'billed', 'command_started', 'failed', 'retrying', 'activation_intended', 'activation_closed'`;

/**
 * Events of runs that came to their end before then, and what they told. Never what was paid for: submissions, charges, results and choices
 * stay, and so does everything of a film of which a run is still to be made.
 */
export async function prune(team: TeamDatabase, before: Date): Promise<Pruned> {
  return team.transaction(async ({ query }) => {
    await query(
      `CREATE TEMP TABLE pruned ON COMMIT DROP AS SELECT id FROM run WHERE status IN ('done', 'failed', 'cancelled') AND changed_at < $1
         AND NOT EXISTS (SELECT 1 FROM run AS other WHERE other.film = run.film AND other.status IN ('queued', 'led', 'waiting'))`,
      [before.toISOString()],
    );
    const [count] = await query<{ n: number }>('SELECT count(*)::int AS n FROM pruned');
    const told = await query('DELETE FROM told WHERE run IN (SELECT id FROM pruned) RETURNING 1');
    await query(`DELETE FROM run_plan WHERE run IN (SELECT run FROM event WHERE submitted IN (SELECT id FROM pruned))`);
    const events = await query(
      `DELETE FROM event WHERE submitted IN (SELECT id FROM pruned) AND type NOT IN (${KEPT}) RETURNING 1`,
    );
    return { runs: count?.n ?? 0, events: events.length, told: told.length };
  });
}

export interface Restored {
  readonly films: number;
  /** Runs that were led when the backup was made, or waited for their turn. */
  readonly held: readonly string[];
  /** When the newest request that the database knows of was sent; null: it knows none. Unix milliseconds. */
  readonly newest: number | null;
}

/**
 * The database is as it was some time ago. Whoever led a film writes nothing more of it, and nothing is led before a person says so: what was
 * sent since then is known to the service alone, and would be paid for a second time.
 */
export async function restored(team: TeamDatabase): Promise<Restored> {
  return team.transaction(async ({ query }) => {
    // Far above whatever a lead of the lost time may have.
    const films = await query('UPDATE film SET epoch = epoch + 1000000, led_by = NULL RETURNING 1');
    const reason = 'the database was restored from a backup: what was sent since then is not known here';
    const held = await query<{ id: string }>(
      `UPDATE run SET status = 'failed', leader = NULL, lead_job = NULL, changed_at = now(), outcome = $1
       WHERE status IN ('queued', 'led') RETURNING id`,
      [JSON.stringify({ is: 'unwritable', usd: 0, reason })],
    );
    const [newest] = await query<{ at: number | null }>('SELECT max(at) AS at FROM submission');
    return { films: films.length, held: held.map(({ id }) => id), newest: newest?.at ?? null };
  });
}

/** Which of these generations no film of the team has. */
export async function unknownAmong(
  { query }: Pick<TeamDatabase, 'query'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await query<{ id: string }>(
    'SELECT generation_id AS id FROM submission WHERE generation_id = ANY($1)',
    [[...ids]],
  );
  const there = new Set(known.map(({ id }) => id));
  return new Set(ids.filter(id => !there.has(id)));
}
