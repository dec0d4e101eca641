/** The studio's state on disk: one SQLite file that exactly one server holds. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../machine/files/database.ts';
import { refusalOf } from '../../../machine/files/database-error.ts';

/** Each entry takes the schema one version further; entries are never edited once released. */
export const MIGRATIONS = [
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
  // `asks`: a digest of what the key was first sent with.
  `ALTER TABLE generations ADD COLUMN idempotency_key TEXT;
   ALTER TABLE generations ADD COLUMN asks TEXT;
   CREATE INDEX generations_by_key ON generations (idempotency_key) WHERE idempotency_key IS NOT NULL;
   CREATE TABLE chat_answers (
     idempotency_key  TEXT PRIMARY KEY,
     asks             TEXT NOT NULL,
     at               INTEGER NOT NULL,
     answer           TEXT NOT NULL
   ) STRICT;
   CREATE INDEX chat_answers_by_age ON chat_answers (at);`,
] as const;

const STATE_WORDS = {
  what: "the studio's state",
  busy: "another program holds the studio's state: end it",
  damaged: 'it is what the studio was given and has made: restore it from a backup, or use another folder',
};

/** Why a request could not be recorded or looked up, in words; undefined for an error that is not the disk's. */
export const stateFailure = (error: unknown): string | undefined =>
  refusalOf(error, { path: undefined, words: STATE_WORDS })?.message;

/**
 * Opens, or makes, the state in `folder` and holds it alone until it is closed or the process ends, however it ends:
 * the lock is the operating system's own. An acknowledged generation survives a power cut.
 * @throws {Refusal} when another studio holds the folder, or a newer one wrote it, or it is damaged; the message is for the user.
 */
export const openStudioDatabase = (folder: string): DatabaseSync =>
  openDatabase({
    path: join(folder, 'studio.sqlite'),
    migrations: MIGRATIONS,
    hold: 'alone',
    words: {
      ...STATE_WORDS,
      busy: `another studio is already serving from ${folder}: stop it first, or give this one a folder of its own`,
    },
  });
