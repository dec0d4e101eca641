/**
 * Two films of one project that ask for the same thing: one POST, and both have it. Whole processes, one service, the project's own
 * journal.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEY, type TestStudio, testStudio } from '../studio/fake-studio.ts';
import { temporaryFolder } from '../support/temp.ts';

/** The same request in other words: names of steps and of films, order and layout differ. */
const TEASER = `shotlist: 1
name: teaser
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
outputs:
  film: { from: "\${{ steps.still }}", to: out/teaser.webp }
`;
const TRAILER = `shotlist: 1
name: trailer
params: { animal: { type: string, default: fox } }
steps:
  opening:
    model: I-GEN-A
    with:
      seed: 4
      prompt: a red \${{ params.animal }}
outputs:
  film: { from: "\${{ steps.opening }}", to: out/trailer.webp }
`;

let folder: string;
let studio: TestStudio;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder, '.shotlist'));
  mkdirSync(join(folder, 'ads'));
  writeFileSync(join(folder, 'teaser.yaml'), TEASER);
  writeFileSync(join(folder, 'ads/trailer.yaml'), TRAILER);
  studio = await testStudio();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await studio[Symbol.asyncDispose]();
});

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [resolve('src/cli/entry.ts'), ...args], {
    cwd: folder,
    env: { HOME: folder, CI: 'true', SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const said = { stdout: '', stderr: '' };
  const heard: (() => void)[] = [];
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const look of heard) look();
    });
  const ended = once(child, 'close').then(([exit]) => ({ exit: exit as number | null, ...said }));
  /** Resolves when this has been said. */
  const line = (words: string) =>
    new Promise<void>(told => {
      const look = () => {
        if (said.stderr.includes(words)) told();
      };
      heard.push(look);
      look();
    });
  return { ended, line, kill: () => child.kill('SIGKILL') };
}
const run = (...args: readonly string[]) => start(...args).ended;

const made = () => studio.renderer.begun.length;
const finish = async () => (await studio.renderer.next()).finish();
/** The lock's entry of a film, without the name of its step. */
const lockOf = (file: string) => readFileSync(join(folder, file), 'utf8').replace(/^ {4}\w+:$/m, '    step:');

async function bothHaveIt(): Promise<void> {
  expect(readFileSync(join(folder, 'out/trailer.webp'))).toEqual(readFileSync(join(folder, 'out/teaser.webp')));
  expect(lockOf('ads/trailer.lock.yaml')).toBe(lockOf('teaser.lock.yaml'));
  expect(lockOf('teaser.lock.yaml')).toMatch(/generation: \S+/);
  expect(made()).toBe(1);
}

test('one after the other: the second owns it, and its plan says whose it was', async () => {
  const first = start('run', 'teaser.yaml');
  await finish();
  expect((await first.ended).exit).toBe(0);
  const { stdout } = await run('plan', 'ads/trailer.yaml');
  expect(stdout).toContain('hit    opening  the same request was made for the film teaser');
  expect(stdout).toContain('1 hit: nothing to pay');
  expect((await run('why', 'ads/trailer.yaml')).stdout).toMatch(
    /^opening: owned\n {2}made for the film teaser on .* in run [\da-f]{8}, .*not in the lock\n {2}owned as still\n/,
  );
  expect((await run('run', 'ads/trailer.yaml')).exit).toBe(0);
  await bothHaveIt();
  expect((await run('plan', 'ads/trailer.yaml')).stdout).toContain('hit    opening  unchanged');
});

test('at the same time: the second waits for what the first has sent, and its plan says so', async () => {
  const first = start('run', 'teaser.yaml');
  await first.line('submitted');
  const { stdout } = await run('plan', 'ads/trailer.yaml');
  expect(stdout).toMatch(
    /^sent {3}opening {2}.*\bpaid$|^sent {3}opening .*\n.*under way as \S+, for the film teaser: already/m,
  );
  expect(stdout).toContain('1 sent: nothing to pay ($0.01 is paid already)');
  const second = start('run', 'ads/trailer.yaml');
  await second.line('1 under way, already paid');
  await finish();
  expect((await first.ended).exit).toBe(0);
  expect((await second.ended).exit).toBe(0);
  await bothHaveIt();
});

test('both started at once: whoever is first sends it', async () => {
  const both = [start('run', 'teaser.yaml'), start('run', 'ads/trailer.yaml')];
  await finish();
  for (const { ended } of both) expect((await ended).exit).toBe(0);
  await bothHaveIt();
});

test('the first is killed while the service is at work: the second takes it up', async () => {
  const first = start('run', 'teaser.yaml');
  await first.line('submitted');
  first.kill();
  await first.ended;
  const second = start('run', 'ads/trailer.yaml');
  await second.line('taken up again');
  await finish();
  expect((await second.ended).exit).toBe(0);
  expect(existsSync(join(folder, 'out/teaser.webp'))).toBe(false);
  expect((await run('why', 'teaser.yaml')).stdout).toContain('made for the film ads/trailer on ');
  expect((await run('run', 'teaser.yaml')).exit).toBe(0);
  await bothHaveIt();
});
