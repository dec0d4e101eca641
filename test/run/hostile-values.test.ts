/** Values that a shell would carry out, wherever a step's author may put a value: they arrive as they are, and nothing else happens. */
import { mkdir, readdir, readFile, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { type CommandContext, runCommand } from '../../src/run/local/run-command.ts';
import { temporaryFolder } from '../support/temp.ts';
import { NO_LOG, oneFile, PROMISES_NOTHING } from './command-files.ts';

const runner = new CommandRunner({ environment: { PATH: process.env.PATH }, grace: 100 });
afterAll(() => runner.close());

const HOSTILE = [
  ...'$HOME \\ ${IFS} !! ~ -n --help -rf -- -c * ? [a-z] {a,b} >owned <owned 2>owned # %s%n $((1+1)) a=b & $0 $@'.split(
    ' ',
  ),
  ...[
    '${PATH}',
    '$(touch owned)',
    '`touch owned`',
    '; touch owned',
    '&& touch owned',
    '| touch owned',
    '(touch owned)',
  ],
  ...["'; touch owned; '", '"; touch owned; "', "'\"'\"'$(touch owned)", "\\'; touch owned #", '\ntouch owned\n', '- '],
  ...[
    '',
    ' ',
    '\t',
    '\r\n',
    'a\u00a0b',
    'a\u2028b',
    '\x1b[2J',
    '\u202e',
    "$'\\x41'",
    '\\\n',
    'EOF\ntouch owned',
    '你好',
  ],
  ...['x\r; touch owned', `${"'".repeat(99)}; touch owned`],
];

let folder: string;
let context: CommandContext;
beforeEach(async () => {
  const home = await temporaryFolder();
  folder = join(home, 'step');
  const store = join(home, 'store');
  for (const path of [folder, store]) await mkdir(path);
  let n = 0;
  context = {
    ...{ folder, root: home, runner, probe: async () => null, signal: new AbortController().signal, log: NO_LOG },
    store: {
      adopt: async path => {
        const file = join(store, String(n++));
        await rename(path, file);
        return { sha256: file, bytes: (await stat(file)).size, file };
      },
    },
  };
});

const ECHO = 'process.stdout.write(JSON.stringify({ argv: process.argv.slice(1) }))';
const ECHO_ALL = 'process.stdout.write(JSON.stringify(process.env))';
const nothing = PROMISES_NOTHING;

/** One process is told all of them: a Node of its own for each would be most of this file's time. */
test('as arguments', async () => {
  const done = await runCommand({ ...nothing, command: { argv: ['node', '-e', ECHO, '--', ...HOSTILE] } }, context);
  expect(done).toMatchObject({ is: 'ok', result: { json: { argv: HOSTILE } } });
  expect(await readdir(folder)).toEqual([]);
});

test.each(['sh', 'bash'])('as variables and as the paths of files, for a script of %s', async shell => {
  const named = <T>(name: string, give: (value: string) => T): Record<string, T> =>
    Object.fromEntries(HOSTILE.map((value, n) => [`${name}${n}`, give(value)]));
  const values = named('v', value => value);
  const files = named('f', value => `/media/${value}`);
  const kept = HOSTILE.map((_, n) => `printf '%s.' "$v${n}" >"kept${n}"`).join('\n');
  const work = {
    ...nothing,
    command: { script: `node -e '${ECHO_ALL}'\n${kept}`, shell },
    env: values,
    files,
    creates: Object.fromEntries(HOSTILE.map((_, n) => [`kept${n}`, `kept${n}`])),
  };
  const done = await runCommand(work, context);
  expect(done).toMatchObject({ is: 'ok', result: { json: { ...values, ...files } } });
  expect(await readdir(folder)).toEqual([]);
  const created = done.is === 'ok' ? done.result.files : {};
  const texts = await Promise.all(HOSTILE.map((_, n) => readFile(oneFile(created, `kept${n}`)?.sha256 ?? '', 'utf8')));
  expect(texts).toEqual(HOSTILE.map(value => `${value}.`));
});

describe.each(HOSTILE.map((value, n) => [n, value] as const))('value %i', (_, value) => {
  test('as the name of what is created', async () => {
    const path = `made/${value}`;
    const work = {
      ...nothing,
      command: { argv: ['sh', '-c', 'printf here >"$v"'] },
      env: { v: path },
      creates: { film: path },
    };
    const done = await runCommand(work, context);
    // A name that is none (nothing, one that ends a folder) is refused in words.
    if (done.is === 'ok') expect(oneFile(done.result.files, 'film')?.bytes).toBe(4);
    else expect(done.failure.message).toMatch(/^`creates` puts `film` at .*; write a relative path without `..`$/s);
    expect(await readdir(folder)).toEqual(done.is === 'ok' ? ['made'] : []);
  });

  test('as the folder a command runs in', async () => {
    if (value === '') return;
    const odd = join(folder, value);
    await mkdir(odd, { recursive: true });
    const done = await runner.run({ argv: ['pwd', '-P'] }, { cwd: odd, env: {}, signal: context.signal });
    expect(done.stdout).toBe(`${await realpath(odd)}\n`);
  });
});
