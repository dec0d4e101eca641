import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandOutcome, CommandRunner } from '../../src/machine/process/command-runner.ts';
import { type Clock, systemClock } from '../../src/machine/time/clock.ts';
import { temporaryFolder } from '../support/temp.ts';

const ours = { PATH: process.env.PATH, HOME: '/home/director', SHOTLIST_API_KEY: 'sk-1' };
/** Patient: on a busy machine as well, a command that ends on SIGTERM is never killed meanwhile. */
const runner = new CommandRunner({ environment: ours, grace: 60_000 });
/** For commands that ignore SIGTERM, which are killed after this in any case. */
const impatient = new CommandRunner({ environment: ours, grace: 100 });
afterAll(async () => {
  await runner.close();
  await impatient.close();
});

const never = new AbortController().signal;
type Run = (text: string, options?: Partial<Parameters<CommandRunner['run']>[1]>) => Promise<CommandOutcome>;
const scriptBy =
  (by: CommandRunner): Run =>
  (text, options = {}) =>
    by.run({ script: text, shell: 'sh' }, { cwd: '/', env: {}, signal: never, ...options });
const script = scriptBy(runner);
/** A variable that no shell can hold makes it go the other way. */
const spawnedBy =
  (by: CommandRunner): Run =>
  (text, options = {}) =>
    scriptBy(by)(text, { ...options, env: { ...options.env, 'shot-1': 'wide' } });
const waysOf = (by: CommandRunner): readonly (readonly [string, Run])[] => [
  ['by a shell', scriptBy(by)],
  ['spawned', spawnedBy(by)],
];
const WAYS = waysOf(runner);

const fine = (stdout: string): CommandOutcome => ({
  ended: 'by itself',
  exit: 0,
  signal: null,
  stdout,
  stderr: '',
  truncated: false,
});

describe('a command', () => {
  test('gets its arguments to the letter, whatever a shell would make of them', async () => {
    const nasty = ["it's", '', '$HOME `id` $(id)', 'a\nb', '-n', '*', '\\', '"', '你好', '; rm -rf /'];
    const done = await runner.run(
      { argv: ['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...nasty] },
      { cwd: '/', env: {}, signal: never },
    );
    expect(JSON.parse(done.stdout)).toEqual(nasty);
  });

  test('gets its variables to the letter, of ours only a few, and never the key', async () => {
    const done = await script('env | grep -v -e ^PATH= -e ^SHLVL= -e ^_=', {
      env: { title: "it's\n$HOME", n: '3' },
      cwd: '/usr',
    });
    expect(done.stdout.split('\n').sort()).toEqual([
      '',
      '$HOME',
      'HOME=/home/director',
      'PWD=/usr',
      'n=3',
      "title=it's",
    ]);
  });

  test.each(WAYS)('runs in the folder it is given, and stdin is empty (%s)', async (_, script) => {
    const folder = join(await temporaryFolder(), "director's cut");
    await mkdir(folder);
    expect(await script('pwd; cat', { cwd: folder })).toEqual(fine(`${folder}\n`));
  });

  test.each(WAYS)('tells how it ended (%s)', async (_, script) => {
    expect(await script('echo out; echo err >&2; exit 3')).toEqual({ ...fine('out\n'), exit: 3, stderr: 'err\n' });
    expect(await script('kill -KILL $$')).toEqual({ ...fine(''), exit: null, signal: 'SIGKILL' });
  });

  test.each([{}, { 'shot-1': 'wide' }])('that is not there is told as any shell tells it (%o)', async env => {
    const missing = await runner.run({ argv: ['no-such-program'] }, { cwd: '/', env, signal: never });
    expect({ ...missing, stderr: '' }).toEqual({ ...fine(''), exit: 127 });
    expect(missing.stderr).toContain('no-such-program');
  });

  test('of several lines stops at the first that fails; bash also where a pipe does', async () => {
    expect(await script('false\necho not reached')).toEqual({ ...fine(''), exit: 1 });
    const piped = await runner.run(
      { script: 'false | cat\necho not reached', shell: 'bash' },
      { cwd: '/', env: {}, signal: never },
    );
    expect(piped).toEqual({ ...fine(''), exit: 1 });
  });

  test.each(WAYS)('keeps the first MiB of its output and the last of its log (%s)', async (_, script) => {
    const done = await script(
      'head -c 3000000 /dev/zero | tr "\\0" a; { head -c 3000000 /dev/zero | tr "\\0" b; echo why; } >&2',
    );
    expect(done.truncated).toBe(true);
    expect(done.stdout).toBe('a'.repeat(2 ** 20));
    expect(done.stderr).toBe(`${'b'.repeat(2 ** 20 - 4)}why\n`);
  });

  test.each(WAYS)('may write its output into a file (%s)', async (_, script) => {
    const path = join(await temporaryFolder(), 'frames.txt');
    expect(await script('echo one; echo two', { stdoutPath: path })).toEqual(fine(''));
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  test('given a NUL is our own mistake', async () => {
    await expect(script('true', { env: { title: 'a\0b' } })).rejects.toThrow(
      'a command was given a NUL character, which no program can receive',
    );
  });

  test('of many at once each gets its own output', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => script(`echo ${n}; echo log ${n} >&2`)));
    expect(all).toEqual(all.map((_, n) => ({ ...fine(`${n}\n`), stderr: `log ${n}\n` })));
  });

  test('with a variable no shell can hold is started without one', async () => {
    const program = 'console.log(JSON.stringify(process.env))';
    const done = await runner.run(
      { argv: ['node', '-e', program] },
      { cwd: '/', env: { 'shot-1': 'wide' }, signal: never },
    );
    expect(JSON.parse(done.stdout)).toEqual({ HOME: '/home/director', PATH: process.env.PATH, 'shot-1': 'wide' });
  });
});

describe('stopping', () => {
  test.each(WAYS)('ends the command and what it started (%s)', async (_, script) => {
    const controller = new AbortController();
    const folder = await temporaryFolder();
    const told = await fifo(folder);
    const done = script(`sh -c 'sleep 1000 & echo $! >told; wait'`, { cwd: folder, signal: controller.signal });
    const child = await told();
    controller.abort();
    expect(await done).toEqual({ ...fine(''), ended: 'stopped', exit: null, signal: 'SIGTERM' });
    expect(await isAlive(child)).toBe(false);
  });

  test.each(waysOf(impatient))('ends also what will not hear of it (%s)', async (_, script) => {
    const controller = new AbortController();
    const folder = await temporaryFolder();
    const told = await fifo(folder);
    const done = script(`trap '' TERM; sh -c 'echo $$ >told; while :; do sleep 1; done'`, {
      cwd: folder,
      signal: controller.signal,
    });
    const child = await told();
    controller.abort();
    expect(await done).toEqual({ ...fine(''), ended: 'stopped', exit: null, signal: 'SIGKILL' });
    expect(await isAlive(child)).toBe(false);
  });

  test('leaves a command the time to end in good order', async () => {
    const controller = new AbortController();
    const folder = await temporaryFolder();
    const told = await fifo(folder);
    const text = `trap 'echo moov atom written; exit 9' TERM; echo $$ >told; sleep 1000 & wait`;
    const done = script(text, { cwd: folder, signal: controller.signal });
    await told();
    controller.abort();
    expect(await done).toEqual({ ...fine('moov atom written\n'), ended: 'stopped', exit: 9 });
  });

  test('before the start starts nothing', async () => {
    const folder = await temporaryFolder();
    const done = await script('echo >started', { cwd: folder, signal: AbortSignal.abort() });
    expect(done).toEqual({ ...fine(''), ended: 'stopped', exit: null });
    await expect(readFile(join(folder, 'started'))).rejects.toThrow('ENOENT');
  });

  test('in the queue starts nothing at its turn, and nothing behind it starts before', async () => {
    const one = new CommandRunner({ environment: ours, atOnce: 1 });
    const folder = await temporaryFolder();
    const told = await fifo(folder);
    execFileSync('mkfifo', [join(folder, 'go')]);
    const second = new AbortController();
    const run = (text: string, signal: AbortSignal) =>
      one.run({ script: text, shell: 'sh' }, { cwd: folder, env: {}, signal });
    const first = run('echo $$ >told; read -r _ <go; ls', never);
    const queued = run('echo second', second.signal);
    const last = run('echo >last-was-here; ls', never);
    await told();
    second.abort();
    // Time enough for the last to start, if it were let in.
    for (let n = 0; n < 5; n++) await script('true');
    await writeFile(join(folder, 'go'), '\n');
    expect(await first).toEqual(fine('go\ntold\n'));
    expect((await queued).ended).toBe('stopped');
    expect(await last).toEqual(fine('go\nlast-was-here\ntold\n'));
    await one.close();
  });

  test.each(WAYS)('comes by itself when the time is over (%s)', async (_, script) => {
    const done = await script('sleep 1000', { timeoutMs: 30 });
    expect(done).toEqual({ ...fine(''), ended: 'timed out', exit: null, signal: 'SIGTERM' });
  });
});

test.each(waysOf(impatient))(
  'what a command leaves behind is ended with it, and the next command is not disturbed (%s)',
  async (_, script) => {
    const left = await script('{ trap "" TERM; while :; do echo noise; sleep 0.01; done; } & echo $!');
    const [pid] = left.stdout.split('\n');
    expect({ ...left, stdout: '' }).toEqual(fine(''));
    expect(await isAlive(Number(pid))).toBe(false);
    expect(await script('echo quiet')).toEqual(fine('quiet\n'));
  },
);

test('a command that kills the shell it was started by is ended with it', async () => {
  const folder = await temporaryFolder();
  const told = await fifo(folder);
  execFileSync('mkfifo', [join(folder, 'go')]);
  // The time limit begins when the shell has said which process the command is: until then nobody could end it.
  const begun = Promise.withResolvers<void>();
  const sleep: Clock['sleep'] = (...given) => {
    begun.resolve();
    return systemClock.sleep(...given);
  };
  const watched = new CommandRunner({ environment: ours, clock: { ...systemClock, sleep } });
  const text = 'echo $$ >told; read -r _ <go; kill -KILL $PPID; while :; do sleep 1; done';
  const done = scriptBy(watched)(text, { cwd: folder, timeoutMs: 600_000 });
  const pid = await told();
  await begun.promise;
  await writeFile(join(folder, 'go'), '\n');
  expect(await done).toEqual({ ...fine(''), exit: null, signal: 'SIGKILL' });
  expect(await isAlive(pid)).toBe(false);
  await watched.close();
});

test('idle shells keep nobody from ending', async () => {
  const program = `
    import { CommandRunner } from ${JSON.stringify(new URL('../../src/machine/process/command-runner.ts', import.meta.url).href)};
    const runner = new CommandRunner({ environment: process.env });
    const signal = new AbortController().signal;
    const { stdout } = await runner.run({ argv: ['echo', 'done'] }, { cwd: '/', env: {}, signal });
    process.stdout.write(stdout);
  `;
  const args = ['--input-type=module-typescript', '-e', program];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('done\n');
});

test('when the runner is killed, its commands die', async () => {
  const folder = await temporaryFolder();
  const told = await fifo(folder);
  // The command keeps a second pipe open for as long as it lives: its end is the end of that pipe.
  execFileSync('mkfifo', [join(folder, 'life')]);
  const life = open(join(folder, 'life'), 'r');
  const program = `
    import { CommandRunner } from ${JSON.stringify(new URL('../../src/machine/process/command-runner.ts', import.meta.url).href)};
    const runner = new CommandRunner({ environment: process.env });
    const text = 'exec 9>life; trap "" TERM HUP; echo $$ >told; while :; do sleep 1; done';
    await runner.run({ script: text, shell: 'sh' }, { cwd: ${JSON.stringify(folder)}, env: {}, signal: new AbortController().signal });
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: 'inherit' });
  const pid = await told();
  expect(await isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const pipe = await life;
  expect(await pipe.readFile('utf8')).toBe('');
  await pipe.close();
});

/** A pipe named `told`: gives the process id that a command writes into it. */
async function fifo(folder: string): Promise<() => Promise<number>> {
  const path = join(folder, 'told');
  execFileSync('mkfifo', [path]);
  return async () => Number(await readFile(path, 'utf8'));
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
