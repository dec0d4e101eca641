/** A sample is opened: a project with its journal, at the service that it was sent to. Both are the sample's own copy. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { TEAM_MIGRATIONS } from '../../src/team/database/migrations.ts';
import { Stage } from '../e2e/stage.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { onServer } from '../support/postgres.ts';
import { postgresOfRun } from '../support/postgres-of-run.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { emptyDatabase } from '../team/test-database.ts';

/** Where the service of samples was, as they name it. */
export const SERVICE = 'http://studio.test';

export interface OpenSample {
  readonly stage: Stage;
  readonly studio: ReadyStudio;
  close(): Promise<void>;
}

export interface OpenTeam extends OpenSample {
  readonly stage: TeamStage;
}

export const SAMPLES = readdirSync('test/samples', { withFileTypes: true }).flatMap(entry =>
  /^\d/.test(entry.name) && entry.isDirectory() ? [entry.name] : [],
);

export async function openProject(name: string): Promise<OpenSample> {
  const sample = resolve('test/samples', name);
  const stage = new Stage();
  const studio = await openStudio(sample, join(stage.folder, 'studio'));
  const read = (path: string) => readFileSync(join(sample, path), 'utf8').replaceAll(SERVICE, studio.url);
  for (const entry of readdirSync(join(sample, 'project'), { withFileTypes: true }))
    if (entry.isFile() && !entry.name.endsWith('.sql')) stage.write(entry.name, read(`project/${entry.name}`));
  mkdirSync(join(stage.project, '.shotlist'));
  writeDatabase(join(stage.project, '.shotlist/journal.db'), read('project/journal.sql'));
  cpSync(join(sample, 'project/store'), join(stage.project, '.shotlist/store'), { recursive: true });
  stage.env = { FARM_KEY: studio.key };
  return {
    ...{ stage, studio },
    close: async () => {
      stage.killAll();
      await studio.close();
      stage.dispose();
    },
  };
}

/** A team's database and store, at the same service; the tables are as old as the sample. */
export async function openTeam(name: string): Promise<OpenTeam> {
  const sample = resolve('test/samples', name);
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-sample-'));
  const studio = await openStudio(sample, folder);
  const database = await emptyDatabase();
  const read = (path: string) => readFileSync(join(sample, 'team', path), 'utf8').replaceAll(SERVICE, studio.url);
  await restoreTeam(database.url, read('rows.sql'));
  const farm = `services: { farm: { url: "${studio.url}", key_env: FARM_KEY } }\nservice: farm\nhistory: trusted\n`;
  const stage = TeamStage.at(database, farm);
  cpSync(join(sample, 'team/store'), join(stage.folder, 'shared'), { recursive: true });
  for (const file of readdirSync(join(sample, 'team'))) if (file.endsWith('.yaml')) stage.write(file, read(file));
  stage.env = { FARM_KEY: studio.key };
  return {
    ...{ stage, studio },
    close: async () => {
      await stage.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service as it was left: what was under way there goes on. */
async function openStudio(sample: string, folder: string): Promise<ReadyStudio> {
  mkdirSync(folder, { recursive: true });
  writeDatabase(join(folder, 'studio.sqlite'), readFileSync(join(sample, 'studio/state.sql'), 'utf8'));
  cpSync(join(sample, 'studio/results'), join(folder, 'results'), { recursive: true });
  return readyStudio({ folder });
}

/** Returns statements that make the database anew: tables, rows in their order, the version. */
export function sqlText(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const made = database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .all();
    const tables = made.filter(({ type }) => type === 'table').map(({ name }) => String(name));
    const counters = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get()
      ? ['sqlite_sequence']
      : [];
    const rows = [...tables, ...counters].flatMap(table =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY rowid`)
        .all()
        .map(row => `INSERT INTO ${table} VALUES (${Object.values(row).map(literal).join(', ')});`),
    );
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    return `${[
      ...made.map(({ sql }) => `${sql};`),
      'DELETE FROM sqlite_sequence;',
      ...rows,
      `PRAGMA user_version = ${version};`,
    ]
      .filter(line => counters.length > 0 || !line.includes('sqlite_sequence'))
      .join('\n')}\n`;
  } finally {
    database.close();
  }
}

/** @param path where there is no file yet. */
function writeDatabase(path: string, text: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`BEGIN;\n${text}\nCOMMIT;`);
  } finally {
    database.close();
  }
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

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
