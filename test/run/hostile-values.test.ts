/** Values that a shell would carry out, wherever a step's author may put a value: they arrive as they are, and nothing else happens. */
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRunner } from '../../src/host/command-runner.ts';
import { type CommandContext, runCommand } from '../../src/run/local/run-command.ts';
import { temporaryFolder } from '../support/temp.ts';

const runner = new CommandRunner({ environment: { PATH: process.env.PATH }, grace: 100 });
afterAll(() => runner.close());

const HOSTILE = [
  ...[
    '$(touch owned)',
    '`touch owned`',
    '; touch owned',
    '&& touch owned',
    '| touch owned',
    '\ntouch owned\n',
    '$HOME',
  ],
  ...[
    "'; touch owned; '",
    '"; touch owned; "',
    "'\"'\"'$(touch owned)",
    '\\',
    "\\'; touch owned #",
    '${IFS}',
    '!!',
    '~',
  ],
  ...['-n', '--help', '-rf', '--', '-c', '- ', '*', '?', '[a-z]', '{a,b}', '>owned', '<owned', '2>owned', '#', '%s%n'],
  ...[
    'a\u00a0b',
    'a\u2028b',
    '\t',
    '',
    ' ',
    '\r\n',
    '\x1b[2J',
    '\u202e',
    '你好',
    '$((1+1))',
    "$'\\x41'",
    '(touch owned)',
  ],
  ...[
    'EOF\ntouch owned',
    'a=b',
    '&',
    '\\\n',
    'x\r; touch owned',
    `${"'".repeat(99)}; touch owned`,
    '$0',
    '$@',
    '${PATH}',
  ],
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
    ...{ folder, root: home, runner, probe: async () => null, signal: new AbortController().signal },
    store: {
      adopt: async path => {
        const file = join(store, String(n++));
        await rename(path, file);
        return { sha256: 'f00d', bytes: (await stat(file)).size, file };
      },
    },
  };
});

const ECHO =
  'process.stdout.write(JSON.stringify({ argv: process.argv.slice(1), v: process.env.v, f: process.env.f }))';
const nothing = { env: {}, files: {}, creates: {} };

describe.each(HOSTILE.map((value, n) => [n, value] as const))('value %i', (_, value) => {
  test('as an argument', async () => {
    const done = await runCommand(
      { ...nothing, command: { argv: ['node', '-e', ECHO, '--', value, 'last'] } },
      context,
    );
    expect(done).toMatchObject({ is: 'ok', result: { json: { argv: [value, 'last'] } } });
    expect(await readdir(folder)).toEqual([]);
  });

  test('as a variable and as the path of a file, for a script of each shell', async () => {
    for (const shell of ['sh', 'bash']) {
      const work = {
        ...nothing,
        command: { script: `node -e '${ECHO}'; printf '%s.' "$v" >"kept"`, shell },
        env: { v: value },
        files: { f: `/media/${value}` },
        creates: { kept: 'kept' },
      };
      const done = await runCommand(work, context);
      expect(done).toMatchObject({ is: 'ok', result: { json: { v: value, f: `/media/${value}` } } });
      expect(await readdir(folder)).toEqual([]);
      const kept = done.is === 'ok' ? done.result.files.kept : undefined;
      expect(await readFile(kept?.file ?? '', 'utf8')).toBe(`${value}.`);
    }
  });

  test('as the name of what is created', async () => {
    const path = `made/${value}`;
    const work = {
      ...nothing,
      command: { argv: ['node', '-e', 'fs.writeFileSync(process.env.v, "here")'] },
      env: { v: path },
      creates: { film: path },
    };
    const done = await runCommand(work, context);
    // A name that is none (nothing, one that ends a folder) is refused in words.
    if (done.is === 'ok') expect(done.result.files.film?.bytes).toBe(4);
    else expect(done.failure.message).toMatch(/^`creates` puts `film` at .*; write a relative path without `..`$/s);
    expect(await readdir(folder)).toEqual(done.is === 'ok' ? ['made'] : []);
  });

  test('as the folder a command runs in', async () => {
    if (value === '') return;
    const odd = join(folder, value);
    await mkdir(odd, { recursive: true });
    const done = await runner.run(
      { argv: ['node', '-p', 'JSON.stringify(process.cwd())'] },
      { cwd: odd, env: {}, signal: context.signal },
    );
    expect(JSON.parse(done.stdout)).toBe(odd);
  });
});
