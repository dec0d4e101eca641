/** Seeds, shared out among threads: one for each core. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { INVARIANTS } from './judge.ts';
import type { Tally } from './vices.ts';

/** What a thread is given to do at a time. */
export interface Batch {
  readonly from: number;
  readonly seeds: number;
  /** A bug that is put in. */
  readonly plant?: string | undefined;
}

/** What it says of one seed. */
export interface SeedReport {
  readonly seed: number;
  /** Which invariant was broken, and how. */
  readonly message: string | undefined;
  readonly tally: Tally;
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

export async function trySeeds(from: number, seeds: number, plant?: string): Promise<Summary> {
  const began = performance.now();
  const tally: Tally = new Map();
  const broken: { seed: number; message: string }[] = [];
  const batches = Array.from({ length: Math.ceil(seeds / BATCH) }, (_, n) => ({
    from: from + n * BATCH,
    seeds: Math.min(BATCH, seeds - n * BATCH),
    plant,
  }));
  await onAllCores(batches, async (batch, tryOut) => {
    for (const { seed, message, tally: more } of await tryOut(batch)) {
      for (const [what, times] of more) tally.set(what, (tally.get(what) ?? 0) + times);
      if (message !== undefined) broken.push({ seed, message });
    }
  });
  broken.sort((a, b) => a.seed - b.seed);
  return { seeds, seconds: (performance.now() - began) / 1000, invariants: INVARIANTS.length, broken, tally };
}

export interface Caught {
  readonly plant: string;
  /** Undefined: by none of them. */
  readonly by: { readonly seed: number; readonly message: string } | undefined;
}

/** The first of 1,000 seeds that sees each of these bugs; those in `hints` are tried before. */
export async function catchPlants(
  plants: readonly { readonly name: string; readonly hint: number }[],
): Promise<readonly Caught[]> {
  const caught: Caught[] = [];
  await onAllCores(plants, async ({ name, hint }, tryOut) => {
    const order = [hint, ...Array.from({ length: 1_000 }, (_, n) => n + 1)];
    for (const seed of order) {
      const [said] = await tryOut({ from: seed, seeds: 1, plant: name });
      if (said?.message === undefined) continue;
      caught.push({ plant: name, by: { seed, message: said.message } });
      return;
    }
    caught.push({ plant: name, by: undefined });
  });
  return caught;
}

export interface PlantRate {
  readonly plant: string;
  /** How many of the seeds see it. */
  readonly seen: number;
  /** The first of them. */
  readonly first: number | undefined;
}

/** How many of these seeds see each of the bugs. */
export async function plantRates(
  plants: readonly { readonly name: string }[],
  from: number,
  seeds: number,
): Promise<readonly PlantRate[]> {
  const rates: PlantRate[] = [];
  await onAllCores(plants, async ({ name }, tryOut) => {
    const said = await tryOut({ from, seeds, plant: name });
    const seen = said.filter(({ message }) => message !== undefined);
    rates.push({ plant: name, seen: seen.length, first: seen[0]?.seed });
  });
  return rates;
}

type TryOut = (batch: Batch) => Promise<readonly SeedReport[]>;

/** Each of the jobs once, as many at a time as there are cores. */
async function onAllCores<T>(jobs: readonly T[], work: (job: T, tryOut: TryOut) => Promise<void>): Promise<void> {
  const left = [...jobs];
  const one = async () => {
    let thread: Worker | undefined;
    let tried = 0;
    const tryOut: TryOut = async batch => {
      if (tried > MOST_OF_A_THREAD) {
        await thread?.terminate();
        thread = undefined;
        tried = 0;
      }
      tried += batch.seeds;
      thread ??= new Worker(new URL('./thread.ts', import.meta.url));
      return ask(thread, batch);
    };
    try {
      for (let job = left.shift(); job !== undefined; job = left.shift()) await work(job, tryOut);
    } finally {
      await thread?.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, one));
}

const ask = (thread: Worker, batch: Batch): Promise<readonly SeedReport[]> =>
  new Promise((resolve, reject) => {
    thread.removeAllListeners();
    thread.once('error', reject);
    thread.once('message', resolve);
    thread.postMessage(batch);
  });
