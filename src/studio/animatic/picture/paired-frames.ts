/**
 * One painting, two films: each picture is painted once and taken by two encoders, the one with its slate and the one without.
 * A picture is painted when both ask for it, so they are done with the one before, and one of each is all that is held. When one
 * encoder gives up, the other's pictures end too: painting stops for a film that has failed.
 */
export interface Pair {
  readonly slated: Uint8Array;
  readonly clean: Uint8Array;
}
type Side = keyof Pair;

export function splitPairs(pairs: Iterable<Pair>): { readonly [side in Side]: AsyncIterable<Uint8Array> } {
  const source = pairs[Symbol.iterator]();
  /** How many pictures each has asked for. */
  const asked = { slated: 0, clean: 0 };
  let painted = 0;
  let current: IteratorResult<Pair> | undefined;
  let over = false;
  let waiting: (() => void)[] = [];

  const wake = () => {
    for (const resume of waiting) resume();
    waiting = [];
  };
  const paint = () => {
    current = source.next();
    painted++;
    over = current.done === true;
    wake();
  };

  async function* pictures(side: Side): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        asked[side]++;
        if (!over && Math.min(asked.slated, asked.clean) > painted) paint();
        while (!over && painted < asked[side]) await new Promise<void>(resume => waiting.push(resume));
        if (over || current === undefined || current.done) return;
        yield current.value[side];
      }
    } finally {
      over = true;
      wake();
    }
  }
  return { slated: pictures('slated'), clean: pictures('clean') };
}
