/** Seeds, shared out among threads: one for each core. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { INVARIANTS } from './judge.ts';
import type { Tally } from './vices.ts';

export interface Range {
  readonly from: number;
  readonly seeds: number;
  readonly plant?: string | undefined;
  /** The first that is broken ends it. */
  readonly untilBroken?: boolean;
}

export interface Summary {
  readonly seeds: number;
  readonly seconds: number;
  readonly invariants: number;
  readonly broken: readonly { readonly seed: number; readonly message: string }[];
  readonly tally: Tally;
}

/** What a thread says after each of its seeds. */
export interface Said {
  readonly seed: number;
  readonly message: string | undefined;
  readonly tally: Tally;
}

/** Seeds handed out at a time. */
const BATCH = 10;

export async function trySeeds({ from, seeds, plant, untilBroken = false }: Range): Promise<Summary> {
  const began = performance.now();
  const tally: Tally = new Map();
  const broken: { seed: number; message: string }[] = [];
  const threads = Math.min(availableParallelism(), Math.ceil(seeds / BATCH));
  let next = from;
  let tried = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { plant } });
      let left = 0;
      const more = () => {
        const batch = Math.min(BATCH, from + seeds - next);
        if (batch <= 0 || (untilBroken && broken.length > 0))
          return void thread.terminate().then(() => resolve(), reject);
        left = batch;
        thread.postMessage({ from: next, seeds: batch });
        next += batch;
      };
      thread.on('error', reject);
      thread.on('message', ({ seed, message, tally: more_ }: Said) => {
        tried += 1;
        for (const [what, times] of more_) tally.set(what, (tally.get(what) ?? 0) + times);
        if (message !== undefined) broken.push({ seed, message });
        left -= 1;
        if (left === 0) more();
      });
      more();
    });
  await Promise.all(Array.from({ length: threads }, work));
  broken.sort((a, b) => a.seed - b.seed);
  return { seeds: tried, seconds: (performance.now() - began) / 1000, invariants: INVARIANTS.length, broken, tally };
}
