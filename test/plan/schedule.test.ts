import { expect, test } from 'vitest';
import { decisions, planOf, Shelf } from './support.ts';

const order = (steps: string) => [...planOf(steps).instances].map(instance => instance.key);
const echo = (name: string, needs: readonly string[] = []) =>
  `  ${name}:\n    run: [echo, ${name}]\n${needs.length > 0 ? `    needs: [${needs.join(', ')}]\n` : ''}`;

test('a step stands behind what it needs; otherwise the file’s order is kept', () => {
  expect(order(`steps:\n${echo('last', ['b', 'a'])}${echo('a')}${echo('c')}${echo('b', ['c'])}`)).toStrictEqual([
    'c',
    'b',
    'a',
    'last',
  ]);
});

test('a chain of a thousand steps is planned without running out of stack', () => {
  const chain = Array.from({ length: 1_000 }, (_, i) => echo(`s${999 - i}`, i < 999 ? [`s${998 - i}`] : []));
  const made = planOf(`steps:\n${chain.join('')}`);
  expect([...made.instances].map(instance => instance.key)).toStrictEqual(
    Array.from({ length: 1_000 }, (_, i) => `s${i}`),
  );
  expect(made.criticalPath.seconds).toBe(5_000);
});

const DIAMOND = `
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [1, 2] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
  fast:
    each: \${{ steps.shot }}
    run: [cat, "\${{ each.file }}"]
  slow:
    each: \${{ steps.shot }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
  all:
    run: [concat]
    needs: [fast, slow]
`;

test('what remains is the longest path to the end, with the seconds that were learnt', () => {
  const expected = (model: string) => ({ 'V-T2V-A': 60, 'V-UP': 30, run: 2 })[model];
  const made = planOf(DIAMOND, { expected });
  expect([...made.instances].map(({ key, expected: own, remaining }) => [key, own, remaining])).toStrictEqual([
    ['shot[seed=1]', 60, 92],
    ['shot[seed=2]', 60, 92],
    ['fast[seed=1]', 2, 4],
    ['fast[seed=2]', 2, 4],
    ['slow[seed=1]', 30, 32],
    ['slow[seed=2]', 30, 32],
    ['all', 2, 2],
  ]);
  expect(made.criticalPath).toStrictEqual({ keys: ['shot[seed=1]', 'slow[seed=1]', 'all'], seconds: 92 });
});

test('what is owned takes no time', () => {
  const owned = new Shelf();
  const made = planOf(DIAMOND);
  owned.make(made);
  owned.lose(made.instances.of('slow' as never)[1]?.key as never);
  const again = planOf(DIAMOND, { owned });
  expect(decisions(again)).toStrictEqual([
    'shot[seed=1]: hit, unchanged',
    'shot[seed=2]: hit, unchanged',
    'fast[seed=1]: hit, unchanged',
    'fast[seed=2]: hit, unchanged',
    'slow[seed=1]: hit, unchanged',
    'slow[seed=2]: run, its result is not on this machine',
    // `needs` is order alone: nothing of the lost result is read.
    'all: hit, unchanged',
  ]);
  expect(again.criticalPath).toStrictEqual({ keys: ['slow[seed=2]'], seconds: 300 });
});

test('nothing known of a model: the document’s 5 to 15 minutes for a video, by its length', () => {
  const seconds = (duration: number) =>
    planOf(`steps:\n  shot:\n    model: V-T2V-A\n    with: { prompt: a fox, duration: ${duration} }\n`).criticalPath
      .seconds;
  expect([2, 5, 10, 15].map(seconds)).toStrictEqual([300, 300, 600, 900]);
});
