/** What a team's runs hold while nobody works on them, and many runs that are like one. */
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import type { TeamStage } from './team-world.ts';

export interface Rest {
  readonly waiting: number;
  /** In the queue, or in somebody's hands. */
  readonly jobs: number;
  /** Of workers and their queues. */
  readonly connections: number;
  /** Requests that were ever sent. */
  readonly made: number;
}

export const restOf = (team: TeamStage): Promise<Rest> =>
  asked(team, async ({ query }) => {
    const [rest] = await query<Rest>(
      `SELECT (SELECT count(*)::int FROM run WHERE status = 'waiting') AS waiting, (SELECT count(*)::int FROM submission) AS made,
         (SELECT count(*)::int FROM pgboss.job WHERE state < 'completed') AS jobs,
         (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('shotlist worker', 'shotlist queue')) AS connections`,
    );
    if (!rest) throw new Error('the database told nothing');
    return rest;
  });

/** The same film handed in by so many more people, each as a film of its own. */
export const manyRunsLike = (team: TeamStage, run: string, count: number): Promise<void> =>
  asked(team, async database => {
    const runs = await database.query<{ id: string }>(
      `WITH one AS (SELECT * FROM run WHERE id = $1), other AS (SELECT n, one.film || '~' || n AS film FROM one, generate_series(1, $2::int) n),
       films AS (INSERT INTO film (id, project, path) SELECT other.film, project, path FROM other, one JOIN film ON film.id = one.film RETURNING 1)
       INSERT INTO run (id, film, service, source, options, manifest, price, shotlist)
       SELECT $1 || '-' || n, other.film, service, source, options, manifest, price, shotlist FROM other, one RETURNING id`,
      [run, count],
    );
    const queue = new TeamQueue({ url: team.database.url, trouble: () => {} });
    await queue.start();
    for (const { id } of runs) await queue.lead(id);
    await queue.stop(0);
  });

async function asked<T>(team: TeamStage, work: (database: TeamDatabase) => Promise<T>): Promise<T> {
  const database = new TeamDatabase({ url: team.database.url, most: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
