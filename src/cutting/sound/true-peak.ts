/** What a loudspeaker makes of the samples: the curve through them, looked at in three places between each two (as BS.1770-4, annex 2). */

/** Samples on each side that have a say in the curve. */
export const REACH = 12;

const PLACES = [0.25, 0.5, 0.75] as const;

/** A sinc under a cosine window: one row for each place, from the sample furthest before to the one furthest after. */
const TAPS: readonly Float64Array[] = PLACES.map(place =>
  Float64Array.from({ length: 2 * REACH }, (_, i) => {
    const x = i - (REACH - 1) - place;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / (2 * REACH)) ** 2;
  }),
);

/** However its samples fall, the curve is nowhere higher than this many times the highest of them. */
export const MOST_OVER = Math.max(...TAPS.map(row => row.reduce((sum, tap) => sum + Math.abs(tap), 0)));

/** The highest point between sample `at` and the next of a ring whose length is a power of two. */
export function peakAfter(ring: Float32Array, at: number): number {
  const mask = ring.length - 1;
  let peak = 0;
  for (const row of TAPS) {
    let sum = 0;
    for (let i = 0; i < 2 * REACH; i++) sum += row[i]! * ring[(at - (REACH - 1) + i) & mask]!;
    peak = Math.max(peak, Math.abs(sum));
  }
  return peak;
}
