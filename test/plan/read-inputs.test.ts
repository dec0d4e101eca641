import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import type { ResultLookup } from '../../src/plan/obstacles.ts';
import { readInputs } from '../../src/plan/values/read-inputs.ts';
import { media, planOf } from './support.ts';

const SIZE = 500;
const numbers = JSON.stringify(Array.from({ length: SIZE }, (_, n) => n));
const FILM = `
steps:
  shot:
    matrix: { n: ${numbers} }
    model: V-T2V-A
    with: { prompt: "fox \${{ matrix.n }}" }
  reader:
    matrix: { m: ${numbers} }
    model: V-RF
    with: { input_video: "\${{ steps.shot[0].result_url }}", prompt: "\${{ string(matrix.m) }}" , aspect_ratio: "9:16" }
`;

/** Looks up what is there, and counts how often it is asked. */
function counting(has: (key: InstanceKey) => boolean) {
  const asked = { times: 0 };
  const results = new Map<InstanceKey, Result>();
  const lookup: ResultLookup = key => {
    asked.times++;
    if (!has(key)) return undefined;
    const result = results.get(key) ?? media(key, { kind: 'video' });
    results.set(key, result);
    return result;
  };
  return { asked, lookup };
}

test('all readers of a step share one list of its results, and one map of what is known', () => {
  const plan = planOf(FILM);
  const { asked, lookup } = counting(() => true);
  const lists = new Set<unknown>();
  for (const slot of plan.instances.of('reader' as never)) {
    const { steps, known } = readInputs(plan, slot, lookup);
    const shots = steps.get('shot' as never);
    if (shots?.is === 'ready') lists.add(shots.value);
    expect(known.get('https://results.example/shot[n=499]')?.from).toBe('shot[n=499]');
  }
  // N + M, not N × M.
  expect([lists.size, asked.times]).toStrictEqual([1, SIZE]);
});

test('a result that comes in later is read where the last reader stopped', () => {
  const plan = planOf(FILM);
  const there = new Set<InstanceKey>();
  const { asked, lookup } = counting(key => there.has(key));
  const [reader] = plan.instances.of('reader' as never);
  const shots = plan.instances.of('shot' as never);
  for (const { key } of shots) {
    expect(readInputs(plan, reader!, lookup).steps.get('shot' as never)).toMatchObject({ is: 'waiting', on: key });
    there.add(key);
  }
  expect(readInputs(plan, reader!, lookup).steps.get('shot' as never)).toMatchObject({ is: 'ready' });
  expect(asked.times).toBe(2 * SIZE);
});
