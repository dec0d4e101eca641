/** The journal of this machine as a world of films: one file, and each process with its own connection to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach } from 'vitest';
import type { RunId } from '../../../src/model/run/key.ts';
import { JOURNAL } from '../../../src/records/journal/journal-tables.ts';
import { LocalJournal } from '../../../src/records/journal/local-journal.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { expectTablesOfLog } from '../../support/tables-of-log.ts';
import type { FilmProcess, FilmWorld, ProcessOptions } from './film-world.ts';

export class LocalWorld implements FilmWorld {
  readonly clock = new FakeClock();
  readonly path: string;
  readonly #folder: string;
  readonly #running = new Map<string, string>();
  readonly #databases: DatabaseSync[] = [];
  #runs = 0;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'shotlist-world-'));
    this.path = join(this.#folder, 'journal.db');
    const database = this.#connect();
    database.exec('PRAGMA journal_mode = WAL');
    for (const tables of JOURNAL.migrations) database.exec(String(tables));
  }

  passes(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  async setClock(ms: number): Promise<void> {
    this.clock.set(ms);
  }

  async process(film: string, { account = 'house' }: ProcessOptions = {}): Promise<FilmProcess> {
    const run = `${film} ${++this.#runs}` as RunId;
    this.#running.set(film, run);
    const isAlive = () => this.#running.get(film) === run;
    const later = (work: () => void) => void setImmediate(() => isAlive() && work());
    const { clock } = this;
    return {
      ...{ run, account, journal: new LocalJournal({ database: this.#connect(), film, clock, later }) },
      isRunning: other => this.#running.has(other),
      dies: async () => {
        if (isAlive()) this.#running.delete(film);
      },
    };
  }

  async looks(film: string): Promise<LocalJournal> {
    return new LocalJournal({ database: this.#connect(), film, clock: this.clock, later: () => {} });
  }

  close(): void {
    this.#running.clear();
    expectTablesOfLog(this.#connect());
    for (const database of this.#databases) if (database.isOpen) database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #connect(): DatabaseSync {
    const database = new DatabaseSync(this.path);
    database.exec('PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000');
    this.#databases.push(database);
    return database;
  }
}

/** One for each test, gone when it is over. */
export function localWorlds(): () => LocalWorld {
  const worlds: LocalWorld[] = [];
  afterEach(() => {
    for (const world of worlds.splice(0)) world.close();
  });
  return () => {
    const world = new LocalWorld();
    worlds.push(world);
    return world;
  };
}
