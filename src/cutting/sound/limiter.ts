/**
 * Keeps true peaks below a ceiling: it sees a peak 5 ms before it comes, goes down in a straight line, and comes back over some 100 ms.
 * Both channels go down together, so that nothing moves to one side. What is below the ceiling is handed on bit for bit.
 */
import { SAMPLE_RATE } from './sample-stream.ts';

// What a loudspeaker makes of the samples: the curve through them, looked at in three places between each two (as BS.1770-4, annex 2).

/** Samples on each side that have a say in the curve. */
const REACH = 12;

const PLACES = [0.25, 0.5, 0.75] as const;

/** A sinc under a cosine window: one row for each place, from the sample furthest before to the one furthest after. */
const TAPS: readonly Float64Array[] = PLACES.map(place =>
  Float64Array.from({ length: 2 * REACH }, (_, i) => {
    const x = i - (REACH - 1) - place;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / (2 * REACH)) ** 2;
  }),
);

/** However its samples fall, the curve is nowhere higher than this many times the highest of them. */
const MOST_OVER = Math.max(...TAPS.map(row => row.reduce((sum, tap) => sum + Math.abs(tap), 0)));

/** The highest point between sample `at` and the next of a ring whose length is a power of two. */
function peakAfter(ring: Float32Array, at: number): number {
  const mask = ring.length - 1;
  let peak = 0;
  for (const row of TAPS) {
    let sum = 0;
    for (let i = 0; i < 2 * REACH; i++) sum += row[i]! * ring[(at - (REACH - 1) + i) & mask]!;
    peak = Math.max(peak, Math.abs(sum));
  }
  return peak;
}

interface Limiter {
  /** As many samples as were given since the beginning, less those that are waited with. */
  push(samples: Float32Array): Float32Array;
  /** The rest of them. */
  flush(): Float32Array;
}

const AHEAD = 240;
const DELAY = AHEAD + REACH;
const RING = 1024;
const RETURN = 1 - Math.exp(-1 / (0.05 * SAMPLE_RATE));

/** @param ceiling as samples are: 1 is full scale. */
export function limiter(ceiling: number): Limiter {
  const left = new Float32Array(RING);
  const right = new Float32Array(RING);
  const between = new Float64Array(RING);
  const allowed = lowest(AHEAD + 1);
  const smooth = average(AHEAD);
  const mask = RING - 1;
  const loud = ceiling / MOST_OVER;
  let written = 0;
  let lastLoud = Number.NEGATIVE_INFINITY;
  let share = 1;

  /** What a sample may be multiplied with, all that reaches it being known. */
  const allowedAt = (n: number): number => {
    if (lastLoud < n - REACH - 1) {
      between[n & mask] = 0;
      return 1;
    }
    const after = Math.max(peakAfter(left, n), peakAfter(right, n));
    between[n & mask] = after;
    const own = Math.max(Math.abs(left[n & mask]!), Math.abs(right[n & mask]!));
    const peak = Math.max(own, after, n > 0 ? between[(n - 1) & mask]! : 0);
    return peak > ceiling ? ceiling / peak : 1;
  };
  /** Takes one sample of each channel; the answer is what the one `DELAY` before it is multiplied with. */
  const take = (l: number, r: number): number | undefined => {
    left[written & mask] = l;
    right[written & mask] = r;
    if (Math.abs(l) > loud || Math.abs(r) > loud) lastLoud = written;
    written++;
    const n = written - 1 - REACH;
    if (n < 0) return undefined;
    const needed = allowed(n, allowedAt(n));
    share = needed < share ? needed : share + (needed - share) * RETURN;
    // So near to one that nobody's samples are changed by it any more.
    if (share > 1 - 1e-6 && needed === 1) share = 1;
    // Also of the samples that would have come before the first: what is loud right away has its way down before it.
    const gain = smooth(share);
    return n < AHEAD ? undefined : gain;
  };
  const through = (samples: Float32Array): Float32Array => {
    const ready = new Float32Array(samples.length);
    let filled = 0;
    for (let i = 0; i < samples.length; i += 2) {
      const gain = take(samples[i]!, samples[i + 1]!);
      if (gain === undefined) continue;
      const at = (written - 1 - DELAY) & mask;
      ready[filled++] = left[at]! * gain;
      ready[filled++] = right[at]! * gain;
    }
    return ready.subarray(0, filled);
  };
  return { push: through, flush: () => through(new Float32Array(DELAY * 2)) };
}

/** The lowest of the last so many values: those that a later, lower one makes meaningless are forgotten. */
function lowest(length: number): (n: number, value: number) => number {
  const at = new Float64Array(RING);
  const values = new Float64Array(RING);
  let first = 0;
  let end = 0;
  return (n, value) => {
    while (end > first && values[(end - 1) & (RING - 1)]! >= value) end--;
    at[end & (RING - 1)] = n;
    values[end & (RING - 1)] = value;
    end++;
    while (at[first & (RING - 1)]! <= n - length) first++;
    return values[first & (RING - 1)]!;
  };
}

/** The mean of the last so many values; before the first of them, there were ones. */
function average(length: number): (value: number) => number {
  const values = new Float64Array(length).fill(1);
  let sum = length;
  let at = 0;
  let ones = length;
  return value => {
    sum += value - values[at]!;
    values[at] = value;
    at = (at + 1) % length;
    ones = value === 1 ? ones + 1 : 0;
    // What rounding has left in the sum ends here.
    if (ones >= length) sum = length;
    return sum / length;
  };
}
