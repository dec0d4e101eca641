/** Databases for tests: each is a copy of one in which `shotlist team init` has been carried out. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { onServer } from '../support/postgres.ts';
import { postgresOfRun, type Server } from '../support/postgres-of-run.ts';

const TEMPLATE = 'shotlist_template';

/**
 * A database that nothing else uses. It goes with its server.
 * @param server absent: the one that all files of the run share.
 */
export async function createDatabase(server?: Server): Promise<Server> {
  const { url, programs } = server ?? (await postgresOfRun());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await makeTemplate(client, url);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  return { url: urlOf(url, name), programs };
}

/** A database without tables, in the server that all files of the run share. */
export async function emptyDatabase(): Promise<Server> {
  const { url, programs } = await postgresOfRun();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(url, client => client.query(`CREATE DATABASE ${name}`));
  return { url: urlOf(url, name), programs };
}

/** Once for a server, by whichever file comes first. */
async function makeTemplate(client: Client, url: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
  if (rowCount === 0) {
    await client.query('CREATE DATABASE unfinished_template');
    await initialize(urlOf(url, 'unfinished_template'));
    await client.query(`ALTER DATABASE unfinished_template RENAME TO ${TEMPLATE}`);
  }
  await client.query('SELECT pg_advisory_unlock(1)');
}

/** What `shotlist team init` does. */
async function initialize(url: string): Promise<void> {
  const team = new TeamDatabase({ url, most: 1 });
  await team.migrate();
  await TeamQueue.setUp({ url });
  await team.grantRoles();
  await team.close();
}

/** Of each database: schemas with a team's tables that nothing uses at the moment, and how many there are. */
const schemasOf = new Map<string, { readonly free: string[]; count: number }>();

/** Opens empty tables of a team, in a schema of their own. Those of an earlier test are used again: to make them takes the server ten times as long. */
export async function openTables(url: string): Promise<TeamDatabase> {
  const schemas = schemasOf.get(url) ?? { free: [], count: 0 };
  schemasOf.set(url, schemas);
  const schema = schemas.free.pop();
  const team = new TeamDatabase({ url, schema: schema ?? `tables_${++schemas.count}`, most: 8 });
  if (schema === undefined) await team.migrate();
  else await team.query(EMPTY);
  return team;
}

export async function closeTables(team: TeamDatabase, url: string): Promise<void> {
  await team.close();
  schemasOf.get(url)?.free.push(team.schema);
}

const EMPTY = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('schema_version', 'database_identity') LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`;

export const urlOf = (url: string, database: string): string => url.replace(/[^/]*$/, database);
