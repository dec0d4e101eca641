/** A backup of a team's tables as PostgreSQL's own programs make it, and the database as it was when that was made. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type PostgresOfATest, postgresPrograms } from '../support/postgres.ts';

/** Their text. */
export const dump = ({ url }: PostgresOfATest, schema: string): string =>
  program('pg_dump', ['--no-owner', '-n', schema, url]);

/** All that came after it is forgotten, as when a disk is lost. */
export function restore({ url }: PostgresOfATest, schema: string, text: string): void {
  const asked = ['-q', '-v', 'ON_ERROR_STOP=1', '-1', url];
  program('psql', asked, `DROP SCHEMA ${schema} CASCADE;\n${text}`);
}

const ALL = ['shotlist', 'pgboss'] as const;

/** The same of the queue as well. */
export const dumpAll = ({ url }: PostgresOfATest): string =>
  program('pg_dump', ['--no-owner', ...ALL.flatMap(schema => ['-n', schema]), url]);

export function restoreAll({ url }: PostgresOfATest, text: string): void {
  const gone = ALL.map(schema => `DROP SCHEMA ${schema} CASCADE;`).join('\n');
  program('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-1', url], `${gone}\n${text}`);
}

function program(name: string, args: readonly string[], input = ''): string {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is not installed');
  const options = { input, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 28 } as const;
  return execFileSync(join(postgresPrograms, name), [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}
