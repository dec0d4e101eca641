/** A team of a test: a database of its own, a folder that all share, and workers as processes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { CHAOS_KEY, type ChaosService } from '../chaos/chaos-service.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Server } from '../support/postgres-of-run.ts';
import { expectTablesOfTeam } from '../support/tables-of-log.ts';
import { createDatabase } from '../team/test-database.ts';
import { type Ended, Stage, type Started } from './stage.ts';

export class TeamStage extends Stage {
  readonly database: Server;
  readonly #postgres: PostgresServer | undefined;
  #workers = 0;

  private constructor(database: Server, postgres: PostgresServer | undefined, settings: string, ofTeam?: string) {
    super();
    this.database = database;
    this.#postgres = postgres;
    mkdirSync(join(this.folder, 'shared'));
    const more = ofTeam ?? `store: ${JSON.stringify(join(this.folder, 'shared'))}`;
    this.write(
      'shotlist.config.yaml',
      `teams: { house: { database: "${database.url}", project: films, ${more} } }\n${settings}`,
    );
  }

  /**
   * @param how `durable` and `quick`: on a server of its own, which the test may end; `shared`: on the server of the run.
   * @param settings beside its team, as they stand in the project's file.
   * @param ofTeam of the team itself, as it stands there; absent: its store is a folder.
   */
  static async open(
    how: 'durable' | 'quick' | 'shared' = 'shared',
    settings = '',
    ofTeam?: string,
  ): Promise<TeamStage> {
    const postgres = how === 'shared' ? undefined : await startPostgres(how);
    return new TeamStage(await createDatabase(postgres), postgres, settings, ofTeam);
  }

  /** On a server that the test has started. */
  static at(database: Server, settings: string): TeamStage {
    return new TeamStage(database, undefined, settings);
  }

  /** Its requests go to this service, which the test holds. Pictures are all that it makes. */
  static async openWith(service: ChaosService, how: 'durable' | 'quick' | 'shared' = 'shared'): Promise<TeamStage> {
    const settings = `services: { farm: { url: "${service.url}", key_env: CHAOS_KEY } }\nservice: farm\nhistory: trusted\n`;
    const stage = await TeamStage.open(how, settings);
    stage.env = { CHAOS_KEY };
    return stage;
  }

  get postgres(): PostgresServer {
    if (!this.#postgres) throw new Error('the server is shared: open the team with one of its own');
    return this.#postgres;
  }

  /** One that has said that it is ready; each keeps what it has in a folder of its own. */
  async worker(...more: readonly string[]): Promise<Started> {
    const name = `worker-${++this.#workers}`;
    const started = this.start(
      'team',
      'worker',
      '--on',
      'house',
      '--folder',
      join(this.folder, name),
      '--name',
      name,
      ...more,
    );
    await started.line(/^ready: /m);
    return started;
  }

  /** Runs `shotlist …args --on house` to its end. */
  ask(...args: readonly string[]): Promise<Ended> {
    return this.run(...args, '--on', 'house');
  }

  /** The run's name. */
  async submit(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.ask('team', 'submit', ...args);
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

  /** How often a turn was given to another worker because its own was not heard of any more. */
  async lostTurns(): Promise<number> {
    const [row] = await this.#query<{ n: number }>(
      "SELECT coalesce(sum(retry_count), 0)::int AS n FROM pgboss.job WHERE name = 'lead.v1'",
    );
    return row?.n ?? 0;
  }

  /** As when a minute passes in which no worker is heard of: those that are alive say so again within seconds. */
  async loseHeartbeats(): Promise<void> {
    await this.#query(
      `UPDATE pgboss.job SET started_on = started_on - interval '1 minute', heartbeat_on = heartbeat_on - interval '1 minute'
         WHERE state = 'active'`,
    );
  }

  /** When the newest choice of this run's film was kept: Unix milliseconds. */
  async choiceAt(run: string): Promise<number> {
    const [row] = await this.#query<{ at: number }>(
      `SELECT (extract(epoch FROM max(at)) * 1000)::bigint AS at FROM choice WHERE film = (SELECT film FROM run WHERE id = '${run}')`,
    );
    return row?.at ?? 0;
  }

  async #query<Row>(sql: string): Promise<readonly Row[]> {
    const database = new TeamDatabase({ url: this.database.url, most: 1 });
    try {
      return await database.query<Row>(sql);
    } finally {
      await database.close();
    }
  }

  /** Ends everything. @throws if a row of the team's tables, on the server of the run, is not what the log gives. */
  async close(): Promise<void> {
    this.killAll();
    if (!this.#postgres) await this.#compareTables();
    this.dispose();
    await this.#postgres?.stop();
  }

  async #compareTables(): Promise<void> {
    const database = new TeamDatabase({ url: this.database.url, most: 1 });
    try {
      await expectTablesOfTeam(database);
    } finally {
      await database.close();
    }
  }
}
