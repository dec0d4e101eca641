/** What fits into a budget, by numbers alone. */
import { describe, expect, test } from 'vitest';
import {
  type Amounts,
  addDemand,
  type Budget,
  certainOf,
  type Demand,
  NO_AMOUNTS,
  NO_DEMAND,
  NO_SPENDING,
  type Spending,
  statusOf,
  stopFor,
  UNKNOWN_DEMAND,
} from '../../src/model/budget.ts';

const film = (budget: Budget) => ({ of: 'film', budget }) as const;
const dollars = (usd: number | null): Demand => ({ ...NO_DEMAND, usd, generations: 1 });
const sum = (...all: readonly (number | null)[]): Amounts =>
  all.reduce((so, usd) => addDemand(so, dollars(usd)), NO_AMOUNTS);
const spending = (settled: Amounts, inFlight = NO_AMOUNTS): Spending => ({ settled, inFlight });

describe('a request', () => {
  test('fits to the last cent, whatever binary fractions make of the sum', () => {
    const before = spending(sum(0.1), sum(0.2));
    expect(stopFor(film({ usd: 0.3 }), spending(sum(0.1)), dollars(0.2))).toBeUndefined();
    expect(stopFor(film({ usd: 0.6 }), before, dollars(0.3))).toBeUndefined();
    expect(stopFor(film({ usd: 0.6 }), before, dollars(0.300001))).toMatchObject({ why: 'exceeds', next: 0.300001 });
    const dimes = sum(...Array.from({ length: 9_999 }, () => 0.1));
    expect(stopFor(film({ usd: 1000 }), spending(dimes), dollars(0.1))).toBeUndefined();
    expect(stopFor(film({ usd: 1000 }), spending(sum(1000)), dollars(0.1))).toMatchObject({ spent: 1000 });
  });

  test('is held against what is spent and what is in flight', () => {
    expect(stopFor(film({ usd: 25 }), spending(sum(20), sum(3.8)), dollars(2))).toEqual({
      ...{ of: 'film', measure: 'usd', why: 'exceeds' },
      ...{ limit: 25, spent: 20, in_flight: 3.8, next: 2 },
    });
  });

  test('is held against each number, in a fixed order', () => {
    const video: Demand = { ...dollars(1), video_seconds: 10 };
    expect(stopFor(film({ video_seconds: 5, usd: 0.5 }), NO_SPENDING, video)?.measure).toBe('usd');
    expect(stopFor(film({ video_seconds: 5 }), NO_SPENDING, video)?.measure).toBe('video_seconds');
    expect(stopFor(film({ generations: 0 }), NO_SPENDING, video)?.measure).toBe('generations');
  });

  test('that has nothing of a number is not held back by it', () => {
    const over = spending(sum(30));
    expect(stopFor(film({ usd: 25 }), over, { ...NO_DEMAND, generations: 1 })).toBeUndefined();
    expect(stopFor(film({ images: 0 }), NO_SPENDING, dollars(1))).toBeUndefined();
  });

  test('is not sent where the budget was lowered below what is spent', () => {
    expect(stopFor(film({ usd: 10 }), spending(sum(20)), dollars(0.01))).toMatchObject({ why: 'exceeds', spent: 20 });
  });

  test('of which nobody can tell is not sent, unless that is allowed', () => {
    expect(stopFor(film({ usd: 25 }), NO_SPENDING, UNKNOWN_DEMAND)).toMatchObject({ why: 'unpriced', next: null });
    expect(stopFor(film({ tokens: 25 }), NO_SPENDING, UNKNOWN_DEMAND)).toMatchObject({ why: 'unpriced' });
    expect(stopFor(film({ usd: 25, unpriced: 'allow' }), NO_SPENDING, UNKNOWN_DEMAND)).toBeUndefined();
    // It comes to something: with nothing left it does not fit.
    expect(stopFor(film({ usd: 25, unpriced: 'allow' }), spending(sum(25)), UNKNOWN_DEMAND)).toMatchObject({
      why: 'exceeds',
    });
  });

  test('is not sent where nobody can tell what earlier ones came to, unless that is allowed', () => {
    const before = spending(sum(1, null));
    expect(stopFor(film({ usd: 25 }), before, dollars(1))).toMatchObject({ why: 'unpriced_before', unknown: 1 });
    expect(stopFor(film({ usd: 25, unpriced: 'allow' }), before, dollars(1))).toBeUndefined();
  });

  test('fits into a budget of any size, and into none of nothing', () => {
    expect(stopFor(film({ usd: 1e15 }), spending(sum(1e12)), dollars(1e12))).toBeUndefined();
    expect(stopFor(film({ usd: 1e308 }), spending(sum(1e308)), dollars(1e308))).toMatchObject({ why: 'exceeds' });
    expect(stopFor(film({ usd: 0 }), NO_SPENDING, dollars(1e-9))).toMatchObject({ why: 'exceeds' });
  });
});

test('of what may turn out to be less nothing is certain; what nobody can tell stays untold', () => {
  const chat: Demand = { ...dollars(0.5), tokens: null, atMost: ['usd', 'tokens'] };
  expect(certainOf(chat)).toMatchObject({ usd: 0, tokens: null, generations: 1 });
});

test('a status has each number that the budget has, and no other', () => {
  const status = statusOf(film({ usd: 25, images: 40 }), spending(sum(1, null), sum(2)));
  expect(status).toEqual([
    { of: 'film', measure: 'usd', limit: 25, spent: 1, in_flight: 2, unknown: 1 },
    { of: 'film', measure: 'images', limit: 40, spent: 0, in_flight: 0 },
  ]);
});
