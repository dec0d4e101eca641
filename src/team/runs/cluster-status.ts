/** The state of a team's work at this moment: what the operator watches, and alarms depend on. */
import { LONGEST_GENERATION } from '../../run/admission/under-way.ts';
import type { Queries } from '../database/team-database.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import type { RunStatus } from './run-rows.ts';
import { type SeenWorker, workers } from './worker-rows.ts';

export interface ClusterStatus {
  readonly workers: readonly (SeenWorker & { readonly silent: number })[];
  readonly runs: { readonly [status in RunStatus]: number };
  readonly accounts: readonly AccountStatus[];
  /** Requests of unknown outcome: each may be paid for. */
  readonly debts: number;
  /** The newest run of a film that has one of them, for each such film. */
  readonly debt_runs: readonly string[];
  /** Seconds for which the oldest run has waited for its turn; null: none waits. */
  readonly oldest_queued: number | null;
  /** Jobs that wait to be tried again, and those that were given up. */
  readonly retried: number;
  readonly given_up: number;
  readonly connections: number;
  readonly most_connections: number;
}

export interface AccountStatus {
  /** Its address; no key can be read from it. */
  readonly account: string;
  /** As it was called when its limits were set; null: it has none. */
  readonly name: string | null;
  readonly in_flight: number;
  readonly limit: number | null;
  readonly per_second_limit: number | null;
  readonly usd_per_day_limit: number | null;
  /** US dollars of the last 24 hours. */
  readonly usd_today: number;
  /** Of the last 10 seconds. */
  readonly submits_per_second: number;
  readonly models: readonly { readonly model: string; readonly in_flight: number; readonly limit: number | null }[];
}

const NO_RUNS = { queued: 0, led: 0, waiting: 0, done: 0, failed: 0, cancelled: 0 };

export async function clusterStatus(team: Queries, queue: TeamQueue): Promise<ClusterStatus> {
  const [now] = await team.query<{ now: number }>('SELECT now_ms() AS now');
  const seen = await workers(team);
  const runs = await team.query<{ status: RunStatus; n: number }>(
    'SELECT status, count(*)::int AS n FROM run GROUP BY status',
  );
  const debtRuns = await team.query<{ id: string }>(
    `SELECT DISTINCT ON (film) id FROM run WHERE film IN (SELECT film FROM submission WHERE state = 'unknown') ORDER BY film, created_at DESC`,
  );
  const [rest] = await team.query<{ debts: number; oldest: number | null; connections: number; most: number }>(
    `SELECT (SELECT count(*)::int FROM submission WHERE state = 'unknown') AS debts,
       (SELECT extract(epoch FROM now() - min(changed_at))::int FROM run WHERE status = 'queued') AS oldest,
       (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
       current_setting('max_connections')::int AS most`,
  );
  return {
    workers: seen.map(one => ({ ...one, silent: Math.max(0, Math.round(((now?.now ?? one.seen) - one.seen) / 1000)) })),
    runs: { ...NO_RUNS, ...Object.fromEntries(runs.map(({ status, n }) => [status, n])) },
    accounts: await accounts(team),
    debt_runs: debtRuns.map(({ id }) => id),
    ...{ debts: rest?.debts ?? 0, oldest_queued: rest?.oldest ?? null },
    ...(await queue.troubles()),
    ...{ connections: rest?.connections ?? 0, most_connections: rest?.most ?? 0 },
  };
}

/** The built-in studio of each worker is no service that a key is used at. */
async function accounts({ query }: Queries): Promise<readonly AccountStatus[]> {
  return query<AccountStatus>(
    // As run/admission/under-way.ts counts them: what is shown is what is counted.
    `WITH busy AS (SELECT account, model, count(*)::int AS n FROM submission s WHERE state IN ('intended', 'accepted', 'unknown')
         AND (at > now_ms() - ${LONGEST_GENERATION} OR state <> 'unknown' AND NOT is_idle
           AND EXISTS (SELECT 1 FROM run r WHERE r.film = s.film AND r.status IN ('queued', 'led')))
         GROUP BY account, model),
       sent AS (SELECT account, count(*) / 10.0 AS n FROM submission WHERE at > now_ms() - 10000 GROUP BY account),
       today AS (SELECT account, sum(usd) AS usd FROM charge WHERE at > now_ms() - 86400000 GROUP BY account),
       models AS (SELECT account, coalesce(jsonb_agg(jsonb_build_object('model', model, 'in_flight', coalesce(b.n, 0), 'limit', l.in_flight)
           ORDER BY model), '[]') AS all_models FROM busy b FULL JOIN model_limit l USING (account, model) GROUP BY account),
       named AS (SELECT account FROM busy UNION SELECT account FROM service_limit UNION SELECT account FROM model_limit
         UNION SELECT account FROM sent UNION SELECT account FROM today)
     SELECT account, s.name, coalesce((SELECT sum(n)::int FROM busy b WHERE b.account = n.account), 0) AS in_flight,
       s.in_flight AS "limit", s.per_second AS per_second_limit, s.usd_per_day AS usd_per_day_limit,
       coalesce(t.usd, 0)::float8 AS usd_today, coalesce(sent.n, 0)::float8 AS submits_per_second, coalesce(m.all_models, '[]') AS models
     FROM named n LEFT JOIN service_limit s USING (account) LEFT JOIN sent USING (account) LEFT JOIN today t USING (account)
       LEFT JOIN models m USING (account) WHERE account <> '' AND account NOT LIKE 'studio %' ORDER BY coalesce(s.name, account)`,
  );
}

/** Seconds after which a worker that was not heard of counts as gone. */
export const ALIVE = 60;
