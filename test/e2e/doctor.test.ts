/** What a film has left open, told by a whole process that only looks. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Stage, type StudioProcess } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.write('film.yaml', FILM);
});
afterEach(() => stage.dispose());

const FILM = `shotlist: 1
name: examined
steps:
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "a fox \${{ matrix.beat }}" } }
  words: { run: [ echo, "\${{ steps.still[0].sha256 }}" ] }
`;
const doctor = async (...more: readonly string[]) => {
  const { exit, stdout, stderr } = await stage.run('doctor', 'film.yaml', ...more);
  return { exit, stdout, stderr };
};
const findings = async () =>
  JSON.parse((await doctor('--json')).stdout).findings as { is: string; key?: string; command?: string }[];
const enqueue = async ({ url, key }: StudioProcess, prompt: string) => {
  const answer = await fetch(`${url}/api/ai/queue`, {
    ...{ method: 'POST', body: JSON.stringify({ model: 'I-GEN-A', prompt }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return ((await answer.json()) as { generations: { generation_id: string }[] }).generations[0]?.generation_id ?? '';
};

test('nothing is open: before anything was run, and after all of it was', { timeout: 90_000 }, async () => {
  expect(await doctor()).toMatchObject({
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

test('a run that was killed has left a generation: the command that is told brings it home', {
  timeout: 90_000,
}, async () => {
  const studio = await stage.studio('slow');
  stage.trust(studio);
  const run = stage.start('run', 'film.yaml', '--ui', 'plain');
  await run.line(/submitted/);
  run.kill();
  await run.ended;
  const before = listing(stage.project);
  const found = await findings();
  expect(found.every(({ is }) => ['open', 'unknown'].includes(is))).toBe(true);
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]?.command).toBe('shotlist run film.yaml');
  expect(listing(stage.project)).toEqual(before);
  expect((await stage.run('run', 'film.yaml')).exit).toBe(0);
  expect((await doctor()).exit).toBe(0);
});

test('a generation that was asked for the same and is of no film; others are only counted', {
  timeout: 90_000,
}, async () => {
  const studio = await stage.studio('shared');
  stage.trust(studio);
  const id = await enqueue(studio, 'a fox 2');
  await enqueue(studio, 'a wolf');
  await stage.run('plan', 'film.yaml');
  const { exit, stdout } = await doctor();
  expect(exit).toBe(1);
  expect(stdout).toMatch(new RegExp(`shotlist attach film\\.yaml 'still\\[beat=2\\]' ${id}`));
  expect(stdout).toContain('the service lists 1 generation of no film of this project');
});

test('a service that is down is told once, and what is open all the same', { timeout: 120_000 }, async () => {
  const studio = await stage.studio('down');
  stage.trust(studio);
  const run = stage.start('run', 'film.yaml', '--ui', 'plain');
  await run.line(/submitted/);
  run.kill();
  await run.ended;
  studio.process.kill();
  await studio.process.ended;
  const found = await findings();
  expect(found.filter(({ is }) => is === 'service')).toHaveLength(1);
  expect(found.filter(({ is }) => is === 'open' || is === 'unknown').length).toBeGreaterThan(0);
});

test('bytes that are gone, a lock in pieces, a journal that is none', { timeout: 120_000 }, async () => {
  await stage.run('run', 'film.yaml', '--draft');
  rmSync(join(stage.project, '.shotlist/store'), { recursive: true });
  const gone = (await doctor('--draft')).stdout;
  expect(gone).toMatch(/still\[beat=1\][\s\S]*still\[beat=2\]/);
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
});

test('two examples', async () => {
  expect((await stage.run('doctor')).stderr).toContain('which file? shotlist doctor FILE');
  expect((await stage.run('doctor', 'none.yaml')).exit).toBe(2);
});

/** Every file, its size and when it was changed; a database that is read may leave its shared memory. */
const listing = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => !/-(?:shm|wal)$/.test(path))
    .map(path => `${path} ${statSync(join(folder, path)).isFile() ? statSync(join(folder, path)).size : ''}`)
    .sort();
