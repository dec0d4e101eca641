/** What single things cost a team's database and its workers: measured on a real one, or fixed where a test is to tell the same each time. */

/** Milliseconds of one of them, by itself. */
export interface Cost {
  /** From asking to the answer. */
  readonly wall: number;
  /** Of that, work of a processor of the database's machine, and of the thread that asks. */
  readonly processor: number;
  readonly thread: number;
}

export interface Costs {
  /** A request is admitted: rows read, decided and kept, all under the lock of the key. */
  readonly admission: Cost;
  /** It is told to wait: under the same lock. */
  readonly refusal: Cost;
  /** More for each generation under way, whose rows are read; and for each film that waits for a place. */
  readonly eachUnderWay: Cost;
  readonly eachWaiting: Cost;
  /** What a run has written meanwhile is kept. */
  readonly batch: Cost;
  /** Events are told to whoever watches. */
  readonly told: Cost;
  /** A piece of heavy work, given out, taken, settled and known to be; in so many transactions. */
  readonly hand: Cost & { readonly commits: number };
  /** A commit that tells others something keeps all others that do so waiting for this long. */
  readonly notifying: number;
  /** Bytes of a row, with its indexes. */
  readonly bytes: { readonly event: number; readonly told: number; readonly submission: number };
}

/** As on two shared cores of 2026 with a disk that syncs in half a millisecond; for tests. */
export const FIXED_COSTS: Costs = {
  admission: { wall: 6, processor: 3, thread: 0.75 },
  refusal: { wall: 4, processor: 2, thread: 0.5 },
  eachUnderWay: { wall: 0.01, processor: 0.008, thread: 0.002 },
  eachWaiting: { wall: 0.005, processor: 0.004, thread: 0.001 },
  batch: { wall: 2, processor: 1, thread: 0.25 },
  told: { wall: 1.5, processor: 0.5, thread: 0.125 },
  hand: { wall: 20, processor: 5, thread: 1.25, commits: 5 },
  notifying: 1,
  bytes: { event: 600, told: 500, submission: 900 },
};

/** So many of them more, on top. */
export const plus = (base: Cost, each: Cost, count: number): Cost => ({
  wall: base.wall + each.wall * count,
  processor: base.processor + each.processor * count,
  thread: base.thread + each.thread * count,
});
