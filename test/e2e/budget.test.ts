/** Budgets as whole processes hold them: exit 4, before anything is paid where that is certain, and at the gate where it is not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  stage.write('film.yaml', FILM('budget: { usd: 0.01 }'));
  const refused = await run();
  expect(refused.exit).toBe(4);
  expect(refused.stderr).toContain(
    "over budget, nothing was begun: what is to be made comes to $0.02, and the film's budget of $0.01 leaves $0.01; raise `usd` under `budget`",
  );
  stage.write('film.yaml', FILM('budget: { usd: 0.07 }'));
  expect((await stage.run('plan', 'film.yaml', '--draft')).stdout).toMatch(
    /budget\s+up to \$0.10 of \$0.07, and what does not fit is not sent/,
  );
  const stopped = await run();
  expect(stopped.exit).toBe(4);
  expect(stopped.stderr).toContain('stopped at its budget');
  expect(stopped.stderr).toMatch(
    /edited\[n=[12]\] is not sent: it comes to \$0.04, and the film's budget of \$0.07 leaves \$0.01 \(\$0.06 spent\); raise `usd` under `budget`/,
  );
  expect(stopped.stderr).toContain('shotlist run film.yaml --draft --ui plain');

  stage.write('film.yaml', FILM('budget: { usd: 1 }'));
  const bounded = await run('--max-usd', '0.03');
  expect(bounded.exit).toBe(4);
  expect(bounded.stderr).toContain("this run's budget of $0.03 leaves $0.03; raise `--max-usd`");
  const done = await run('--max-usd', '0.04');
  expect(done.exit).toBe(0);
  expect(done.stderr).toContain('budget $0.06 of $1.00 spent');
  const plan = JSON.parse((await stage.run('plan', 'film.yaml', '--draft', '--json')).stdout);
  expect(plan.budget).toMatchObject([{ of: 'film', measure: 'usd', limit: 1, spent: 0.1, in_flight: 0 }]);
});

test('a film that has begun and grows beyond its budget makes what fits', async () => {
  stage.write('film.yaml', FILM(''));
  expect((await run('still')).exit).toBe(0);
  stage.write('film.yaml', FILM('budget: { usd: 0.05 }').replace('[1, 2]', '[1, 2, 3, 4, 5, 6]'));
  expect((await stage.run('plan', 'film.yaml', '--draft')).stdout).toMatch(
    /budget\s+up to \$0.30 of \$0.05, \$0.02 of it spent, and what does not fit is not sent/,
  );
  const stopped = await run('still');
  expect(stopped.exit).toBe(4);
  expect(stopped.stderr).not.toContain('nothing was begun');
  expect(stopped.stderr).toMatch(
    /still\[n=\d\] is not sent: it comes to \$0.01, and the film's budget of \$0.05 leaves/,
  );
  const plan = JSON.parse((await stage.run('plan', 'film.yaml', '--draft', '--json')).stdout);
  expect(plan.budget).toMatchObject([{ limit: 0.05, spent: 0.05, in_flight: 0 }]);
});

test('a wrong number is a mistake on the command line', async () => {
  stage.write('film.yaml', FILM(''));
  for (const usd of ['-1', 'five', 'NaN', '1e400'])
    expect(await run(`--max-usd=${usd}`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('write US dollars'),
    });
});
