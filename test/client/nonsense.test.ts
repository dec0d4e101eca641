/** Whatever a service writes into a field of money, of time or of progress: what is read is plausible, or nothing. */
import { expect, test } from 'vitest';
import { decodeGeneration, decodeHistoryRow, decodeModel } from '../../src/client/wire/decode-generation.ts';
import { isUsd, MOST_USD, roundUsd, usdOf } from '../../src/model/money.ts';
import { cost as costRule } from '../../src/records/lock/lock-rules.ts';
import { spentOn } from '../../src/records/views/ledger.ts';

const NONSENSE = [
  ...[-5, -0.01, 1e308, 1e12, Number.MAX_VALUE, 5e-324, 2 ** 53, ' ', ''],
  ...'-5 1e308 NaN Infinity -Infinity 0x10'.split(' '),
  ...['free', '$5', '5,00', '٣', '1_000', true, false, null, undefined, [], [5], {}, { usd: 5 }, '\u0000', '__proto__'],
];

const plausible = (usd: number | null | undefined) =>
  usd === null || usd === undefined || (isUsd(usd) && isUsd(roundUsd(usd)));

test.each(NONSENSE.map(value => [JSON.stringify(value) ?? 'undefined', value] as const))('%s', (_, value) => {
  const ours = { generation_id: 'gen-1', status: 'succeeded' };
  const row = decodeHistoryRow({ ...ours, cost: value });
  expect(row).toBeDefined();
  expect(plausible(usdOf(row?.cost))).toBe(true);
  const read = usdOf(row?.cost);
  // What a run keeps of it is what its lock may hold.
  expect(costRule(read)).toBeUndefined();
  const made = { is: 'media', cost: value, media: { kind: 'video', duration: 5 } } as unknown as Parameters<
    typeof spentOn
  >[0];
  expect(plausible(spentOn(made).usd)).toBe(true);

  const record = decodeGeneration({
    ...ours,
    progress: value,
    position: value,
    enqueued_at: value,
    completed_at: value,
  });
  expect(record?.progress ?? 0).toBeGreaterThanOrEqual(0);
  expect(record?.progress ?? 0).toBeLessThanOrEqual(1);
  expect(record?.position ?? 0).toBeGreaterThanOrEqual(0);
  for (const at of [record?.enqueued_at, record?.completed_at])
    expect(Number.isNaN(new Date((at ?? 0) * 1000).getTime())).toBe(false);

  const pricing = {
    method: 'per_video_output_second',
    cost_per_second: value,
    cost_per_second_by_resolution: { '720p': value },
  };
  const model = decodeModel({ id: 'vendor/film', pricing });
  expect(plausible(model?.pricing.cost_per_second)).toBe(true);
  expect(plausible(model?.pricing.cost_per_second_by_resolution?.['720p'])).toBe(true);
});

test('the most is far beyond any film, and sums of it are numbers', () => {
  expect(usdOf(String(MOST_USD))).toBe(MOST_USD);
  expect(Number.isFinite(roundUsd(1e6 * MOST_USD))).toBe(true);
});
