/** A team's database of a test, with a clock that the test holds, and processes that lead films over it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Clock } from '../../src/machine/time/clock.ts';
import type { RunId } from '../../src/model/run/key.ts';
import type { NotePlace } from '../../src/records/store/shared/shared-place.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import type { DatabaseMark } from '../../src/team/database/database-identity.ts';
import type { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { type RateAsked, ratesAsked } from '../../src/team/journal/team-rows.ts';
import { StoreMark } from '../../src/team/worker/store-mark.ts';
import type { FilmProcess, FilmWorld, ProcessOptions } from '../run/ports/film-world.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Server } from '../support/postgres-of-run.ts';
import { expectTablesOfTeam } from '../support/tables-of-log.ts';
import { closeTables, createDatabase, openTables } from './test-database.ts';

/** A database of this file's own, in the server of the run. */
export const databaseForTests = (): (() => Server) => beforeTests(() => createDatabase());

/** A server of this file's own, for tests that end it. */
export function serverForTests(how: 'durable' | 'quick'): () => PostgresServer {
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());
  return beforeTests(async () => {
    server = await startPostgres(how);
    return server;
  });
}

function beforeTests<T>(make: () => Promise<T>): () => T {
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
  });
  return () => {
    if (made === undefined) throw new Error('it is made before the tests');
    return made;
  };
}

export class TeamWorld implements FilmWorld {
  readonly clock = new FakeClock();
  readonly team: TeamDatabase;
  readonly #url: string;
  readonly #leading = new Map<string, string>();
  readonly #journals: TeamJournal[] = [];

  private constructor(team: TeamDatabase, url: string) {
    this.team = team;
    this.#url = url;
  }

  /** Tables of its own in this database. */
  static async open({ url }: Pick<Server, 'url'>): Promise<TeamWorld> {
    const team = await openTables(url);
    await team.query('CREATE TABLE IF NOT EXISTS test_clock (ms bigint)');
    const world = new TeamWorld(team, url);
    await team.query('INSERT INTO test_clock VALUES ($1)', [world.clock.now()]);
    await team.query(
      "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ms FROM test_clock'",
    );
    return world;
  }

  async passes(ms: number): Promise<void> {
    await this.#tell(this.clock.now() + ms);
    // A decision that began in the middle would still wait for the database at the end, and count as one of a machine that stood still.
    this.clock.tick(ms);
    await this.clock.advance(0);
  }

  async setClock(ms: number): Promise<void> {
    this.clock.set(ms);
    await this.#tell(this.clock.now());
  }

  /** Somebody begins to lead this film, in a new run of it. Whoever led it before is gone by then. */
  async process(film: string, { account = 'house', rates = {} }: ProcessOptions = {}): Promise<FilmProcess> {
    const { run, journal } = await this.lead(film, { account, rates: ratesAsked(rates) });
    return {
      ...{ run: run as RunId, account, journal },
      isRunning: other => journal.team.isRunning(other),
      dies: () => this.dies(run),
    };
  }

  async lead(film: string, { run = randomUUID() as string, ...options }: Partial<LeadOptions> = {}) {
    const {
      team = this.team,
      worker = 'worker',
      clock = this.clock,
      account = 'house',
      rates = [],
      changed,
      beforePaying,
    } = options;
    const before = this.#leading.get(film);
    if (before !== undefined) await this.dies(before);
    await team.query("INSERT INTO film (id, project, path) VALUES ($1, 'project', $1) ON CONFLICT DO NOTHING", [film]);
    await team.query(
      "INSERT INTO run (id, film, service, source, shotlist) VALUES ($1, $2, 'house', '', 'test') ON CONFLICT DO NOTHING",
      [run, film],
    );
    // Without a job: whoever takes it over in these stories knows that the other one is gone.
    const [begun] = await team.query<{ epoch: number | null }>('SELECT begin_lead($1, $2) AS epoch', [run, worker]);
    const epoch = begun?.epoch;
    if (epoch == null) throw new Error(`${film} is led by somebody else`);
    this.#leading.set(film, run);
    const trouble: (string | undefined)[] = [];
    const journal = await TeamJournal.open({
      ...{ team, film, submitted: run, epoch, account, rates, clock, newId: randomUUID, ...(changed && { changed }) },
      beforePaying,
      later: work => void setImmediate(() => this.#leading.get(film) === run && work()),
      trouble: message => void trouble.push(message),
    });
    this.#journals.push(journal);
    return { run, epoch, journal, trouble };
  }

  /** Somebody who looks, or decides as a person. */
  async looks(film: string, team = this.team): Promise<TeamJournal> {
    const journal = await TeamJournal.open({
      ...{ team, film, account: 'house', clock: this.clock, newId: randomUUID, later: () => {} },
    });
    this.#journals.push(journal);
    return journal;
  }

  /** Its lead has died, and nobody takes it up: the run was given up. */
  async dies(run: string): Promise<void> {
    for (const [film, led] of this.#leading) if (led === run) this.#leading.delete(film);
    await this.team.query("UPDATE run SET status = 'failed' WHERE id = $1", [run]);
  }

  async close(): Promise<void> {
    this.#leading.clear();
    for (const journal of this.#journals) {
      journal.giveUp();
      await journal.close();
    }
    await expectTablesOfTeam(this.team);
    await closeTables(this.team, this.#url);
  }

  async #tell(ms: number): Promise<void> {
    await this.team.query('UPDATE test_clock SET ms = $1', [ms]);
  }
}

export type Lead = Awaited<ReturnType<TeamWorld['lead']>>;

/** What a lead asks before it sends, without a limit of its own machine. */
export const admissionOf = (
  { journal }: Pick<Lead, 'journal'>,
  clock: Clock,
  more: Partial<ConstructorParameters<typeof JournalAdmission>[0]> = {},
): JournalAdmission =>
  new JournalAdmission({
    ...{ journal, clock, account: 'house', limits: MANY, owned: () => undefined },
    isRunning: film => journal.team.isRunning(film),
    ...more,
  });
export const MANY = { in_flight: 1_000, per_model: 1_000, submits_per_second: 1_000, attempts: 3 };

interface LeadOptions {
  readonly run: string;
  /** By which connections; absent: those of the world. */
  readonly team: TeamDatabase;
  readonly worker: string;
  readonly clock: Clock;
  readonly account: string;
  readonly rates: readonly RateAsked[];
  readonly changed: (ms: number, signal: AbortSignal, places?: number) => Promise<void>;
  readonly beforePaying: () => Promise<void>;
}

/** One for each test, in one database for the file. */
export function teamWorlds(): () => Promise<TeamWorld> {
  const database = databaseForTests();
  const worlds: TeamWorld[] = [];
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close();
  });
  return async () => {
    const world = await TeamWorld.open(database());
    worlds.push(world);
    return world;
  };
}

export class MemoryNotes implements NotePlace {
  readonly texts = new Map<string, string>();

  async readNote(name: string) {
    const text = this.texts.get(name);
    return text === undefined ? ({ is: 'missing' } as const) : ({ is: 'note', text } as const);
  }
  async writeNote(name: string, text: string) {
    this.texts.set(name, text);
    return { is: 'there' } as const;
  }
  async close() {}

  /** As a process with these connections has it. */
  markFor(database: TeamDatabase, { clock }: { readonly clock: Clock }): StoreMark {
    return new StoreMark({ place: this, database, clock, writes: true });
  }

  /** The only one. */
  get mark(): DatabaseMark | undefined {
    const [text] = this.texts.values();
    return text === undefined ? undefined : JSON.parse(text);
  }
}
