/**
 * The team's PostgreSQL: one schema of ours, a few connections, and what is heard of others. A connection that breaks is told apart from a
 * statement that is wrong: the one is waited for, the other is a bug of ours.
 */
import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg';
import { Refusal } from '../../domain/refusal.ts';
import { codeOf } from '../../host/error-code.ts';
import { TEAM_MIGRATIONS } from './migrations.ts';
import { grantsSql, makeRolesSql, USER_ROLE, WORKER_ROLE } from './roles.ts';

export interface TeamDatabaseOptions {
  /** `postgres://shotlist@db.example/films`. Its password may stand in the environment, as `PGPASSWORD`. */
  readonly url: string;
  /** Connections at once. */
  readonly most?: number;
  /** Absent: `shotlist`. */
  readonly schema?: string;
  /** How this process is called in `pg_stat_activity`. */
  readonly called?: string;
}

export interface Queries {
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Milliseconds between two statements of a transaction. */
const LONGEST_PAUSE = 5_000;
/** Milliseconds: a server that does not answer for so long is out of reach. */
const LONGEST_STATEMENT = 60_000;

/** The team's database cannot be used as it is, and somebody has to do something about it. */
export class TeamRefused extends Refusal {}

export class TeamDatabase implements Queries {
  readonly schema: string;
  readonly #config: ClientConfig;
  readonly #pool: Pool;

  constructor({ url, most = 4, schema = 'shotlist', called = 'shotlist' }: TeamDatabaseOptions) {
    this.schema = schema;
    this.#config = {
      connectionString: url,
      application_name: called,
      // Whoever is frozen in the middle of a decision holds up all others of the key for so long, and has decided nothing then.
      // What is asked is little each time: to compile it first would take twenty times as long.
      options: `-c search_path=${schema},pg_catalog -c jit=off -c idle_in_transaction_session_timeout=${LONGEST_PAUSE}`,
      connectionTimeoutMillis: 10_000,
      query_timeout: LONGEST_STATEMENT,
      keepAlive: true,
      types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) },
    };
    this.#pool = new Pool({ ...this.#config, max: most, idleTimeoutMillis: 60_000 });
    // A connection that breaks while nobody uses it is made anew when somebody does.
    this.#pool.on('error', () => {});
  }

  /** By itself, too: whoever only asks needs no more than this. */
  readonly query = <Row = Record<string, unknown>>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => rowsOf<Row>(this.#pool, sql, values);

  /** All of the work or none of it. Throws what the work, or the database, throws. */
  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    // Between two statements a connection that breaks has nobody else to tell it to; the next statement says so.
    const hear = (error: Error) => {
      broken = error;
    };
    client.on('error', hear);
    try {
      await client.query('BEGIN');
      const done = await work({ query: (sql, values = []) => rowsOf(client, sql, values) });
      await client.query('COMMIT');
      return done;
    } catch (error) {
      broken ??= isConnectionLost(error) ? (error as Error) : await rollback(client);
      throw error;
    } finally {
      client.off('error', hear);
      client.release(broken);
    }
  }

  /** Another connection that hears what is told on this channel, until it is closed. `lost`: it broke, and hears nothing more. */
  async listen(
    channel: string,
    hear: (payload: string) => void,
    lost: (error: Error) => void,
  ): Promise<{ close(): Promise<void> }> {
    const client = new Client(this.#config);
    let isClosed = false;
    client.on('notification', ({ payload = '' }) => hear(payload));
    client.on('error', error => {
      if (!isClosed) lost(error);
    });
    client.on('end', () => {
      if (!isClosed) lost(new Error('the connection to the database ended'));
    });
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return {
      close: async () => {
        isClosed = true;
        await client.end().catch(() => {});
      },
    };
  }

  /** The version of its tables; 0: there are none. */
  async version(): Promise<number> {
    const [there] = await this.query<{ there: string | null }>('SELECT to_regclass($1) AS there', [
      `${this.schema}.schema_version`,
    ]);
    if (!there?.there) return 0;
    const [row] = await this.query<{ version: number }>('SELECT max(version) AS version FROM schema_version');
    return row?.version ?? 0;
  }

  /** @throws TeamRefused where its tables are missing, or are not those that this version reads. */
  async check(): Promise<void> {
    const version = await this.version();
    if (version === 0)
      throw new TeamRefused("the team's database has no tables of ours yet: run `shotlist team init` once");
    if (version > TEAM_MIGRATIONS.length)
      throw new TeamRefused(
        `the team's database was brought up by a newer shotlist (version ${version}, this one reads ${TEAM_MIGRATIONS.length}): use that one here too`,
      );
    if (version < TEAM_MIGRATIONS.length)
      throw new TeamRefused(
        `the team's database is of an older shotlist (version ${version} of ${TEAM_MIGRATIONS.length}): run \`shotlist team init\` once more`,
      );
    const [setting] = await this.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
    if (setting?.synchronous_commit === 'off')
      throw new TeamRefused(
        "the team's database has synchronous_commit off: what it says is kept may be lost, and paid for again; switch it on",
      );
  }

  /** Makes the tables, or brings them up to this version. Two at once are one. */
  async migrate(): Promise<{ readonly from: number; readonly to: number }> {
    await this.query(`CREATE SCHEMA IF NOT EXISTS ${this.schema}`);
    return this.transaction(async ({ query }) => {
      await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [this.schema]);
      await query(
        'CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
      );
      const [row] = await query<{ version: number | null }>('SELECT max(version) AS version FROM schema_version');
      const from = row?.version ?? 0;
      for (const [index, sql] of TEAM_MIGRATIONS.entries()) {
        if (index < from) continue;
        await query(sql);
        await query('INSERT INTO schema_version (version) VALUES ($1)', [index + 1]);
      }
      return { from, to: Math.max(from, TEAM_MIGRATIONS.length) };
    });
  }

  /**
   * Lets logins that are workers or persons do what theirs is, where the roles of both are there or may be made by this login.
   * @param queue the schema of the queue. False: they are not there, and somebody else has to make them.
   */
  async grantRoles(queue = 'pgboss'): Promise<boolean> {
    const [may] = await this.query<{ is: boolean }>(
      `SELECT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) OR
         (SELECT count(*) = 2 FROM pg_roles WHERE rolname = ANY($1)) AS is`,
      [[WORKER_ROLE, USER_ROLE]],
    );
    if (!may?.is) return false;
    await this.query(makeRolesSql());
    await this.transaction(async ({ query }) => {
      await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [this.schema]);
      await query(grantsSql(this.schema, queue));
    });
    return true;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

const INT8 = 20;

async function rowsOf<Row>(
  client: Pool | PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  // Without values a text may hold several statements.
  const { rows } = values.length === 0 ? await client.query(sql) : await client.query(sql, [...values]);
  return rows as Row[];
}

/** Undefined: the connection is as good as before. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Whether the database was out of reach, went away, or chose this transaction to go under for another: asking again helps, and where its end
 * was not heard nobody knows what became of it. Codes: PostgreSQL's documentation, appendix A: class 08, class 57 but a cancelled query,
 * class 53, and those of class 40 that a transaction fails with when others go on.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (/^(08|53|57P)/.test(code) || NETWORK.has(code) || GONE.has(code))) return true;
  const message = error instanceof Error ? error.message : '';
  return /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/i.test(
    message,
  );
}

/** It takes no writes, being a replica; or it has given up a transaction in which nothing was said for too long, or that another one stood in the way of. */
const GONE = new Set(['25006', '25P03', '40001', '40P01']);
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  'ENOENT',
]);
