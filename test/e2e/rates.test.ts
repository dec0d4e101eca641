/** A service's rates from the settings, as whole processes hold them: told beforehand, held while it runs, over two runs. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readyStudio } from '../support/ready-studio.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const FILM = `shotlist: 1
name: stills
steps:
  still: { model: I-GEN-A, matrix: { n: [1, 2, 3] }, with: { prompt: "a fox \${{ matrix.n }}" } }
`;

test('no more are sent in any time than the settings say; the plan and the run say so, and the film is made', async () => {
  const studio = await readyStudio();
  onTestFinished(() => studio.close());
  stage.env = { HOUSE_KEY: studio.key, SHOTLIST_HISTORY: 'trusted' };
  stage.write(
    'shotlist.config.yaml',
    `service: house\nservices:\n  house:\n    url: ${studio.url}\n    key_env: HOUSE_KEY\n    rates: { per_second: 1 }\n`,
  );
  stage.write('film.yaml', FILM);
  expect((await stage.run('plan', 'film.yaml')).stdout).toMatch(
    /^rates +at 1 a second about 2 s of sending: 3 requests$/m,
  );
  const plan = JSON.parse((await stage.run('plan', 'film.yaml', '--json')).stdout);
  expect(plan.rates).toMatchObject([{ rate: 'per_second', limit: 1, requests: 3, seconds: 2 }]);

  const { exit, stderr } = await stage.run('run', 'film.yaml', '--ui', 'plain');
  expect(stderr).toMatch(/still\[n=\d\] +waits for the rate of the settings, 1 a second: next in \d\.\ds/);
  expect(stderr).toContain('stills is finished');
  expect(exit).toBe(0);
  expect(await studio.submits()).toBe(3);

  // As the service saw it: each a second behind the one before.
  const answer = await fetch(`${studio.url}/api/ai/generations`, {
    headers: { authorization: `Bearer ${studio.key}` },
  });
  const { generations } = (await answer.json()) as { generations: readonly { readonly enqueued_at: number }[] };
  const sent = generations.map(({ enqueued_at }) => enqueued_at).sort((a, b) => a - b);
  expect((sent[2] ?? 0) - (sent[0] ?? 0)).toBeGreaterThanOrEqual(1);

  // Nothing is left to send, and no rate is told.
  expect((await stage.run('plan', 'film.yaml')).stdout).not.toContain('rates');
});
