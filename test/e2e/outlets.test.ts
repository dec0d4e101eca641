/** Whoever reads goes away, reads slowly, or was never there: the real command, with real pipes, devices and terminals. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { type IPty, spawn as spawnPty } from '@lydell/node-pty';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { RenderJob } from '../../src/studio/animatic/job.ts';
import { type ReadyStudio, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let studio: ReadyStudio;
beforeAll(async () => {
  stage = new Stage();
  const begun = Date.now();
  studio = await readyStudio({
    before: (job, signal) => Promise.race([isThere(job), untilCancelled(job, signal)]),
    // A deployment takes seconds of the studio's clock, and a hundredth of that here.
    clock: {
      now: () => begun + (Date.now() - begun) * 100,
      sleep: (ms, signal, where) => systemClock.sleep(ms / 100, signal, where),
    },
  });
});
afterAll(async () => {
  stage.dispose();
  await studio.close();
});
beforeEach(() => {
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
});

/** What the studio gives, by the prompt of a film: its first result, and the others. A film that is not named waits for ever. */
const given = new Map<
  string,
  { readonly first: PromiseWithResolvers<void>; readonly others: PromiseWithResolvers<void> }
>();
const gateOf = (prompt: string) => {
  const gate = given.get(prompt) ?? { first: Promise.withResolvers<void>(), others: Promise.withResolvers<void>() };
  given.set(prompt, gate);
  return gate;
};
const isThere = ({ request: { prompt, seed } }: RenderJob): Promise<void> => {
  const { first, others } = gateOf(String(prompt));
  return (seed === 1 ? first : others).promise;
};

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

/** Resolves when the project has this file. */
async function appears(name: string): Promise<void> {
  const there = Promise.withResolvers<void>();
  const look = () => {
    if (stage.has(name)) there.resolve();
  };
  const watcher = watch(stage.project, look);
  look();
  await there.promise;
  watcher.close();
}

const status = async (model: string): Promise<string> => {
  const answer = await fetch(`${studio.url}/api/ai/models/${model}?deployment_status=live`, {
    headers: { authorization: `Bearer ${studio.key}` },
  });
  return JSON.stringify(await answer.json());
};

/** It bills no more, or has been told to end. */
const ENDED = /"status":"(inactive|deactivating)"/;

/**
 * A reader that is gone before the studio gives the first result of the film: what is written from then on finds no reader, and the run
 * cannot be over before it has noticed.
 */
async function readBy(args: readonly string[], reader: string, prompt: string): Promise<Seen> {
  rmSync(stage.at('gone'), { force: true });
  const ending = piped(args, `${reader.replace(/([^|]+)$/, '($1; exec <&-; : >gone)')}`);
  await appears('gone');
  gateOf(prompt).first.resolve();
  return ending;
}

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
  const { exit, stdout, stderr } = await readBy(
    ['run', 'pipe.yaml', '--ui', 'json'],
    `| grep -m 1 '"succeeded"'`,
    'pipe',
  );
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ type: 'succeeded', key: 'first' });
  expect(stage.read('pipe.lock.yaml')).toContain('first');
  expect(await status('fox-look')).toMatch(ENDED);
});

test('run --ui json | true: what was paid for is not paid for again', async () => {
  stage.write(
    'paid.yaml',
    `shotlist: 1
name: paid
steps:
  shot: { matrix: { seed: [1, 2, 3] }, model: I-GEN-A, with: { prompt: paid, seed: "\${{ matrix.seed }}" }, save: "out/paid-{seed}.webp" }
`,
  );
  const before = await studio.submits();
  const { exit, stderr } = await readBy(['run', 'paid.yaml', '--ui', 'json'], '| true', 'paid');
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: '' });
  gateOf('paid').others.resolve();
  await ends(stage.run('run', 'paid.yaml'), 0);
  expect((await studio.submits()) - before).toBe(3);
});

test('a log collector that dies: the same', async () => {
  stage.write('log.yaml', film('log'));
  const { exit } = await readBy(['run', 'log.yaml'], `2>&1 >/dev/null | grep -m 1 'done'`, 'log');
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
  execFileSync('mkfifo', [stage.at('go')]);
  const reading = piped(['run', 'slow.yaml', '--ui', 'json'], '| (read -r _ <go; cat)');
  await appears('slow.lock.yaml');
  const go = await open(stage.at('go'), 'w');
  await go.write('\n');
  await go.close();
  const { exit, stdout, stderr } = await reading;
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
  rmSync(stage.at('over'), { force: true });
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
  await appears('over');
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
