/** Seeds, shared out among threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Fault } from '../checker/check.ts';
import { INVARIANTS } from './judge.ts';
import type { Tally } from './vices.ts';

/** What a thread is given to do at a time. */
export interface Batch {
  readonly seeds: readonly number[];
  /** A bug that is put in. */
  readonly plant?: string | undefined;
  /** Tells the whole story of each seed. */
  readonly trace?: boolean;
}

/** What it says of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** Which invariant was broken, and how. */
  readonly message: string | undefined;
  readonly tally: Tally;
  /** What the checker finds at the service's door. */
  readonly door: readonly Fault[];
  /** Empty unless it was asked for. */
  readonly trace: readonly string[];
}

export interface Summary {
  readonly seeds: number;
  readonly seconds: number;
  readonly invariants: number;
  readonly broken: readonly { readonly seed: number; readonly message: string }[];
  readonly tally: Tally;
}

/** Seeds handed out at a time. */
const BATCH = 10;
/** Seeds after which a thread is replaced: what dies in the middle of a wait leaves signals behind that Node keeps for ever. */
const MOST_OF_A_THREAD = 500;

/** `count` seeds, the first of which is `from`. */
export const seedsFrom = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n);

export async function trySeeds(threads: Threads, seeds: readonly number[], plant?: string): Promise<Summary> {
  const began = performance.now();
  const tally: Tally = new Map();
  const broken: { seed: number; message: string }[] = [];
  const batches = Array.from({ length: Math.ceil(seeds.length / BATCH) }, (_, n) => ({
    seeds: seeds.slice(n * BATCH, (n + 1) * BATCH),
    plant,
  }));
  await threads.each(batches, async (batch, tryOut) => {
    for (const { seed, message, tally: more } of await tryOut(batch)) {
      for (const [what, times] of more) tally.set(what, (tally.get(what) ?? 0) + times);
      if (message !== undefined) broken.push({ seed, message });
    }
  });
  broken.sort((a, b) => a.seed - b.seed);
  return {
    seeds: seeds.length,
    seconds: (performance.now() - began) / 1000,
    invariants: INVARIANTS.length,
    broken,
    tally,
  };
}

interface Caught {
  readonly plant: string;
  /** Undefined: by none of them. */
  readonly by: { readonly seed: number; readonly message: string } | undefined;
}

/** The first of these seeds that sees each of the bugs; a bug's `hint` is tried before. */
export const catchPlants = (
  threads: Threads,
  plants: readonly { readonly name: string; readonly hint: number }[],
  seeds: readonly number[],
): Promise<readonly Caught[]> =>
  firstSeen(
    threads,
    plants,
    ({ hint }) => [hint, ...seeds],
    ({ message }) => message,
  );

/** The first seed at whose door the checker sees each of the bugs by itself; a bug's own is tried before. */
export const seenAtDoor = (
  threads: Threads,
  plants: readonly { readonly name: string; readonly atDoor?: number }[],
  seeds: readonly number[] = [],
): Promise<readonly Caught[]> =>
  firstSeen(
    threads,
    plants,
    ({ atDoor = 1 }) => [atDoor, ...seeds],
    ({ door }) => door[0]?.what,
  );

async function firstSeen<Plant extends { readonly name: string }>(
  threads: Threads,
  plants: readonly Plant[],
  seedsFor: (plant: Plant) => readonly number[],
  sees: (report: SeedReport) => string | undefined,
): Promise<readonly Caught[]> {
  const caught: Caught[] = [];
  await threads.each(plants, async (plant, tryOut) => {
    for (const seed of seedsFor(plant)) {
      const [report] = await tryOut({ seeds: [seed], plant: plant.name });
      const message = report && sees(report);
      if (message !== undefined) return void caught.push({ plant: plant.name, by: { seed, message } });
    }
    caught.push({ plant: plant.name, by: undefined });
  });
  return caught;
}

interface PlantRate {
  readonly plant: string;
  /** How many of the seeds see it. */
  readonly seen: number;
  /** The first of them. */
  readonly first: number | undefined;
}

/** How many of these seeds see each of the bugs. */
export async function plantRates(
  threads: Threads,
  plants: readonly { readonly name: string }[],
  seeds: readonly number[],
): Promise<readonly PlantRate[]> {
  const rates: PlantRate[] = [];
  await threads.each(plants, async ({ name }, tryOut) => {
    const said = await tryOut({ seeds, plant: name });
    const seen = said.filter(({ message }) => message !== undefined);
    rates.push({ plant: name, seen: seen.length, first: seen[0]?.seed });
  });
  return rates;
}

/** The story of one seed. */
export async function traceOf(threads: Threads, seed: number): Promise<readonly string[]> {
  let trace: readonly string[] = [];
  await threads.each([seed], async (_, tryOut) => {
    const [said] = await tryOut({ seeds: [seed], trace: true });
    trace = said?.trace ?? [];
  });
  return trace;
}

type TryOut = (batch: Batch) => Promise<readonly SeedReport[]>;

/** Threads that load the core once and try seeds until they are closed. */
export class Threads {
  readonly #most: number;
  readonly #idle: { thread: Worker; tried: number }[] = [];

  constructor(most = availableParallelism()) {
    this.#most = most;
  }

  /** Does each of the jobs once, as many at a time as there may be threads. */
  async each<T>(jobs: readonly T[], work: (job: T, tryOut: TryOut) => Promise<void>): Promise<void> {
    const left = [...jobs];
    const one = async () => {
      let own = this.#idle.pop() ?? start();
      const tryOut: TryOut = async batch => {
        if (own.tried > MOST_OF_A_THREAD) {
          await own.thread.terminate();
          own = start();
        }
        own.tried += batch.seeds.length;
        return ask(own.thread, batch);
      };
      try {
        for (let job = left.shift(); job !== undefined; job = left.shift()) await work(job, tryOut);
      } finally {
        this.#idle.push(own);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#most, jobs.length) }, one));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ thread }) => thread.terminate()));
  }
}

const start = () => ({ thread: new Worker(new URL('./thread.ts', import.meta.url)), tried: 0 });

const ask = (thread: Worker, batch: Batch): Promise<readonly SeedReport[]> =>
  new Promise((resolve, reject) => {
    thread.removeAllListeners();
    thread.once('error', reject);
    thread.once('message', resolve);
    thread.postMessage(batch);
  });
