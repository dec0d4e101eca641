/** What the operator allows with each key, and at each of its models: read at each admission, so it holds at once. */
import type { TeamDatabase } from '../database/team-database.ts';

/** Null takes a limit away; absent leaves it as it is. */
export interface LimitsGiven {
  readonly in_flight?: number | null;
  readonly per_second?: number | null;
  readonly usd_per_day?: number | null;
  readonly models: ReadonlyMap<string, number | null>;
}

export interface LimitsSet {
  readonly account: string;
  readonly name: string;
  readonly in_flight: number | null;
  readonly per_second: number | null;
  readonly usd_per_day: number | null;
  readonly models: { readonly [model: string]: number };
}

export async function setLimits(
  team: TeamDatabase,
  { account, name }: { readonly account: string; readonly name: string },
  given: LimitsGiven,
): Promise<void> {
  await team.transaction(async ({ query }) => {
    await query(
      'INSERT INTO service_limit (account, name) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET name = excluded.name',
      [account, name],
    );
    for (const column of ['in_flight', 'per_second', 'usd_per_day'] as const)
      if (given[column] !== undefined)
        await query(`UPDATE service_limit SET ${column} = $2 WHERE account = $1`, [account, given[column]]);
    for (const [model, most] of given.models) {
      if (most === null) await query('DELETE FROM model_limit WHERE account = $1 AND model = $2', [account, model]);
      else
        await query(
          `INSERT INTO model_limit (account, model, in_flight) VALUES ($1, $2, $3)
           ON CONFLICT (account, model) DO UPDATE SET in_flight = excluded.in_flight`,
          [account, model, most],
        );
    }
    await query("SELECT pg_notify('shotlist', 'freed:' || md5($1))", [account]);
  });
}

export async function limits({ query }: Pick<TeamDatabase, 'query'>): Promise<readonly LimitsSet[]> {
  return query<LimitsSet>(
    `SELECT account, name, in_flight, per_second, usd_per_day, coalesce((SELECT jsonb_object_agg(model, m.in_flight)
       FROM model_limit m WHERE m.account = s.account), '{}') AS models FROM service_limit s ORDER BY name`,
  );
}

/** What bounds a film at this key, or at the only key that is called so. */
interface LimitsHere extends Omit<LimitsSet, 'account' | 'name'> {
  /** US dollars of the last 24 hours, at its end and under way, with the hour in which they began. */
  readonly spent: number;
  readonly in_flight_usd: number;
}

/**
 * @param account of the key; absent: it is not on this machine, and the service's name decides where it has one key alone. Undefined: nothing is
 * set, or the key is ambiguous.
 */
export async function limitsHere(
  { query }: Pick<TeamDatabase, 'query'>,
  { account, name }: { readonly account: string | undefined; readonly name: string },
): Promise<LimitsHere | undefined> {
  const rows = await query<LimitsHere>(
    `SELECT in_flight, per_second, usd_per_day,
       coalesce((SELECT jsonb_object_agg(model, m.in_flight) FROM model_limit m WHERE m.account = s.account), '{}') AS models,
       coalesce(h.spent, 0) AS spent, coalesce(h.under_way, 0) AS in_flight_usd
     FROM service_limit s, LATERAL (SELECT sum(usd) FILTER (WHERE NOT is_open) AS spent, sum(usd) FILTER (WHERE is_open) AS under_way
       FROM spent_hour WHERE spent_hour.account = s.account AND hour >= (now_ms() - 86400000) / 3600000) h
     WHERE CASE WHEN $1::text IS NULL THEN s.name = $2 ELSE s.account = $1 END LIMIT 2`,
    [account ?? null, name],
  );
  const [row, another] = rows;
  return another ? undefined : row;
}
