/** Each thing that a test file can leave behind in a thread that others use is named, and what a library or a clean test does is not. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temp.ts';

interface Leak {
  readonly pool?: 'threads' | 'forks';
  /** The body of its only test. */
  readonly body: string;
  /** What the file's failure says, or undefined where it has left nothing. */
  readonly left?: string;
}

const LEAKS: Readonly<Record<string, Leak>> = {
  environment: {
    body: "process.env.LEFT_BEHIND = 'x'; delete process.env.HOME",
    left: 'process.env.HOME is changed; process.env.LEFT_BEHIND is changed',
  },
  stubbed: { body: "vi.stubEnv('STUBBED', 'x')", left: 'process.env.STUBBED is changed' },
  global: { body: 'globalThis.leftBehind = 1', left: 'globalThis.leftBehind is new' },
  deleted: { body: 'delete globalThis.Event', left: 'globalThis.Event is gone' },
  fetch: { body: 'globalThis.fetch = async () => new Response()', left: 'fetch is changed' },
  console: { body: "vi.spyOn(console, 'warn')", left: 'console.warn is changed' },
  output: { body: 'process.stderr.write = () => true', left: 'process.stderr.write is changed' },
  random: { body: 'Math.random = () => 0.5', left: 'Math.random is changed' },
  date: { body: 'globalThis.Date = class extends Date {}', left: 'Date is changed' },
  // Of a pool where no other file has fake timers, which would be put back with these.
  timers: { pool: 'forks', body: "vi.useFakeTimers({ toFake: ['setTimeout'] })", left: 'setTimeout is changed' },
  listener: { body: "process.on('warning', () => {})", left: 'a listener of process for warning' },
  deaf: {
    body: "process.removeAllListeners('uncaughtException')",
    left: 'a listener of process for uncaughtException is gone',
  },
  exit: { body: 'process.exitCode = 3', left: 'process.exitCode is changed' },
  interval: { body: 'setInterval(() => {}, 60_000)', left: 'a timer that was set at ' },
  timeout: { body: 'setTimeout(() => {}, 60_000)', left: 'a timer that was set at ' },
  server: {
    body: "const { createServer } = await import('node:net'); createServer().listen(0, '127.0.0.1')",
    left: 'a server',
  },
  // It ends with its standard input.
  child: { body: "const { spawn } = await import('node:child_process'); spawn('cat')", left: 'a child process' },
  watcher: { body: "const { watch } = await import('node:fs'); watch('.')", left: 'a watched folder' },
  thread: {
    body: "const { Worker } = await import('node:worker_threads'); new Worker('setInterval(() => {}, 1_000)', { eval: true })",
    left: 'a worker thread',
  },
  folder: { pool: 'forks', body: "process.chdir('/')", left: 'process.cwd() is changed' },
  mask: { pool: 'forks', body: 'process.umask(process.umask() ^ 0o040)', left: 'process.umask() is changed' },
  clean: {
    body: `
      const hear = () => {};
      process.on('SIGHUP', hear).off('SIGHUP', hear);
      setInterval(() => {}, 60_000).unref();
      clearTimeout(setTimeout(() => {}, 60_000));
      setTimeout(() => {}, 20);
      const { createServer } = await import('node:net');
      const server = createServer().listen(0, '127.0.0.1', () => server.close());
      const warn = vi.spyOn(console, 'warn');
      warn.mockRestore();
      await fetch('data:text/plain,fox');
      vi.useFakeTimers();
      setTimeout(() => {}, 60_000);
      vi.useRealTimers();
      process.env.SET = 'x';
      delete process.env.SET;`,
  },
};

test('each kind is told with the file and what it is, and nothing else is', async () => {
  const folder = await temporaryFolder();
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'threads'));
  await mkdir(join(folder, 'forks'));
  for (const [name, { pool = 'threads', body }] of Object.entries(LEAKS))
    await writeFile(
      join(folder, pool, `${name}.leak.ts`),
      `import { expect, test, vi } from 'vitest';\ntest('leaves something', async () => {\n${body}\n});\n`,
    );
  const project = (pool: string) => ({
    ...{ name: pool, root: folder, pool, isolate: false, include: [`${pool}/*.leak.ts`] },
    setupFiles: [resolve('test/support/leaves-nothing.ts')],
  });
  const config = { test: { maxWorkers: 1, projects: ['threads', 'forks'].map(pool => ({ test: project(pool) })) } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  const program = resolve('node_modules/vitest/vitest.mjs');
  const report = join(folder, 'report.json');
  const child = execFile(
    process.execPath,
    [program, 'run', '--root', folder, '--reporter', 'json', '--outputFile', report],
    { cwd: folder },
  );
  await once(child, 'exit');
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly message: string; readonly status: string }[];
  };
  const told = Object.fromEntries(
    testResults.map(({ name, message }) => [/(\w+)\.leak\.ts$/.exec(name)?.[1], message]),
  );
  for (const [name, { pool = 'threads', left }] of Object.entries(LEAKS)) {
    const file = join(folder, pool, `${name}.leak.ts`);
    if (left === undefined) expect(told[name], name).toBe('');
    else if (left.endsWith(' at ')) expect(told[name], name).toContain(`${file} leaves behind: ${left}${file}:`);
    else expect(told[name], name).toBe(`${file} leaves behind: ${left}`);
  }
});
