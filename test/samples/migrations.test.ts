/** A migration that some database has been through is never edited: `migrations.json` holds the digest of each, and a new one is appended there. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOURNAL, JOURNAL_OF_ONE_FILM } from '../../src/records/journal/journal-tables.ts';
import { MIGRATIONS as STUDIO_MIGRATIONS } from '../../src/studio/service/records/studio-database.ts';
import { TEAM_MIGRATIONS } from '../../src/team/database/migrations.ts';

const digest = (migration: unknown) => createHash('sha256').update(String(migration)).digest('hex').slice(0, 16);
const known = JSON.parse(readFileSync('test/samples/migrations.json', 'utf8'));

test.each([
  ['journal', JOURNAL.migrations],
  ['journal of one film', [JOURNAL_OF_ONE_FILM]],
  ['team', TEAM_MIGRATIONS],
  ['studio', STUDIO_MIGRATIONS],
] as const)(
  'the migrations of the %s are those that were applied, and new ones come behind them',
  (name, migrations) => {
    expect(migrations.map(digest), 'a new migration is appended to test/samples/migrations.json').toEqual(known[name]);
  },
);
