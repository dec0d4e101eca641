/** Budgets as whole processes hold them: exit 4, before anything is paid where that is certain, and at the gate where it is not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const FILM = (budget: string) => `shotlist: 1
name: stills
${budget}
steps:
  still: { model: I-GEN-A, matrix: { n: [1, 2] }, with: { prompt: "a fox \${{ matrix.n }}" } }
  edited:
    each: \${{ steps.still }}
    model: I-EDIT-A
    with: { prompt: at night, input_image: ["\${{ each.result_url }}"] }
`;
const run = (...more: readonly string[]) => stage.run('run', 'film.yaml', '--draft', '--ui', 'plain', ...more);

test('a budget that certainly is too small begins nothing; one that is reached stops there; a larger one goes on', async () => {
  stage.write('film.yaml', FILM('budget: { usd: 0.01, generations: 1 }'));
  const refused = await ends(run(), 4);
  expect(refused.stderr).toContain(
    "over budget, nothing was begun: what is to be made comes to 2 generations, and the film's budget of 1 generation leaves 1 generation; raise `generations` under `budget`\n",
  );
  stage.write('film.yaml', FILM('budget: { generations: 3 }'));
  expect((await stage.run('plan', 'film.yaml', '--draft')).stdout).toMatch(
    /generations +0 +0 +up to 4 +3\n +generations: what does not fit is not sent/,
  );
  const stopped = await ends(run(), 4);
  expect(stopped.stderr).toContain('stopped at its budget');
  expect(stopped.stderr).toMatch(
    /edited\[n=[12]\] is not sent: it comes to 1 generation, and the film's budget of 3 generations leaves nothing \(3 generations used\); raise `generations` under `budget`/,
  );
  expect(stopped.stderr).toContain('shotlist run film.yaml --draft --ui plain');
  const { instances } = JSON.parse((await stage.run('report', 'film.yaml', '--json')).stdout);
  expect(instances.filter((one: { state: string }) => one.state === 'not_run')).toMatchObject([
    {
      why: {
        verdict: expect.stringMatching(/^over budget, not sent: it comes to 1 generation, and the film's budget/),
      },
    },
  ]);

  // Dollars do not bound the studio, which is free.
  stage.write('film.yaml', FILM('budget: { usd: 0.01, generations: 9 }'));
  const done = await ends(run('--max-usd', '0.01'), 0);
  expect(done.stderr).toContain('free ($0.04 at list price); budget 3 of 9 generations used');
  const plan = JSON.parse((await stage.run('plan', 'film.yaml', '--draft', '--json')).stdout);
  expect(plan).toMatchObject({
    free: true,
    budget: [{ of: 'film', measure: 'generations', limit: 9, spent: 4, in_flight: 0 }],
  });
});

test('a wrong number is a mistake on the command line', async () => {
  stage.write('film.yaml', FILM(''));
  for (const usd of ['-1', 'lots', 'NaN', '1e400'])
    expect(await run(`--max-usd=${usd}`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('write US dollars'),
    });
});
