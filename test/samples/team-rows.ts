/** The rows of a team's tables as text, and back into tables that migrations have made. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { TEAM_MIGRATIONS } from '../../src/team/database/migrations.ts';
import { onServer } from '../support/postgres.ts';
import { postgresOfRun } from '../support/postgres-of-run.ts';

const DAYS = 30;
/** The clock of the team's database, so long ago. */
export const NOW_LONG_AGO = `CREATE OR REPLACE FUNCTION shotlist.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${DAYS * 24 * 3_600_000} $$`;

/** Returns one INSERT a row, with the version of the tables. */
export async function teamText(url: string): Promise<string> {
  const { programs } = await postgresOfRun();
  const args = ['--data-only', '--inserts', '--no-owner', '--schema=shotlist', '-d', url];
  const dump = execFileSync(join(programs, 'pg_dump'), args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  // What is left: rows, and where their numbers go on.
  const lines = dump
    .split('\n')
    .filter(line => line !== '' && !/^(--|SET |SELECT pg_catalog.set_config|\\)/.test(line));
  const earlier = (time: string) =>
    new Date(Date.parse(`${time.replace(' ', 'T')}Z`) - DAYS * 24 * 3_600_000).toISOString();
  return `${lines.join('\n').replace(/(?<=')(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00(?=')/g, (_, time: string) => earlier(time))}\n`;
}

/**
 * Puts rows into an empty database, whose tables are made by the migrations that there were when they were written. What came since is left
 * to `shotlist team init`.
 */
export async function restoreTeam(url: string, rows: string): Promise<void> {
  const versions = rows.match(/^INSERT INTO shotlist\.schema_version /gm)?.length ?? 0;
  await onServer(url, async client => {
    await client.query('CREATE SCHEMA shotlist; SET search_path = shotlist, pg_catalog');
    await client.query(
      'CREATE TABLE schema_version (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    );
    for (const migration of TEAM_MIGRATIONS.slice(0, versions)) await client.query(migration);
    await client.query('DELETE FROM database_identity');
    // Sums stand in the rows already: no trigger adds them up again.
    await client.query(`SET session_replication_role = replica; ${rows}`);
    // It is the same database, on the server where it has always been.
    await client.query('UPDATE database_identity SET server = current_server()');
  });
}
