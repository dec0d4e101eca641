/** A run that goes on, looked at from another terminal by whole processes; and the same run afterwards. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.write('film.yaml', FILM);
});
afterEach(() => stage.dispose());

const FILM = `shotlist: 1
name: slow
steps:
  still: { model: I-GEN-A, matrix: { seed: [1, 2] }, with: { prompt: "a fox", seed: "\${{ matrix.seed }}" } }
  wait: { run: [ sh, -c, "echo begun; while [ ! -e ../../../../../go ]; do sleep 0.05; done; echo over" ] }
  best: { pick: "\${{ steps.still }}" }
  end: { needs: [wait], run: [ echo, "\${{ steps.best.sha256 }}" ] }
`;

interface Film {
  readonly outcome: string;
  readonly at_work: readonly { readonly key: string }[];
  readonly questions: readonly { readonly key: string; readonly command: string }[];
}
const status = async (): Promise<Film | undefined> =>
  JSON.parse((await stage.run('status', '--json')).stdout).films.find(
    (film: { file: string }) => film.file === 'film.yaml',
  );

test('status, plan, logs and report, while it goes on and when it is over', async () => {
  await ends(stage.run('status', 'film.yaml'), 2, 'never run');
  const run = stage.start('run', 'film.yaml', '--draft', '--ui', 'plain');
  for (const line of [/still\[seed=1\] {2}done/, /still\[seed=2\] {2}done/, /best +waits for a person/])
    await run.line(line);
  const following = stage.start('logs', 'film.yaml', 'wait', '--follow');
  await following.line(/begun/);
  const now = (await status())!;
  expect(now.questions).toHaveLength(1);
  expect(now).toMatchObject({
    outcome: 'running',
    at_work: [{ key: 'wait', state: 'running' }],
    money: { free: true },
  });
  expect(now.questions[0]?.command).toBe('shotlist review film.yaml --draft');

  // Nothing of that holds the run up, and the run holds nothing of that up.
  expect(await stage.run('plan', 'film.yaml', '--draft')).toMatchObject({ exit: 0 });
  const seen = await stage.run('status', 'film.yaml');
  expect(seen.stdout).toMatch(
    /^film\.yaml on studio-draft: running for \S+\n {2}2 of 5 there; free \(\$0\.\d+ at list price\)\n {2}wait {2}running for/,
  );
  expect(await stage.run('logs', 'film.yaml', 'wait')).toMatchObject({ exit: 0, stdout: 'begun\n' });
  expect(await stage.run('logs', 'film.yaml', 'wiat')).toMatchObject({
    ...{ exit: 2, stderr: 'shotlist: no run of this film knows wiat; did you mean wait?\n' },
  });
  await ends(stage.run('logs', 'film.yaml', 'end'), 2, 'nothing was run or sent for');
  stage.write('go', '');
  expect(await following.ended).toMatchObject({ exit: 0, stdout: 'begun\nover\n' });
  expect((await run.ended).exit).toBe(5);

  expect(await status()).toMatchObject({ outcome: 'waiting', at_work: [] });
  expect((await stage.run('logs', 'film.yaml', 'still[seed=1]')).stdout).toMatch(/ {2}sent to I-GEN-A/);
  const list = await stage.run('report', 'film.yaml', '--all');
  expect(list.stdout).toMatch(/^[\da-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+ {2}waiting {2}free {2}studio-draft\n$/);
  const id = list.stdout.slice(0, 8);
  const report = JSON.parse((await stage.run('report', 'film.yaml', id, '--json')).stdout);
  expect(report).toMatchObject({ version: 1, run: { outcome: 'waiting', isWhole: true, isEdited: false } });
  // Whatever becomes of the file.
  stage.write('film.yaml', 'this: is [ no film');
  expect(JSON.parse((await stage.run('report', 'film.yaml', '--json')).stdout)).toMatchObject({
    run: { id: report.run.id, isEdited: true },
  });
  expect(await stage.run('report', 'film.yaml', 'zzz')).toMatchObject({ exit: 2 });
});

test('what a run that was killed has left at a service: since when, which generation, and the command that brings it home', async () => {
  const killed = Promise.withResolvers<void>();
  const studio = await readyStudio({ before: () => killed.promise });
  onTestFinished(() => studio.close());
  stage.trust(studio);
  stage.write('film.yaml', FILM.replace(/ {2}wait:[\s\S]*$/, '').replace('steps:', 'budget: { usd: 5 }\nsteps:'));
  const run = stage.start('run', 'film.yaml', '--ui', 'plain');
  await run.line(/submitted/);
  run.kill();
  await run.ended;
  const seen = await stage.run('status');
  expect(seen.stdout).toMatch(/^film\.yaml on [\d.:]+: cut off, \S+ ago$/m);
  expect(seen.stdout).toMatch(
    /^ {2}still\[seed=\d\] {2}(open at the service, generation \S+|its answer was lost\b.*), sent \S+ ago/m,
  );
  expect(seen.stdout).toMatch(/^ {4}shotlist run film\.yaml --ui plain$/m);
  expect((await stage.run('report', 'film.yaml', '--all')).stdout).toMatch(
    / {2}cut off {2}\$0\.00, (\$0\.0\d in flight for|perhaps \$0\.0\d more for) .* {2}[\d.:]+\n$/,
  );
  killed.resolve();
  await stage.run('run', 'film.yaml');
  expect((await stage.run('status', 'film.yaml')).stdout).toMatch(
    /^film\.yaml on [\d.:]+: done, .*\n {2}2 of 2 there; \$\S+ spent, budget \$5\.00$/m,
  );
});

test('a run that finds all of it there ends what a killed one left undone', async () => {
  const killed = Promise.withResolvers<void>();
  const studio = await readyStudio({ before: () => killed.promise });
  onTestFinished(() => studio.close());
  stage.trust(studio);
  const film = FILM.replace(/ {2}wait:[\s\S]*$/, '');
  stage.write('film.yaml', film);
  stage.write('other.yaml', film);
  const run = stage.start('run', 'film.yaml', '--ui', 'plain');
  await run.line(/(submitted[\s\S]*){2}/);
  run.kill();
  await run.ended;
  killed.resolve();
  await stage.run('run', 'other.yaml');
  expect((await stage.run('run', 'film.yaml')).stderr).toContain('2 already here, nothing spent');
  expect((await stage.run('status', 'film.yaml')).stdout).toMatch(/: done, .*\n {2}2 of 2 there; nothing spent\n$/);
  const list = async () => (await stage.run('report', 'film.yaml', '--all')).stdout;
  expect(await list()).toMatch(/^\S+ .* done .*\n\S+ .* cut off .*\n$/);
  const before = await list();
  await stage.run('run', 'film.yaml');
  expect(await list()).toBe(before);
});
