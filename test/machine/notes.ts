/** A small file of ours in SQLite, for tests of how such files are opened. */
import type { DatabaseSpec } from '../../src/machine/files/database.ts';

export const notes = (path: string, more: Partial<DatabaseSpec> = {}): DatabaseSpec => ({
  path,
  migrations: ['CREATE TABLE notes (text TEXT NOT NULL) STRICT', 'ALTER TABLE notes ADD COLUMN said_by TEXT'],
  hold: 'alone',
  words: { what: 'the notebook', busy: 'somebody is writing in it: wait', damaged: 'restore it from a backup' },
  ...more,
});
