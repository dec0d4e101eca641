/** A team's database of a test, with a clock that the test holds, and processes that lead films over it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { TeamDatabase } from '../../src/cluster/database/team-database.ts';
import { TeamJournal } from '../../src/cluster/journal/team-journal.ts';
import type { RateAsked } from '../../src/cluster/journal/team-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type PostgresOfATest, startPostgres } from '../support/postgres.ts';

/** One server for a file of tests. */
export function postgresForTests(): () => PostgresOfATest {
  let postgres: PostgresOfATest | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });
  return () => {
    if (!postgres) throw new Error('the server is started before the tests');
    return postgres;
  };
}

let schemas = 0;

export class TeamWorld {
  readonly clock = new FakeClock();
  readonly team: TeamDatabase;
  readonly #ends: (() => Promise<void>)[] = [];

  private constructor(team: TeamDatabase) {
    this.team = team;
  }

  /** Tables of its own in the server of this file. */
  static async open(postgres: PostgresOfATest): Promise<TeamWorld> {
    const team = new TeamDatabase({ url: postgres.url, schema: `test_${process.pid}_${++schemas}`, most: 8 });
    await team.migrate();
    const world = new TeamWorld(team);
    await team.query(`CREATE TABLE test_clock AS SELECT ${world.clock.now()}::bigint AS ms`);
    await team.query(
      "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ms FROM test_clock'",
    );
    return world;
  }

  async passes(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.#told();
  }

  async setClock(ms: number): Promise<void> {
    this.clock.set(ms);
    await this.#told();
  }

  /** Somebody begins to lead this film, in a new run of it. */
  async lead(
    film: string,
    { account = 'house', rates = [] as readonly RateAsked[], run = randomUUID() as string } = {},
  ) {
    await this.team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', $1) ON CONFLICT DO NOTHING", [
      film,
    ]);
    await this.team.query(
      "INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, $2, 'house', '', 'test') ON CONFLICT DO NOTHING",
      [run, film],
    );
    const [begun] = await this.team.query<{ epoch: number | null }>('SELECT begin_lead($1, $2) AS epoch', [
      run,
      'worker',
    ]);
    if (begun?.epoch == null) throw new Error(`${film} is led by somebody else`);
    const journal = await TeamJournal.open({
      ...{ team: this.team, film, submitted: run, epoch: begun.epoch, account, rates, clock: this.clock },
      ...{ newId: randomUUID, later: () => {} },
    });
    this.#ends.push(() => journal.close());
    return { run, epoch: begun.epoch, journal };
  }

  /** Its lead has died, and nobody takes it up: the run was given up. */
  async dies(run: string): Promise<void> {
    await this.team.query("UPDATE run SET status = 'failed' WHERE id = $1", [run]);
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end();
    await this.team.close();
  }

  async #told(): Promise<void> {
    await this.team.query('UPDATE test_clock SET ms = $1', [this.clock.now()]);
  }
}
