/** A generation that somebody else has asked for, as an instance's result. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let studio: ReadyStudio;
beforeEach(async () => {
  stage = new Stage();
  stage.write('film.yaml', FILM);
  studio = await readyStudio();
  stage.trust(studio);
});
afterEach(async () => {
  await studio.close();
  stage.dispose();
});

const FILM = `shotlist: 1
name: attached
steps:
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "a fox \${{ matrix.beat }}" } }
  late: { model: V-I2V-A, with: { prompt: it moves, input_image: "\${{ steps.still[0].result_url }}" } }
`;

const api = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${studio.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${studio.key}`, 'content-type': 'application/json' },
  });
  return (await answer.json()) as Record<string, string>;
};
/** By hand, outside of any film. */
const enqueue = async (prompt: string, model = 'I-GEN-A'): Promise<string> => {
  const { generations } = (await api('/api/ai/queue', {
    method: 'POST',
    body: JSON.stringify({ model, prompt }),
  })) as unknown as { readonly generations: readonly { readonly generation_id: string }[] };
  return generations[0]?.generation_id ?? '';
};
const run = (...args: readonly string[]) => stage.run(...args);
const attach = (...args: readonly string[]) => run('attach', 'film.yaml', ...args, '--ui', 'plain');

test('it is fetched, locked, and not paid for again', async () => {
  const id = await enqueue('a fox 1');
  await ends(
    stage.run('attach', 'film.yaml', 'still[beat=1]', id, '--ui', 'plain'),
    0,
    `still[beat=1] is generation ${id} from here on`,
  );
  expect(stage.read('film.lock.yaml')).toContain(`generation: ${id}`);
  expect(await studio.submits()).toBe(1);
  const plan = await run('plan', 'film.yaml');
  expect(plan.stdout).toMatch(/still × 2 {2}1 hit, 1 run/);
  await ends(attach('still[beat=2]', id), 2, 'another request of this project already');
});

test('one that was asked for something else is told field by field, and taken by force alone', async () => {
  const id = await enqueue('a wolf');
  await ends(attach('still[beat=1]', id), 2, 'prompt is "a wolf" there, and "a fox 1" here');
  expect((await run('plan', 'film.yaml')).stdout).toMatch(/run {4}still × 2/);
  await ends(attach('still[beat=1]', id, '--force'), 0, 'prompt is "a wolf" there');
});

test('what is nowhere, or cannot be compared yet, is refused, and nothing is written down', async () => {
  await ends(attach('still[beat=1]', 'gen_nobody'), 2, 'knows no generation gen_nobody');
  await ends(attach('late', await enqueue('x', 'I-GEN-A')), 2, 'is not known yet: it waits for');
  expect((await run('plan', 'film.yaml')).stdout).toContain('2 run, 1 maybe');
});
