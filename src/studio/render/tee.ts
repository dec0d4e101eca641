/**
 * One painting, two films: each picture is painted once and taken by two encoders, the one with its slate and the one without.
 * A picture is painted when both have taken the one before, so at most one of each is held.
 */
export interface Pair {
  readonly slated: Uint8Array;
  readonly clean: Uint8Array;
}

export function tee(pairs: Iterable<Pair>): {
  readonly slated: AsyncIterable<Uint8Array>;
  readonly clean: AsyncIterable<Uint8Array>;
} {
  const source = pairs[Symbol.iterator]();
  const sides = { slated: { taken: 0, gone: false }, clean: { taken: 0, gone: false } };
  let painted = 0;
  let current: IteratorResult<Pair> | undefined;
  let waiting: (() => void)[] = [];

  const behind = () => (['slated', 'clean'] as const).some(side => !sides[side].gone && sides[side].taken < painted);
  const wake = () => {
    for (const resume of waiting) resume();
    waiting = [];
  };
  async function* pictures(side: 'slated' | 'clean'): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        while (sides[side].taken === painted && behind()) await new Promise<void>(resume => waiting.push(resume));
        if (sides[side].taken === painted && !current?.done) {
          current = source.next();
          painted++;
        }
        if (current === undefined || current.done) return;
        sides[side].taken = painted;
        wake();
        yield current.value[side];
      }
    } finally {
      sides[side].gone = true;
      wake();
    }
  }
  return { slated: pictures('slated'), clean: pictures('clean') };
}
