/** The studio's state on disk: one SQLite file that exactly one server holds. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../domain/refusal.ts';

/** Each entry takes the schema one version further; entries are never edited once released. */
const MIGRATIONS = [
  `CREATE TABLE generations (
     seq               INTEGER PRIMARY KEY AUTOINCREMENT,
     id                TEXT NOT NULL UNIQUE,
     model             TEXT NOT NULL,
     media_type        TEXT NOT NULL,
     request           TEXT NOT NULL,
     target_namespace  TEXT,
     target_repo       TEXT,
     target_directory  TEXT,
     status            TEXT NOT NULL,
     enqueued_at       INTEGER NOT NULL,
     started_at        INTEGER,
     completed_at      INTEGER,
     file              TEXT,
     clean_plate       TEXT,
     facts             TEXT,
     cost              TEXT,
     error_message     TEXT
   ) STRICT;
   CREATE INDEX generations_by_status ON generations (status, seq);`,
  `ALTER TABLE generations ADD COLUMN blame TEXT;
   CREATE TABLE deployments (
     model    TEXT PRIMARY KEY,
     status   TEXT NOT NULL,
     becomes  TEXT NOT NULL,
     since    INTEGER NOT NULL,
     told     TEXT NOT NULL,
     told_at  INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE fine_tunes (
     namespace   TEXT NOT NULL,
     repo        TEXT NOT NULL,
     id          TEXT NOT NULL,
     base_model  TEXT NOT NULL,
     status      TEXT NOT NULL,
     since       INTEGER NOT NULL,
     PRIMARY KEY (namespace, repo, id)
   ) STRICT;`,
] as const;

/**
 * Opens, or makes, the state in `folder` and holds it alone until it is closed or the process ends, however it ends:
 * the lock is the operating system's own.
 * @throws {Refusal} when another studio holds the folder, or a newer one wrote it; the message is for the user.
 */
export function openDatabase(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'studio.sqlite'));
  try {
    hold(database, folder);
    migrate(database, folder);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** An acknowledged generation must survive a power cut: WAL with a sync at every commit. */
function hold(database: DatabaseSync, folder: string): void {
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new Refusal(
      `another studio is already serving from ${folder}: stop it first, or give this one a folder of its own`,
    );
  }
}

function migrate(database: DatabaseSync, folder: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > MIGRATIONS.length) {
    throw new Refusal(
      `the studio's state in ${folder} was written by a newer version (${version}; this one knows ${MIGRATIONS.length}): update shotlist, or use another folder`,
    );
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index >= version) database.exec(`BEGIN; ${migration} PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
