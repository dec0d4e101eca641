/** A team of a test: a PostgreSQL of its own, a folder that all share, and workers as processes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TeamDatabase } from '../../src/cluster/database/team-database.ts';
import { type PostgresOfATest, startPostgres } from '../support/postgres.ts';
import { Stage, type Started } from './stage.ts';

export class TeamStage extends Stage {
  readonly postgres: PostgresOfATest;
  #workers = 0;

  private constructor(postgres: PostgresOfATest, settings: string, ofTeam: string | undefined) {
    super();
    this.postgres = postgres;
    mkdirSync(join(this.folder, 'shared'));
    const more = ofTeam ?? `store: ${JSON.stringify(join(this.folder, 'shared'))}`;
    this.write(
      'shotlist.config.yaml',
      `teams: { house: { database: "${postgres.url}", project: films, ${more} } }\n${settings}`,
    );
  }

  /**
   * @param settings beside its team, as they stand in the project's file.
   * @param ofTeam of the team itself, as it stands there; absent: its store is a folder.
   */
  static async open(how: 'durable' | 'quick' = 'quick', settings = '', ofTeam?: string): Promise<TeamStage> {
    const stage = new TeamStage(await startPostgres(how), settings, ofTeam);
    const init = await stage.run('cluster', 'init', '--on', 'house');
    if (init.exit !== 0) throw new Error(init.stderr);
    return stage;
  }

  /** One that has said that it is ready; each keeps what it has in a folder of its own. */
  async worker(...more: readonly string[]): Promise<Started> {
    const name = `worker-${++this.#workers}`;
    const started = this.start('worker', '--on', 'house', '--folder', join(this.folder, name), '--name', name, ...more);
    await started.line(/^ready: /m);
    return started;
  }

  /** The run's name. */
  async submit(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.run('submit', '--on', 'house', ...args);
    if (exit !== 0) throw new Error(`${exit}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Turns at runs that somebody has, or that wait in the queue. */
  async leadJobs(): Promise<number> {
    const [row] = await this.#query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'lead.v1' AND state < 'completed'",
    );
    return row?.n ?? 0;
  }

  /** When the newest choice of this run's film was kept: Unix milliseconds. */
  async choiceAt(run: string): Promise<number> {
    const [row] = await this.#query<{ at: number }>(
      `SELECT (extract(epoch FROM max(at)) * 1000)::bigint AS at FROM choice WHERE film = (SELECT film FROM run WHERE id = '${run}')`,
    );
    return row?.at ?? 0;
  }

  async #query<Row>(sql: string): Promise<readonly Row[]> {
    const database = new TeamDatabase({ url: this.postgres.url, most: 1 });
    try {
      return await database.query<Row>(sql);
    } finally {
      await database.close();
    }
  }

  async close(): Promise<void> {
    this.dispose();
    await this.postgres.stop();
  }
}
