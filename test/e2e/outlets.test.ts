/** Whoever reads goes away, reads slowly, or was never there: the real command, with real pipes, devices and terminals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type IPty, spawn as spawnPty } from '@lydell/node-pty';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Stage, type StudioProcess } from './stage.ts';

let stage: Stage;
let studio: StudioProcess;
beforeAll(async () => {
  stage = new Stage();
  studio = await stage.studio();
});
afterAll(() => stage.dispose());
beforeEach(() => {
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
});

interface Seen {
  readonly exit: number;
  /** What the last program of the pipe gave. */
  readonly stdout: string;
  readonly stderr: string;
}

/** `shotlist …args`, with what a shell does to its streams: `| head -1`, `>&-`. The exit code is shotlist's own. */
async function piped(args: readonly string[], after: string): Promise<Seen> {
  const shell = spawn('bash', ['-c', `"$@" ${after}; echo "\${PIPESTATUS[0]}" >exit`, 'bash', ...stage.command(args)], {
    cwd: stage.project,
    env: stage.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  await once(shell, 'close');
  return { exit: Number(stage.read('exit')), stdout, stderr };
}

const status = async (model: string): Promise<string> => {
  const answer = await fetch(`${studio.url}/api/ai/models/${model}?deployment_status=live`, {
    headers: { authorization: `Bearer ${studio.key}` },
  });
  return JSON.stringify(await answer.json());
};

/** It bills no more, or has been told to end. */
const ENDED = /"status":"(inactive|deactivating)"/;

/** A command that is done at once, a film made with a model that bills while it is up, and more that would be started. */
const film = (name: string) => `shotlist: 1
name: ${name}
models:
  look: { id: fox-look, activate: true }
steps:
  first: { run: [echo, ${name}] }
  shot:
    matrix: { seed: [1, 2, 3] }
    model: look
    with: { prompt: ${name}, resolution: 720P, duration: 4, seed: "\${{ matrix.seed }}" }
`;

test.each(['head -1', 'head -c 1', 'true'])('models --json | %s ends silently', async reader => {
  const { exit, stderr } = await piped(['models', '--json'], `| ${reader}`);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
});

test.each(['--help', '--version'])('%s for nobody', async flag => {
  expect(await piped([flag], '| true')).toMatchObject({ exit: 0, stderr: '' });
  expect(await piped([flag], '>/dev/full')).toMatchObject({
    exit: 1,
    stderr: expect.stringMatching(/^shotlist: standard output cannot be written \(ENOSPC: .*\n$/),
  });
});

test('run --ui json | head -1: it lets go in order, ends what bills, writes the lock, exits with 130', async () => {
  stage.write('pipe.yaml', film('pipe'));
  const { exit, stdout, stderr } = await piped(['run', 'pipe.yaml', '--ui', 'json'], `| grep -m 1 '"succeeded"'`);
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ type: 'succeeded', key: 'first' });
  expect(stage.read('pipe.lock.yaml')).toContain('first');
  expect(await status('fox-look')).toMatch(ENDED);
});

test.each(['head -1', 'true'])('run --ui json | %s: what was paid for is not paid for again', async reader => {
  const name = `paid-${reader.replaceAll(/\W/g, '')}`;
  stage.write(
    `${name}.yaml`,
    `shotlist: 1
name: ${name}
steps:
  shot: { matrix: { seed: [1, 2, 3] }, model: V-T2V-A, with: { prompt: ${name}, duration: 4, seed: "\${{ matrix.seed }}" }, save: "out/${name}-{seed}.mp4" }
`,
  );
  const before = await studio.submits();
  const { exit, stderr } = await piped(['run', `${name}.yaml`, '--ui', 'json'], `| ${reader}`);
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: '' });
  const again = await stage.run('run', `${name}.yaml`);
  expect(again.exit, again.stderr).toBe(0);
  expect((await studio.submits()) - before).toBe(3);
});

test('a log collector that dies: the same', async () => {
  stage.write('log.yaml', film('log'));
  const { exit } = await piped(['run', 'log.yaml'], `2>&1 >/dev/null | grep -m 1 'done'`);
  expect(exit).toBe(130);
  expect(stage.read('log.lock.yaml')).toContain('first');
  expect(await status('fox-look')).toMatch(ENDED);
});

test('closed streams are nobody’s trouble', async () => {
  stage.write('closed.yaml', 'shotlist: 1\nname: closed\nsteps:\n  first: { run: [echo, done] }\n');
  for (const closed of ['>&-', '2>&-', '>&- 2>&-']) {
    expect(await piped(['run', 'closed.yaml'], closed)).toMatchObject({ exit: 0 });
    expect(await piped(['models'], closed)).toMatchObject({ exit: 0, stderr: '' });
  }
});

test('a disk that is full is told, and the exit code says that the result was not given', async () => {
  const full =
    'shotlist: standard output cannot be written: the disk is full; free some space, then give the same command again\n';
  expect(await piped(['models', '--json'], '>/dev/full')).toEqual({ exit: 1, stdout: '', stderr: full });
  stage.write('full.yaml', film('full'));
  const hinted = expect.stringMatching(/hint: nothing of this film is saved[\s\S]*the disk is full/);
  expect(await piped(['check', 'full.yaml'], '>/dev/full')).toMatchObject({ exit: 1, stderr: hinted });
  expect(await piped(['run', 'full.yaml', '--ui', 'json'], '>/dev/full')).toMatchObject({ exit: 130, stderr: full });
  expect(await piped(['models', 'V-NONE'], '2>/dev/full')).toMatchObject({ exit: 2, stdout: '' });
});

test('ten megabytes through a slow pipe arrive whole, line by line', async () => {
  stage.write(
    'slow.yaml',
    `shotlist: 1
name: slow
steps:
  said:
    matrix: { n: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }
    run: 'head -c 1000000 /dev/zero | tr "\\0" "$n"'
    env: { n: "\${{ matrix.n }}" }
`,
  );
  // The reader wakes when the run is over, or nearly so: everything has to wait somewhere.
  const { exit, stdout, stderr } = await piped(
    ['run', 'slow.yaml', '--ui', 'json'],
    `| (until [ -f slow.lock.yaml ]; do :; done; cat)`,
  );
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout.length).toBeGreaterThan(10_000_000);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'done' });
  expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => a - b));
  expect(events.filter(({ type }) => type === 'succeeded').length).toBe(12);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s: what was written until then is whole lines', async signal => {
  stage.write('signal.yaml', film(`signal ${signal}`));
  const run = stage.start('run', 'signal.yaml', '--ui', 'json');
  await run.line(/"type":"succeeded"/);
  run.child.kill(signal);
  const { exit, stdout } = await run.ended;
  expect(exit).toBe(130);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'interrupted' });
});

/** Types `shotlist …args` at a terminal that is closed when it has shown something; gives the exit code. */
async function closedWhen(shown: RegExp, ...args: readonly string[]): Promise<number> {
  const { CI: _, ...env } = stage.environment;
  rmSync(join(stage.project, 'over'), { force: true });
  // The shell beneath outlives its terminal, and tells how the command ended.
  const shell = ['-c', 'trap : HUP; "$@"; echo "$?" >gone; mv gone over', 'bash', ...stage.command(args)];
  const pty = spawnPty('bash', shell, {
    ...{ cols: 80, rows: 24, cwd: stage.project },
    env: { ...env, TERM: 'xterm-256color', NO_COLOR: '1' },
  });
  let seen = '';
  await new Promise<void>(found =>
    pty.onData(text => {
      seen += text;
      if (shown.test(seen)) found();
    }),
  );
  const ended = new Promise<void>(over => pty.onExit(() => over()));
  (pty as IPty & { destroy(): void }).destroy();
  await ended;
  while (!existsSync(join(stage.project, 'over'))) await new Promise(setImmediate);
  return Number(stage.read('over'));
}

test('a terminal that is closed in mid-run: what bills is ended, the lock is written', async () => {
  stage.write('terminal.yaml', film('terminal'));
  expect(await closedWhen(/✓ first/, 'run', 'terminal.yaml')).toBe(130);
  expect(stage.read('terminal.lock.yaml')).toContain('first');
  expect(await status('fox-look')).toMatch(ENDED);
});

test('a terminal that is closed in mid-conversation ends it', async () => {
  // The end of what is typed and the signal come at once: either is heard first, and neither is a fault.
  expect([0, 130]).toContain(await closedWhen(/> /, 'chat', 'C-D'));
});
