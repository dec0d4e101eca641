import { mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { type CommandContext, type CommandToRun, runCommand } from '../../src/run/local/run-command.ts';
import { temporaryFolder } from '../support/temp.ts';
import { PROMISES_NOTHING } from './command-files.ts';

const runner = new CommandRunner({ environment: { PATH: process.env.PATH }, grace: 100 });
afterAll(() => runner.close());

let context: CommandContext;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const home = await temporaryFolder();
  const [folder, root, store] = ['step', 'project', 'store'].map(name => join(home, name)) as [string, string, string];
  for (const path of [folder, root, store]) await mkdir(path);
  context = {
    folder,
    root,
    runner,
    // A store that keeps what it is given under its own name.
    store: {
      adopt: async (path, extension) => {
        const file = join(store, `${basename(path, extension)}${extension}`);
        await rename(path, file);
        return { sha256: 'f00d', bytes: (await stat(file)).size, file };
      },
    },
    probe: async path => (path.endsWith('.png') ? { kind: 'image', format: 'png' } : null),
    signal: new AbortController().signal,
    log: { line: line => void logged.push(line), close: () => (logged.length > 0 ? 'logs/step.log' : undefined) },
  };
});

const sh = (script: string, rest: Partial<CommandToRun> = {}): CommandToRun => ({
  command: { script, shell: 'sh' },
  ...PROMISES_NOTHING,
  ...rest,
});
const said = (message: string, exit: number | null, lines: readonly string[] = []) => ({
  is: 'failed',
  failure: {
    ...{ code: 'command_failed', exit, message },
    ...(lines.length > 0 && { lines, log: 'logs/step.log' }),
  },
});

describe('a command that does what its step says', () => {
  test('gives its output, as text and as JSON', async () => {
    expect(await runCommand(sh(`echo '{"beats": [1, 2]}'`), context)).toEqual({
      is: 'ok',
      result: { is: 'command', stdout: '{"beats": [1, 2]}', json: { beats: [1, 2] }, files: {} },
    });
    expect(await runCommand(sh(`echo; echo 'a wide shot'; echo`), context)).toEqual({
      is: 'ok',
      result: { is: 'command', stdout: '\na wide shot', json: null, files: {} },
    });
  });

  test('fails in words when what it made does not fit on the disk', async () => {
    const full = new DiskError('ENOSPC', 'store/x: the disk is full; free some room, then run again', undefined);
    const adopt = () => Promise.reject(full);
    expect(
      await runCommand(sh('printf a >a.txt', { creates: { a: 'a.txt' } }), { ...context, store: { adopt } }),
    ).toEqual(said('what it made could not be kept: store/x: the disk is full; free some room, then run again', 0));
  });

  test('has its files adopted and probed', async () => {
    const work = sh('printf png >sheets/contact.png; printf one,two >list.csv', {
      creates: { sheet: 'sheets/contact.png', list: 'list.csv' },
    });
    expect(await runCommand(work, context)).toEqual({
      is: 'ok',
      result: {
        is: 'command',
        stdout: '',
        json: null,
        files: {
          sheet: {
            sha256: 'f00d',
            extension: '.png',
            bytes: 3,
            media: { kind: 'image', format: 'png' },
          },
          list: { sha256: 'f00d', extension: '.csv', bytes: 7, media: null },
        },
      },
    });
  });

  test('reads its media, its variables and where the project is', async () => {
    const work = sh('echo "$clip|$title|$SHOTLIST_PROJECT|$(pwd)"', {
      env: { title: '"$HOME" & more' },
      files: { clip: "/store/director's cut.mp4" },
    });
    expect(await runCommand(work, context)).toMatchObject({
      result: { stdout: `/store/director's cut.mp4|"$HOME" & more|${context.root}|${context.folder}` },
    });
  });

  test('may be a program of the project', async () => {
    await mkdir(join(context.root, 'tools'));
    await writeFile(join(context.root, 'tools/hello'), '#!/bin/sh\necho "hello $1"\n', { mode: 0o755 });
    const work = sh('', { command: { argv: ['tools/hello', 'fox'] } });
    expect(await runCommand(work, context)).toMatchObject({ result: { stdout: 'hello fox' } });
  });

  test('says when its output was too long to keep', async () => {
    const done = await runCommand(sh(`printf '{"a":"'; head -c 2000000 /dev/zero | tr '\\0' a; printf '"}'`), context);
    expect(done).toMatchObject({ result: { json: null } });
    const kept = `{"a":"${'a'.repeat(2 ** 20 - 6)}`;
    expect(done.is === 'ok' && done.result.stdout).toBe(
      `${kept}\n… the rest is not kept: write long output into a file under \`creates\``,
    );
  });
});

type Failing = readonly [what: string, CommandToRun, said: string, exit: number | null, lines: readonly string[]];
const TWENTY = [...Array.from({ length: 19 }, (_, n) => `frame ${n + 12}`), 'no room'];
const BY_HAND = 'run it by hand to see why';

describe('a command that fails', () => {
  test.each<Failing>([
    [
      'the last twenty lines that it wrote are told',
      sh('for n in $(seq 1 30); do echo "frame $n" >&2; sleep 0.005; done; echo no room >&2; exit 4'),
      'the command ended with exit code 4',
      4,
      TWENTY,
    ],
    [
      'its lines are told in the order they came',
      sh('echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; exit 1'),
      'the command ended with exit code 1',
      1,
      ['one', 'two', 'three'],
    ],
    ['without a word', sh('exit 1'), `the command ended with exit code 1 and said nothing; ${BY_HAND}`, 1, []],
    ['by a signal', sh('kill -SEGV $$'), `the command was killed by SIGSEGV; ${BY_HAND}`, null, []],
    [
      'it left something else than it promised',
      sh('echo a >out/flim.mp4; echo b >notes.txt', { creates: { film: 'out/film.mp4' } }),
      'the command promised `film`, but `out/film.mp4` is not there; it left `notes.txt`, `out/flim.mp4`. Have the command write it, or correct `creates`',
      0,
      [],
    ],
    [
      'a value holds a NUL: it is not started',
      sh('exit 9', { env: { title: 'a\0b' } }),
      '`title` holds a NUL character, which no program can receive; take it out',
      null,
      [],
    ],
    ...['../film.mp4', '/etc/cron.d/film', 'a/../../b', '.', 'clips/'].map(
      (path): Failing => [
        `it would create ${path}: it is not started`,
        sh('exit 9', { creates: { film: path } }),
        `\`creates\` puts \`film\` at \`${path}\`, which is no file inside the command's own folder; write a relative path without \`..\``,
        null,
        [],
      ],
    ),
  ])('%s', async (_, command, message, exit, lines) => {
    expect(await runCommand(command, context)).toEqual(said(message, exit, lines));
  });

  test('that looks for a file of the project says how it comes into its folder', async () => {
    await writeFile(join(context.root, 'beats.txt'), 'one');
    const how =
      '; it runs in an empty folder, which does not hold `beats.txt`: name that under `files:`, and read it as `$name`';
    const failed = (command: CommandToRun) =>
      runCommand(command, context).then(outcome => (outcome.is === 'failed' ? outcome.failure.message : outcome.is));
    expect(await failed(sh('cat beats.txt'))).toBe(`the command ended with exit code 1${how}`);
    expect(await failed(sh('', { command: { argv: ['cat', 'beats.txt'] } }))).toBe(
      `the command ended with exit code 1${how}`,
    );
    // Another file is missing, or it was not about files.
    expect(await failed(sh('cat other.txt'))).toBe('the command ended with exit code 1');
    expect(await failed(sh('echo no room; exit 1; cat beats.txt'))).toBe('the command ended with exit code 1');
    expect(await failed(sh('cat "$SHOTLIST_PROJECT/beats.txt"; echo no room; exit 1'))).toBe(
      'the command ended with exit code 1',
    );
  });

  test('because its program is missing says so', async () => {
    const done = await runCommand(sh('', { command: { argv: ['ffmpegg', '-version'] } }), context);
    expect(done.is === 'failed' && done.failure.message).toBe(
      'there is no program `ffmpegg` here: install it, or correct the name',
    );
  });

  test('tells no more of a line than anybody reads; the log has all of it', async () => {
    const done = await runCommand(sh(`head -c 4000 /dev/zero | tr '\\0' a; exit 1`), context);
    expect(done.is === 'failed' && 'lines' in done.failure && done.failure.lines).toEqual([`${'a'.repeat(499)}…`]);
    expect(logged).toEqual(['a'.repeat(4000)]);
  });

  test('by taking too long', async () => {
    expect(await runCommand(sh('exec sleep 1000', { timeoutMs: 100 }), context)).toEqual({
      is: 'failed',
      failure: {
        code: 'timed_out',
        message: "the command was stopped after 0.1 s, its step's timeout; make it faster or the timeout longer",
      },
    });
  });

  test('because the run stops', async () => {
    const done = await runCommand(sh('sleep 1000'), { ...context, signal: AbortSignal.abort() });
    expect(done).toEqual(said('the command was stopped', null));
  });
});

test('a folder that is reached by a link is still its own', async () => {
  const link = join(context.root, 'link');
  await symlink(context.folder, link);
  const done = await runCommand(sh('echo a >list.txt', { creates: { list: 'list.txt' } }), {
    ...context,
    folder: link,
  });
  expect(done).toMatchObject({ is: 'ok', result: { files: { list: { bytes: 2 } } } });
});
