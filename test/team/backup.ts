/** Backups of a team's database, and the database as it was when one of them was made. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Server } from '../support/postgres-of-run.ts';

/** Forgets all that came after the backup, as when a disk is lost. */
export type Restore = () => Promise<void>;

/** With PostgreSQL's own programs. npm's package has none of them: there it copies rows. */
export async function backUp(database: Server, schemas: readonly string[]): Promise<Restore> {
  const { programs, url } = database;
  if (!existsSync(join(programs, 'pg_dump'))) return copyRows(database, schemas);
  const run = (name: string, args: readonly string[], input = '') =>
    execFileSync(join(programs, name), [...args, url], { input, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 });
  const dump = run('pg_dump', ['--no-owner', ...schemas.flatMap(schema => ['-n', schema])]);
  const drop = schemas.map(schema => `DROP SCHEMA ${schema} CASCADE;\n`).join('');
  return async () => void run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-1'], drop + dump);
}

/** Copies the rows of these schemas, and where their sequences stand. Its copy replaces the one before in the same database. */
export async function copyRows({ url }: Pick<Server, 'url'>, schemas: readonly string[]): Promise<Restore> {
  const tables = await query<{ name: string; copy: string }>(
    url,
    `SELECT format('%I.%I', nspname, relname) AS name, format('backup.%I', nspname || '.' || relname) AS copy
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = 'r' AND nspname = ANY($1)`,
    [schemas],
  );
  const sequences = await query<{ name: string; value: string | null }>(
    url,
    "SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS value FROM pg_sequences WHERE schemaname = ANY($1)",
    [schemas],
  );
  const copies = tables.map(({ name, copy }) => `CREATE TABLE ${copy} AS TABLE ${name}`);
  await query(url, ['DROP SCHEMA IF EXISTS backup CASCADE', 'CREATE SCHEMA backup', ...copies].join(';'));
  return async () => {
    const restored = [
      // No trigger fires, and no foreign key asks for an order.
      'SET LOCAL session_replication_role = replica',
      ...tables.map(({ name, copy }) => `DELETE FROM ${name}; INSERT INTO ${name} TABLE ${copy}`),
      ...sequences.map(({ name, value }) => `SELECT setval('${name}', ${value ?? 1}, ${value !== null})`),
    ];
    await query(url, restored.join(';'));
  };
}

/** Several statements are one transaction. */
async function query<Row>(url: string, sql: string, values?: readonly unknown[]): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without values a text may hold several statements.
    const { rows } = values ? await client.query(sql, [...values]) : await client.query(sql);
    return rows as Row[];
  } finally {
    await client.end();
  }
}
