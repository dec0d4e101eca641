/**
 * A file of ours in SQLite: opened, held, checked, and brought to the newest version. What it holds stands for money or for work, so
 * one that cannot be read is refused with the reason and never started over.
 *
 * A new file is made under another name and renamed when its tables are in it: one that is there and empty has lost what it held.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../domain/refusal.ts';

export interface Kept {
  readonly path: string;
  /** Each entry takes the tables one version further; entries are never edited once released. */
  readonly migrations: readonly (string | ((database: DatabaseSync) => void))[];
  /** `alone`: nobody else may have it open, until it is closed or the process ends, however it ends. */
  readonly hold: 'alone' | 'together';
  /** Milliseconds to wait for another process that has it; of its own, none for one that is held alone. */
  readonly patience?: number;
  /** What a person is told when it cannot be used: `what` it is (`the journal`), who holds it, and what to do about damage. */
  readonly words: {
    readonly what: string;
    readonly busy: string;
    readonly damaged: string;
  };
}

/** The file cannot be used; the message is for the user. */
export class DatabaseRefused extends Refusal {}
/** Another process holds it. */
export class DatabaseBusy extends DatabaseRefused {}

/** Milliseconds to wait for another process that is just writing. */
const PATIENCE = 5_000;
/** Bytes up to which a file is read through for damage when it is opened; beyond, what is damaged is found where it is read. */
const CHECKED = 32 * 1024 * 1024;

/** Durable at every commit: WAL, and a sync with each. @throws {DatabaseRefused} */
export function openDatabase(kept: Kept): DatabaseSync {
  try {
    mkdirSync(dirname(kept.path), { recursive: true, mode: 0o700 });
    if (!existsSync(kept.path)) make(kept);
    if (statSync(kept.path).size === 0) throw new DatabaseRefused(damage(kept, 'it is empty'));
    return open(kept.path, kept);
  } catch (error) {
    throw error instanceof DatabaseRefused ? error : (refusalOf(error, kept) ?? error);
  }
}

/** What SQLite or the system throws about such a file, in words; undefined where it is neither. */
export function refusalOf(error: unknown, kept: Kept): DatabaseRefused | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  const { path, words } = kept;
  switch (code) {
    case undefined:
      return undefined;
    case SQLITE.busy:
    case SQLITE.locked:
      return new DatabaseBusy(words.busy);
    case SQLITE.full:
      return new DatabaseRefused(
        `the disk is full: ${words.what} at ${path} cannot be written; make room, then run again`,
      );
    case SQLITE.readonly:
    case SQLITE.perm:
    case SQLITE.auth:
      return new DatabaseRefused(
        `${words.what} at ${path} cannot be written (read-only); nothing was sent: make it writable, then run again`,
      );
    case SQLITE.cantOpen:
    case SQLITE.io:
      return new DatabaseRefused(
        `${words.what} at ${path} cannot be read or written (${(error as Error).message}); mend the disk or its permissions, then run again`,
      );
    default:
      return new DatabaseRefused(damage(kept, (error as Error).message));
  }
}

const damage = ({ path, words }: Kept, reason: string): string =>
  `${path} cannot be read (${reason}); ${words.damaged}`;

/** https://www.sqlite.org/rescode.html */
const SQLITE = { perm: 3, busy: 5, locked: 6, readonly: 8, io: 10, full: 13, cantOpen: 14, auth: 23 } as const;

/** Two processes may make it at once: each under a name of its own, and the tables are the same. */
function make(kept: Kept): void {
  const draft = `${kept.path}.${crypto.randomUUID()}.new`;
  try {
    open(draft, { ...kept, hold: 'alone' }).close();
    if (!existsSync(kept.path)) renameSync(draft, kept.path);
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
  }
}

function open(path: string, kept: Kept): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${kept.patience ?? (kept.hold === 'alone' ? 0 : PATIENCE)}`);
    if (kept.hold === 'alone') database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // The lock is taken, and a disk that cannot be written is found, before anything hangs on it.
    database.exec(kept.hold === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
    database.exec('COMMIT');
    if (statSync(path).size <= CHECKED) check(database, kept);
    migrate(database, kept);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function check(database: DatabaseSync, kept: Kept): void {
  const found = String(Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]);
  if (found !== 'ok') throw new DatabaseRefused(damage(kept, found.split('\n').join(' ')));
}

function migrate(database: DatabaseSync, kept: Kept): void {
  const { migrations, path, words } = kept;
  if (versionOf(database) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Read again: another process may have been quicker.
    const version = versionOf(database);
    if (version > migrations.length) {
      throw new DatabaseRefused(
        `${path} was written by a newer shotlist (version ${version}, this one reads ${migrations.length}): ${words.what} stands for what was paid or made, so use that newer version`,
      );
    }
    if (version === 0 && hasTables(database)) {
      throw new DatabaseRefused(
        `${path} is an SQLite file but not ${words.what} of shotlist; move it away, nothing was changed in it`,
      );
    }
    for (const migration of migrations.slice(version)) {
      if (typeof migration === 'string') database.exec(migration);
      else migration(database);
    }
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

const hasTables = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table'").get() !== undefined;
