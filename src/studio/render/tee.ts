/**
 * One painting, two films: each picture is painted once and taken by two encoders, the one with its slate and the one without.
 * A picture is painted when both have taken the one before, so at most one of each is held. When one encoder gives up, the other's
 * pictures end too: nobody paints on for a film that has failed.
 */
export interface Pair {
  readonly slated: Uint8Array;
  readonly clean: Uint8Array;
}
type Side = keyof Pair;

export function tee(pairs: Iterable<Pair>): { readonly [side in Side]: AsyncIterable<Uint8Array> } {
  const source = pairs[Symbol.iterator]();
  const taken = { slated: 0, clean: 0 };
  let painted = 0;
  let current: IteratorResult<Pair> | undefined;
  let over = false;
  let waiting: (() => void)[] = [];

  const wake = () => {
    for (const resume of waiting) resume();
    waiting = [];
  };
  const otherIsBehind = (side: Side) => taken[side === 'slated' ? 'clean' : 'slated'] < painted;

  async function* pictures(side: Side): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        while (!over && taken[side] === painted && otherIsBehind(side))
          await new Promise<void>(resume => waiting.push(resume));
        if (!over && taken[side] === painted) {
          current = source.next();
          painted++;
          over = current.done === true;
        }
        if (current === undefined || current.done || (over && taken[side] === painted)) return;
        taken[side] = painted;
        wake();
        yield current.value[side];
      }
    } finally {
      over = true;
      wake();
    }
  }
  return { slated: pictures('slated'), clean: pictures('clean') };
}
