/**
 * The team's PostgreSQL: one schema of ours, a few connections, and notifications from others. A broken connection is waited for; a wrong statement
 * is a bug of ours.
 *
 */
import PQueue from 'p-queue';
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResult, types } from 'pg';
import { codeOf } from '../../machine/error-code.ts';
import { type Json, recordIn } from '../../model/text/json.ts';
import { DatabaseIdentity, type DatabaseMark, TeamOutdated, TeamRefused, TeamUnfit } from './database-identity.ts';
import { TEAM_MIGRATIONS } from './migrations.ts';
import { grantsSql, makeRolesSql, USER_ROLE, WORKER_ROLE } from './roles.ts';

interface TeamDatabaseOptions {
  /** `postgres://shotlist@db.example/films`. Its password may stand in the environment, as `PGPASSWORD`. */
  readonly url: string;
  readonly most?: number;
  /** Absent: `shotlist`. */
  readonly schema?: string;
  /** How this process is called in `pg_stat_activity`. */
  readonly called?: string;
  /** Called when the database counts as restored, with the time from which on rows may be missing (Unix milliseconds; 0: all). */
  readonly onRestored?: (since: number) => void;
  /** Called with a warning about a row. */
  readonly trouble?: (message: string) => void;
}

export interface Queries {
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** As `admission_rows` takes it: space 0 is of an account, 2 of a film. */
interface AdvisoryLock {
  readonly of: string;
  readonly space: number;
}

interface Listener {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly lost: (error: Error) => void;
}

/** Milliseconds between two statements of a transaction. */
const LONGEST_PAUSE = 5_000;
/** Milliseconds: a server that does not answer for so long is out of reach. */
const LONGEST_STATEMENT = 60_000;

export class TeamDatabase implements Queries {
  readonly schema: string;
  /** What this process remembers of the database. */
  readonly identity = new DatabaseIdentity();
  readonly #config: ClientConfig;
  readonly #pool: Pool;
  readonly #transactions: PQueue;
  /** The connection of all listeners; undefined: none listens, or it broke. */
  #listening: Promise<Client> | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #onRestored: ((since: number) => void) | undefined;
  readonly #trouble: (message: string) => void;
  readonly #unreadable = new Set<string>();
  /** Of each connection, the generation of the database when it was made. */
  readonly #generations = new WeakMap<object, number>();

  constructor(options: TeamDatabaseOptions) {
    const { url, most = 4, schema = 'shotlist', called = 'shotlist', onRestored, trouble = () => {} } = options;
    this.schema = schema;
    this.#onRestored = onRestored;
    this.#trouble = trouble;
    this.#config = {
      connectionString: url,
      application_name: called,
      // A process that freezes in the middle of a decision blocks all others of the key for so long, and has decided nothing then. Questions are
      // small: compiling them first would take twenty times as long.
      options: `-c search_path=${schema},pg_catalog -c jit=off -c idle_in_transaction_session_timeout=${LONGEST_PAUSE}`,
      connectionTimeoutMillis: 10_000,
      query_timeout: LONGEST_STATEMENT,
      keepAlive: true,
      types: { getTypeParser: (oid, format) => READERS.get(oid) ?? types.getTypeParser(oid, format as 'text') },
    };
    this.#transactions = new PQueue({ concurrency: Math.max(1, most - 1) });
    const onConnect = (client: ClientBase) => this.#checked(client);
    this.#pool = new Pool({ ...this.#config, max: most, idleTimeoutMillis: 60_000, onConnect });
    // A connection that breaks while idle is replaced at its next use.
    this.#pool.on('error', () => {});
  }

  /** Bound to itself, too: some callers need no more than this. */
  readonly query = <Row = Record<string, unknown>>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => this.#connected(client => rowsOf<Row>(client, sql, values));

  /**
   * All of the work or none of it. Throws what the work, or the database, throws. Transactions may wait for one another in the database; one
   * connection is left for single statements, such as the heartbeats of the queue.
   * @param lock waited for before the work begins, and held until the end.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, lock?: AdvisoryLock): Promise<T> {
    return this.#transactions.add(() => this.#transaction(work, lock));
  }

  #transaction<T>(work: (queries: Queries) => Promise<T>, lock: AdvisoryLock | undefined): Promise<T> {
    return this.#connected(async (client, breaks) => {
      try {
        const locked = lock && `hashtextextended(${client.escapeLiteral(lock.of)}, ${lock.space})`;
        await client.query(locked ? `BEGIN; SELECT pg_advisory_xact_lock(${locked})` : 'BEGIN');
        const done = await work({ query: (sql, values = []) => rowsOf(client, sql, values) });
        await client.query('COMMIT');
        return done;
      } catch (error) {
        if (!isConnectionLost(error)) breaks(await rollback(client));
        throw error;
      }
    });
  }

  /**
   * Compares the database with a mark.
   * @param mark of the team's store; absent: the mark of this process.
   * @throws TeamUnfit if the database is an older copy.
   */
  async compare(mark?: DatabaseMark): Promise<void> {
    await this.#connected(client => this.#check(client, mark));
  }

  async #connected<T>(
    work: (client: PoolClient, breaks: (error: Error | undefined) => void) => Promise<T>,
  ): Promise<T> {
    const client = await this.#current();
    let broken: Error | undefined;
    // Between two statements a broken connection has no caller to reject; the next statement fails.
    const breaks = (error: Error | undefined) => {
      broken ??= error;
    };
    client.on('error', breaks);
    try {
      return await work(client, breaks);
    } catch (error) {
      if (isConnectionLost(error)) breaks(error as Error);
      throw error;
    } finally {
      client.off('error', breaks);
      client.release(broken);
    }
  }

  /** A connection to the newest generation of the database that is known: an older one may lead to a server that was replaced. */
  async #current(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if ((this.#generations.get(client) ?? 0) >= this.identity.generation) return client;
      client.release(true);
    }
  }

  async #checked(client: ClientBase): Promise<void> {
    await this.#check(client);
    this.#generations.set(client, this.identity.generation);
  }

  async #check(client: ClientBase, mark?: DatabaseMark): Promise<void> {
    const since = await this.identity.check((sql, values = []) => rowsOf(client, sql, values), mark);
    if (since !== undefined) this.#onRestored?.(since);
  }

  /** A statement of the queue, or several, and what the driver gives for it. */
  raw(sql: string, values?: unknown[]): Promise<QueryResult> {
    return this.#connected(client => client.query(sql, values));
  }

  /** Calls `hear` with each notification of a channel, until it is closed. All channels share one connection. `lost`: that connection broke, and nothing more is heard. */
  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    lost: (error: Error) => void,
  ): Promise<{ close(): Promise<void> }> {
    let isSubscribed = false;
    const listener: Listener = { channel, onPayload, lost: error => isSubscribed && lost(error) };
    this.#listeners.add(listener);
    try {
      this.#listening ??= this.#openListening();
      const client = await this.#listening;
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      isSubscribed = true;
    } catch (error) {
      this.#listeners.delete(listener);
      throw error;
    }
    return {
      close: async () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size > 0) return;
        const client = await this.#listening?.catch(() => undefined);
        this.#listening = undefined;
        await client?.end().catch(() => {});
      },
    };
  }

  async #openListening(): Promise<Client> {
    const client = new Client(this.#config);
    let isBroken = false;
    const breaks = (error: Error) => {
      if (isBroken) return;
      isBroken = true;
      this.#listening = undefined;
      const listeners = [...this.#listeners];
      this.#listeners.clear();
      for (const { lost } of listeners) lost(error);
      void client.end().catch(() => {});
    };
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners) if (listener.channel === channel) listener.onPayload(payload);
    });
    client.on('error', breaks);
    client.on('end', () => breaks(new Error('the connection to the database ended')));
    try {
      await client.connect();
      await this.#checked(client);
      return client;
    } catch (error) {
      isBroken = true;
      this.#listening = undefined;
      await client.end().catch(() => {});
      throw error;
    }
  }

  /** Warns once that a row cannot be read and is skipped. Returns false. @param mend what to do about it. */
  warnUnreadable(row: string, mend: string): false {
    if (!this.#unreadable.has(row)) this.#trouble(`${row} cannot be read, and is skipped; ${mend}`);
    this.#unreadable.add(row);
    return false;
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

  /** @throws TeamOutdated if its tables are missing or older than this version reads. @throws TeamRefused if they are newer. */
  async check(): Promise<void> {
    const version = await this.version();
    if (version === 0)
      throw new TeamOutdated("the team's database has no tables of ours yet: run `shotlist team init` once");
    if (version > TEAM_MIGRATIONS.length)
      throw new TeamRefused(
        `the team's database was brought up by a newer shotlist (version ${version}, this one reads ${TEAM_MIGRATIONS.length}): use that one here too`,
      );
    if (version < TEAM_MIGRATIONS.length)
      throw new TeamOutdated(
        `the team's database is of an older shotlist (version ${version} of ${TEAM_MIGRATIONS.length}): run \`shotlist team init\` once more`,
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
   * Grants worker and person roles to logins, where both roles exist or this login may make them. @param queue the schema of the queue. False: they
   * are missing, and an administrator has to make them.
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
    this.#listeners.clear();
    const listening = await this.#listening?.catch(() => undefined);
    await listening?.end().catch(() => {});
    await this.#pool.end();
  }
}

/** Parses a column of JSON. @throws TeamRefused if Shotlist cannot have written it: any login can write rows. */
export function readJsonColumn(text: string): Json {
  const json = recordIn(text);
  if (json === undefined)
    throw new TeamRefused("a row in the team's tables is not JSON, or is nested too deep; delete it, then run again");
  return json;
}

/** By PostgreSQL's number of the type: `int8`, `json`, `jsonb`. */
const READERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [20, Number],
  [114, readJsonColumn],
  [3802, readJsonColumn],
]);

async function rowsOf<Row>(client: ClientBase, sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
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
 * Whether the database was unreachable, went away, or aborted this transaction for another: asking again helps, and the outcome of an unanswered
 * commit is unknown. Codes: PostgreSQL's documentation, appendix A: class 08, class 57 but a cancelled query, class 53, and those of class 40 that
 * a transaction fails with when others go on.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof TeamUnfit) return true;
  const code = codeOf(error);
  if (code !== undefined && (/^(08|53|57P)/.test(code) || NETWORK.has(code) || GONE.has(code))) return true;
  const message = error instanceof Error ? error.message : '';
  return /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/i.test(
    message,
  );
}

/** It takes no writes, being a replica; or it aborted a transaction that was idle too long, or that another one blocked. */
const GONE = new Set(['25006', '25P03', '40001', '40P01']);
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  'ENOENT',
]);
