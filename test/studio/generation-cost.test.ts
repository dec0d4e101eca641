import { expect, test } from 'vitest';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Model } from '../../src/model/model.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { costOf, totalCost } from '../../src/studio/service/generation-cost.ts';

const film: MediaFacts = { kind: 'video', width: 1920, height: 1080, duration: 5, audio_codec: 'aac' };
const cost = (pricing: JsonObject, facts: MediaFacts = film, request: JsonObject = {}) =>
  costOf({ pricing, returns: {} } as unknown as Model, request, facts, 12.5);

test('a film costs its real seconds', () => {
  const pricing = { method: 'per_video_output_second', cost_per_second: 0.1 };
  expect(cost(pricing)).toBe('0.5');
  expect(cost(pricing, { ...film, duration: 5.0417 })).toBe('0.5042');
  // To the millisecond, as the plan tells it.
  expect(cost(pricing, { ...film, duration: 5.00449 })).toBe('0.5004');
  expect(cost(pricing, { kind: 'video' })).toBe(null);
  expect(cost({ ...pricing, cost_per_second: 1e-7 })).toBe('0.0000005');
  expect(cost({ ...pricing, cost_per_second: 2 })).toBe('10');
});

test('the most specific price that applies wins', () => {
  const pricing = {
    method: 'per_video_output_second',
    cost_per_second: 0.1,
    cost_per_second_with_audio: 0.2,
    cost_per_second_high_res: 0.3,
    cost_per_second_by_resolution: { '480p': 0.05 },
  };
  const small = { ...film, width: 854, height: 480 };
  // What was asked for is billed, not what was drawn: a draft is drawn smaller.
  expect(cost(pricing, small, { resolution: '1080p' })).toBe('1.5');
  expect(cost(pricing, small, { resolution: '480P' })).toBe('1');
  expect(cost(pricing, film, { resolution: '1080p' })).toBe('1.5');
  // It might be any of them.
  expect(cost(pricing, small)).toBe('1.5');
  expect(cost(pricing, { ...small, audio_codec: null }, { resolution: '480p' })).toBe('0.25');
});

test('stills, time and tokens', () => {
  expect(cost({ method: 'per_image', cost_per_image: 0.003 })).toBe('0.003');
  expect(cost({ method: 'per_image', cost_per_image: null })).toBe(null);
  expect(cost({ method: 'time', cost_per_second: 0.01 })).toBe('0.125');
  expect(cost({ method: 'token', input_cost_per_token: 1 })).toBe(null);
});

test('sums are exact', () => {
  expect(totalCost(['0.1', '0.2'])).toBe('0.3');
  expect(totalCost(Array.from({ length: 1000 }, () => '0.0005'))).toBe('0.5');
  expect(totalCost([])).toBe(null);
});
