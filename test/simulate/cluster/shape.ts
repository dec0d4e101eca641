/** A team, what it has to do, and what its service allows. */
export interface Shape {
  readonly workers: number;
  /** Runs that a worker leads at once, heavy work that it does at once, and its connections for what leads keep and ask. */
  readonly leads: number;
  readonly hands: number;
  readonly connections: number;
  readonly runs: number;
  /** Paid steps of each run; each is followed by a piece of heavy work. */
  readonly instances: number;
  readonly models: number;
  /** Seconds that the service takes for one, from half of it to one and a half; and that its heavy work takes. */
  readonly generation: number;
  readonly handwork: number;
  /** Milliseconds from a POST to its answer. */
  readonly post: number;
  /** Of the service and its key, as limits and settings say. */
  readonly inFlight: number;
  readonly perSecond: number;
  /** Processors of the database's machine. */
  readonly processors: number;
  /** How far a generation is is told so often. */
  readonly progress: number;
  /** MB of a result. */
  readonly megabytes: number;
}

/** What a studio of forty people may come to. */
export const LARGE: Shape = {
  ...{ workers: 50, leads: 16, hands: 4, connections: 3, runs: 1_000, instances: 100, models: 1 },
  ...{ generation: 60, handwork: 2, post: 150, inFlight: 400, perSecond: 50, processors: 8 },
  ...{ progress: 4, megabytes: 8 },
};

/** Connections of a worker beside those that its leads and its queue share: the one by which it hears. */
export const OTHER_CONNECTIONS = 1;

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
  /** A request is admitted: rows read, decided and kept, all under the lock of the key; and more for each that is admitted with it. */
  readonly admission: Cost;
  readonly eachTogether: Cost;
  /** It is told to wait: under the same lock. */
  readonly refusal: Cost;
  /** More for each generation under way, whose rows are read; and for each film that waits for a place. */
  readonly eachUnderWay: Cost;
  readonly eachWaiting: Cost;
  /** What a run has written meanwhile is kept, with what watchers see of it. */
  readonly batch: Cost;
  /** Milliseconds a commit, where sixteen connections commit at once: the disk syncs several together. */
  readonly commit: number;
  /** Bytes of a row, with its indexes. */
  readonly bytes: { readonly event: number; readonly told: number; readonly submission: number };
}

/** As on two shared cores of 2026 with a disk that syncs in half a millisecond; for tests. */
export const FIXED_COSTS: Costs = {
  admission: { wall: 6, processor: 3, thread: 0.75 },
  eachTogether: { wall: 1, processor: 0.75, thread: 0.25 },
  refusal: { wall: 4, processor: 2, thread: 0.5 },
  eachUnderWay: { wall: 0.01, processor: 0.008, thread: 0.002 },
  eachWaiting: { wall: 0.005, processor: 0.004, thread: 0.001 },
  batch: { wall: 2, processor: 1, thread: 0.25 },
  commit: 0.4,
  bytes: { event: 600, told: 500, submission: 900 },
};

const NO_COST: Cost = { wall: 0, processor: 0, thread: 0 };

/** So many of them more, on top. */
export const plus = (base: Cost, each: Cost, count: number): Cost => ({
  wall: base.wall + each.wall * count,
  processor: base.processor + each.processor * count,
  thread: base.thread + each.thread * count,
});

type Limit =
  | 'places at the service'
  | 'submits a second'
  | 'lock of the key'
  | "the database's disk"
  | "database's processors"
  | "workers' threads"
  | 'hands';

/** Groups of events that a paid step is part of, where its run does little else: accepted, made, owned. */
const GROUPS = 3;

/**
 * Paid steps a second that each of them allows, the least first.
 * @param refusals for each that is admitted. @param together requests that are admitted at once.
 */
export function limitsOnPaper(
  shape: Shape,
  costs: Costs,
  refusals = 0,
  together = 1,
): readonly (readonly [Limit, number])[] {
  const { inFlight, perSecond, generation, workers, hands, handwork, processors } = shape;
  const { admission, refusal, batch, eachTogether, eachUnderWay, commit } = costs;
  const underWay = Math.min(inFlight, perSecond * generation);
  const group = plus(plus(admission, eachUnderWay, underWay), eachTogether, together - 1);
  const asked = plus(NO_COST, group, 1 / together);
  const told_to_wait = plus(refusal, eachUnderWay, underWay);
  const sum = (of: 'processor' | 'thread') => asked[of] + refusals * told_to_wait[of] + GROUPS * batch[of];
  const found: readonly (readonly [Limit, number])[] = [
    ['places at the service', inFlight / generation],
    ['submits a second', perSecond],
    ['lock of the key', 1_000 / (asked.wall + refusals * told_to_wait.wall)],
    ["the database's disk", 1_000 / ((1 / together + refusals + GROUPS) * commit)],
    ["database's processors", (1_000 * processors) / sum('processor')],
    ["workers' threads", (1_000 * workers) / sum('thread')],
    ['hands', (workers * hands) / handwork],
  ];
  return found.toSorted(([, a], [, b]) => a - b);
}
