/** What ends a command: the machine's no is a sentence, a bug is told as one. */

import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/cli/arguments.ts';
import { workerText } from '../../src/cli/commands/team/worker.ts';
import { bugReport } from '../../src/cli/errors/bug-report.ts';
import { unhandledSystemErrorText, withExitCode } from '../../src/cli/errors/command-error.ts';
import { sayLine } from '../../src/cli/outlets.ts';
import { Refusal } from '../../src/model/run/decision-page.ts';
import { temporaryFolder } from '../support/temp.ts';

const CODES = [
  ...['ENOSPC', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EISDIR', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'EDQUOT', 'EBUSY'],
  ...['ETXTBSY', 'EEXIST', 'ENOTDIR', 'ELOOP', 'EFBIG', 'ENOENT', 'ENOTEMPTY', 'ENXIO', 'ENOMEM', 'EWHATEVER'],
];

/** As Node makes them. */
const systemError = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: what the system says, ${syscall}${path === undefined ? '' : ` '${path}'`}`), {
    ...{ code, syscall, errno: -1, ...(path !== undefined && { path }) },
  });

test.each(CODES)('%s is a sentence that ends with what to do, with a path and without one', code => {
  const named = unhandledSystemErrorText(systemError(code, 'open', 'out/fox.mp4'));
  expect(named).toMatch(/^out\/fox\.mp4: .+ \(E\w+: what the system says\); .+, then give the same command again$/);
  const unnamed = unhandledSystemErrorText(systemError(code, 'write'));
  expect(unnamed).toMatch(/^[a-z].+ \(E\w+: what the system says\); .+, then give the same command again$/);
});

test('what really happens at a disk, a port and a database is among them', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'is-a-folder'));
  await writeFile(join(folder, 'film'), '');
  const caught = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      return unhandledSystemErrorText(error)?.replaceAll(folder, '~');
    }
    throw new Error('nothing went wrong');
  };
  const full = await open('/dev/full', 'w');
  expect(await caught(() => full.write('x'))).toMatch(
    /^the disk is full \(ENOSPC: no space left on device\); free some space/,
  );
  await full.close();
  expect(await caught(() => readFile(join(folder, 'is-a-folder')))).toMatch(/a folder is in its place/);
  expect(await caught(() => writeFile(join(folder, 'x'.repeat(300)), ''))).toMatch(/: the name is too long/);
  expect(await caught(() => readFile(join(folder, 'film', 'x')))).toMatch(/^~\/film\/x: a folder is needed on the way/);
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const second = createServer().listen(port);
  expect(await caught(() => once(second, 'listening'))).toBe(
    `port ${port} is taken by another program; end that, or choose another port`,
  );
  server.close();
  await writeFile(join(folder, 'no.db'), 'this is no database, and long enough to be looked at as one'.repeat(20));
  const database = new DatabaseSync(join(folder, 'no.db'));
  expect(await caught(() => database.exec('CREATE TABLE t (a)'))).toMatch(
    /^a database below .* cannot be read \(.+\); put its newest copy back/,
  );
  database.close();
  // A database that may not grow: what "disk is full" looks like to SQLite.
  const small = new DatabaseSync(join(folder, 'small.db'));
  small.exec('CREATE TABLE t (a); PRAGMA max_page_count = 2');
  expect(await caught(() => small.exec('INSERT INTO t VALUES (hex(randomblob(100000)))'))).toMatch(
    /^the disk is full: a database below .* cannot be written; make room, then run again$/,
  );
  small.close();
});

test('trouble of the network, our own sentences and bugs are none of it', () => {
  for (const error of [
    systemError('ECONNREFUSED', 'connect'),
    Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
    Object.assign(new TypeError('bad argument'), { code: 'ERR_INVALID_ARG_TYPE' }),
    new TypeError('x is not a function'),
    'a text',
    undefined,
  ])
    expect(unhandledSystemErrorText(error)).toBe(undefined);
});

afterEach(() => vi.restoreAllMocks());

test('a command that cannot go on ends with a sentence; a bug passes through', async () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => said.push(String(text)) > 0);
  const command = (error: unknown) => withExitCode(() => Promise.reject(error))([]);
  expect(await command(systemError('EROFS', 'mkdir', 'out\x1b[2J'))).toBe(2);
  expect(said.join('')).toBe(
    'shotlist: out[2J: the disk can only be read (EROFS: what the system says); make it writable, or choose another place, then give the same command again\n',
  );
  said.length = 0;
  expect(await command(systemError('ENOENT', 'mkdir', 'films'))).toBe(2);
  expect(said.join('')).toBe(
    'shotlist: films: no folder can be made there: its disk can only be read, or what it was to be in is gone (ENOENT: what the system says); choose another place, then give the same command again\n',
  );
  const bug = new TypeError('x is not a function');
  await expect(command(bug)).rejects.toBe(bug);
});

test.each([
  ['a refusal', new Refusal('fox\nshotlist: nothing is wrong.yaml is not readable'), []],
  ['a name in a usage error', new UsageError('fox\nshotlist: nothing is wrong.yaml is not readable'), []],
  [
    'one of several lines',
    new UsageError('fox shotlist: nothing is wrong.yaml is not readable', 'ow\rl\u2028ok'),
    ['ow l ok'],
  ],
  ['a disk', systemError('EROFS', 'mkdir', 'fox\nshotlist: nothing is wrong.yaml'), []],
])('a line end in the error that ends a command begins no line of its own: %s', async (_, error, others) => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => said.push(String(text)) > 0);
  await withExitCode(() => Promise.reject(error))([]);
  const [first, ...more] = said.join('').trimEnd().split('\n');
  expect(first).toMatch(/^shotlist: fox shotlist: nothing is wrong.yaml/);
  expect(more).toEqual(others);
});

test('a line end in the name of a run makes no second line in a worker’s log, and a name of 5 MB is cut', () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => said.push(String(text)) > 0);
  const logged = (run: string) => {
    for (const line of workerText({ is: 'began', run })) sayLine(line);
    return said.splice(0).join('');
  };
  expect(logged('fox\nowl: done, $0.00\u2028x\u001b[2J')).toBe('fox owl: done, $0.00 x[2J: led here\n');
  const long = logged('x'.repeat(5 * 1024 ** 2));
  expect(long.length).toBeLessThan(5_000);
  expect(long).toMatch(/^x+…x+: led here\n$/);
});

test('a bug says what happened, whose it is and what to send, and no key', () => {
  const error = new TypeError('cannot read sk-123456 of undefined');
  error.stack = 'TypeError: …\n    at submit (file:///app/dist/main.js:1:2)\n    at sk-123456 (x.js)';
  const words = bugReport(error, 'run', { SHOTLIST_API_KEY: 'sk-123456', HOME: '/home/me' }).join('\n');
  expect(words.replace(/^ {2}shotlist \S+, Node .*$/m, '  VERSIONS')).toMatchInlineSnapshot(`
    "shotlist: this is a bug of shotlist, not of your film: TypeError: cannot read $SHOTLIST_API_KEY of undefined
      at submit (file:///app/dist/main.js:1:2)
      at $SHOTLIST_API_KEY (x.js)
    what was paid for is written down: the same command goes on from there, once the bug is mended or does not show
    please report it: send these lines, the command you typed (\`shotlist run …\`) and the file it reads, without keys
      VERSIONS"
  `);
});
