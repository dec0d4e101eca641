/** What is open in any profile of a film is told, with the profile and the command that settles it there. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const FILM = `shotlist: 1
name: examined
params: { look: { type: string, default: fine } }
profiles:
  rough: { params: { look: rough } }
steps:
  still: { model: I-GEN-A, with: { prompt: "a \${{ params.look }} fox" } }
`;

test('a generation that a killed run left in one profile', { timeout: 90_000 }, async () => {
  stage.write('film.yaml', FILM);
  stage.trust(await stage.studio('slow'));
  const run = stage.start('run', 'film.yaml', '--profile', 'rough', '--ui', 'plain');
  await run.line(/submitted/);
  run.kill();
  await run.ended;
  const { exit, stdout } = await stage.run('doctor', 'film.yaml');
  expect([exit, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^in `rough`, still \(generation [^)]+\): .*\n {4}shotlist run film\.yaml --profile rough\n$/,
    ),
  ]);
  const { findings } = JSON.parse((await stage.run('doctor', 'film.yaml', '--json')).stdout);
  expect(findings).toMatchObject([{ profile: 'rough', key: 'still' }]);
  expect(await stage.run('doctor', 'film.yaml', '--profile', 'final')).toMatchObject({ exit: 0 });
});
