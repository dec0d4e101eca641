/** What a film has left open, told by a whole process that only looks. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type ReadyStudio, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.write('film.yaml', FILM);
});
afterEach(() => stage.dispose());

/** A studio of the case's own, whose pictures are there once `finish` was called. */
async function trusted(): Promise<{ readonly studio: ReadyStudio; readonly finish: () => void }> {
  const finished = Promise.withResolvers<void>();
  const studio = await readyStudio({
    before: (job, signal) => Promise.race([finished.promise, untilCancelled(job, signal)]),
  });
  onTestFinished(async () => {
    finished.resolve();
    await studio.close();
  });
  stage.trust(studio);
  return { studio, finish: finished.resolve };
}

/** A run that is killed when its first request was taken. */
async function killedRun(...more: readonly string[]): Promise<void> {
  const run = stage.start('run', 'film.yaml', '--ui', 'plain', ...more);
  await run.line(/submitted/);
  run.kill();
  await run.ended;
}

const FILM = `shotlist: 1
name: examined
steps:
  still: { matrix: { seed: [4, 5] }, model: I-GEN-A, with: { prompt: a red fox, seed: "\${{ matrix.seed }}" } }
  words: { run: [ echo, "\${{ steps.still[0].sha256 }}" ] }
`;
const doctor = (...more: readonly string[]) => stage.run('doctor', 'film.yaml', ...more);
const findings = async () =>
  JSON.parse((await doctor('--json')).stdout).findings as { is: string; key?: string; command?: string }[];
const enqueue = async ({ url, key }: ReadyStudio, request: { prompt: string; seed?: number }) => {
  const answer = await fetch(`${url}/api/ai/queue`, {
    ...{ method: 'POST', body: JSON.stringify({ model: 'I-GEN-A', ...request }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return ((await answer.json()) as { generations: { generation_id: string }[] }).generations[0]?.generation_id ?? '';
};

test('nothing is open: before anything was run, and after all of it was', async () => {
  expect(await stage.run('doctor', 'film.yaml')).toMatchObject({
    exit: 0,
    stdout: 'nothing of film.yaml is open, unknown, billing or missing\n',
  });
  await stage.run('run', 'film.yaml', '--draft');
  expect(await doctor('--draft')).toMatchObject({ exit: 0 });
  expect(JSON.parse((await doctor('--draft', '--json')).stdout)).toEqual({
    version: 1,
    clean: true,
    findings: [],
    notes: [],
  });
});

test('a run that was killed has left a generation: the command that is told brings it home', async () => {
  const { finish } = await trusted();
  await killedRun();
  const before = listing(stage.project);
  const found = await findings();
  expect(found.every(({ is }) => ['open', 'unknown'].includes(is))).toBe(true);
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]?.command).toBe('shotlist run film.yaml');
  expect(listing(stage.project)).toEqual(before);
  finish();
  await ends(stage.run('run', 'film.yaml'), 0);
  await ends(doctor(), 0);
});

test('a generation that was asked for the same and is of no film; others are only counted', async () => {
  const { studio } = await trusted();
  const id = await enqueue(studio, { prompt: 'a red fox', seed: 5 });
  await enqueue(studio, { prompt: 'a wolf' });
  await stage.run('plan', 'film.yaml');
  const { stdout } = await ends(doctor(), 1);
  expect(stdout).toMatch(new RegExp(`shotlist attach film\\.yaml 'still\\[seed=5\\]' ${id}`));
  expect(stdout).toContain('the service lists 1 generation of no film of this project');
});

test('a service that is down is told once, and what is open all the same', async () => {
  const { studio } = await trusted();
  await killedRun();
  await studio.close();
  const found = await findings();
  expect(found.filter(({ is }) => is === 'service')).toHaveLength(1);
  expect(found.filter(({ is }) => is === 'open' || is === 'unknown').length).toBeGreaterThan(0);
});

test('bytes that are gone, a lock in pieces, a journal that is none', async () => {
  await stage.run('run', 'film.yaml', '--draft');
  // `--deep` finds one changed byte, and moves no file.
  const store = stage.at('.shotlist/store');
  const stored = readdirSync(store, { recursive: true, encoding: 'utf8' }).find(name =>
    /^[\da-f]{2}\/.*\.webp$/.test(name),
  );
  const changed = join(store, stored ?? '');
  const bytes = readFileSync(changed);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  chmodSync(changed, 0o644);
  writeFileSync(changed, bytes);
  await ends(doctor('--draft'), 0);
  expect(await doctor('--draft', '--deep')).toMatchObject({
    exit: 1,
    stdout: expect.stringMatching(
      /^still\[seed=\d\]: .*\.webp is damaged: [\s\S]*read all 2 files of the store: 1 is damaged/,
    ),
  });
  expect(existsSync(changed)).toBe(true);
  rmSync(store, { recursive: true });
  rmSync(stage.at('.shotlist/journal.db'));
  const gone = (await doctor('--draft')).stdout;
  expect(gone).toMatch(/still\[seed=4\][\s\S]*still\[seed=5\]: [^\n]*a run makes it again, free/);
  expect(gone.match(/more: `shotlist explain bytes-missing`/g)).toHaveLength(1);
  const [found] = JSON.parse((await doctor('--draft', '--json')).stdout).findings as { page?: string }[];
  expect(found?.page).toBe('bytes-missing');
  expect((await stage.run('explain', 'bytes-missing')).stdout).toContain('A run fetches it again');
  stage.write('film.lock.yaml', '<<<<<<< ours\n');
  const torn = (await doctor('--draft')).stdout;
  expect(torn).toContain('film.lock.yaml is not readable');
  expect(torn).toContain('more: `shotlist explain lock-unreadable`');
  stage.write('.shotlist/journal.db', 'no database at all, but a text that is long enough to be one'.repeat(100));
  const { exit, stdout, stderr } = await doctor('--draft');
  expect([exit, stderr]).toEqual([1, '']);
  expect(stdout).toContain('journal.db');
  rmSync(stage.at('.shotlist/journal.db'));
});

test('two examples', async () => {
  expect((await stage.run('doctor')).stderr).toContain('which file? shotlist doctor FILE');
  await ends(stage.run('doctor', 'none.yaml'), 2);
});

const PROFILES = `shotlist: 1
name: examined
params: { look: { type: string, default: fine } }
profiles:
  rough: { params: { look: rough } }
steps:
  still: { model: I-GEN-A, with: { prompt: "a \${{ params.look }} fox" } }
`;

test('what is open in any profile is told with the profile, and with the command that settles it there', async () => {
  stage.write('film.yaml', PROFILES);
  await trusted();
  await killedRun('--profile', 'rough');
  const { exit, stdout } = await doctor();
  expect([exit, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^in `rough`, still \(generation [^)]+\): .*\n {4}shotlist run film\.yaml --profile rough\n$/,
    ),
  ]);
  expect(await findings()).toMatchObject([{ profile: 'rough', key: 'still' }]);
  expect(await doctor('--profile', 'final')).toMatchObject({ exit: 0 });
});

/** Every file, its size and when it was changed; a database that is read may leave its shared memory. */
const listing = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => !/-(?:shm|wal)$/.test(path))
    .map(path => `${path} ${statSync(join(folder, path)).isFile() ? statSync(join(folder, path)).size : ''}`)
    .sort();
