/** A PostgreSQL of a test's own, on a free port of this machine; what Debian's package brings. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresOfATest {
  readonly url: string;
  /** Of the server's first process, which all others are children of. */
  pid(): number;
  /** As when the machine loses its power: nobody is asked. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const VERSIONS = '/usr/lib/postgresql';

/** Where its programs are; undefined where it is not installed. */
export const postgresPrograms: string | undefined = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map(version => join(VERSIONS, version, 'bin'))
      .find(folder => existsSync(join(folder, 'initdb')))
  : undefined;

/** @param how `durable`: every commit is synced, as in use; a test of what it keeps through a kill needs that. */
export async function startPostgres(how: 'durable' | 'quick' = 'quick'): Promise<PostgresOfATest> {
  const programs = postgresPrograms;
  if (programs === undefined) throw new Error('PostgreSQL is not installed: .ci/install-debian does it');
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-pg-'));
  const data = join(folder, 'data');
  const port = await freePort();
  // It refuses to be run by root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['postgres', folder]);
  const asItsUser = (program: string, args: readonly string[]): [string, string[]] => {
    const path = join(programs, program);
    return isRoot ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, [...args]];
  };
  const run = (program: string, args: readonly string[]) => {
    const [file, all] = asItsUser(program, args);
    execFileSync(file, all, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
  };
  // While it goes down and comes up, what else the test does goes on.
  const control = async (...args: readonly string[]) => {
    const [file, all] = asItsUser('pg_ctl', ['-D', data, '-w', ...args]);
    const [exit] = await once(spawn(file, all, { cwd: folder, stdio: 'ignore', timeout: 60_000 }), 'exit');
    if (exit !== 0) throw new Error(`pg_ctl ${args.join(' ')}: exit ${exit}`);
  };
  run('initdb', ['-D', data, '-A', 'trust', '-U', 'shotlist', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const settings = [
    ...[`port = ${port}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${folder}'`],
    ...['max_connections = 200', 'shared_buffers = 32MB', 'log_min_messages = fatal'],
    ...(how === 'quick' ? ['fsync = off', 'full_page_writes = off'] : []),
  ];
  writeFileSync(join(folder, 'settings.conf'), `${settings.join('\n')}\n`, { mode: 0o644 });
  const own = `include = '${join(folder, 'settings.conf')}'\n`;
  if (isRoot)
    execFileSync('runuser', ['-u', 'postgres', '--', 'tee', '-a', join(data, 'postgresql.conf')], {
      input: own,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  else writeFileSync(join(data, 'postgresql.conf'), own, { flag: 'a' });
  const start = () => control('-l', join(folder, 'log'), 'start');
  await start();
  // Whoever is killed in a test leaves nothing running behind.
  const guard = spawn(
    'sh',
    [
      '-c',
      `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done; kill -9 $(head -1 ${data}/postmaster.pid) 2>/dev/null; rm -rf ${folder}`,
    ],
    { detached: true, stdio: 'ignore' },
  );
  guard.unref();
  return {
    url: `postgres://shotlist@127.0.0.1:${port}/postgres`,
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    kill: () => control('-m', 'immediate', 'stop'),
    start,
    stop: async () => {
      guard.kill();
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
