/** One thread's share of the seeds. What nobody caught in a life that goes on is a bug of ours; a dead one cannot have any. */
import { parentPort, workerData } from 'node:worker_threads';
import { PLANTS } from './plants.ts';
import type { Said } from './pool.ts';
import { tryOut, uncaught } from './trial.ts';

const plant = PLANTS.find(({ name }) => name === workerData.plant);

process.on('unhandledRejection', uncaught);

parentPort?.on('message', async ({ from, seeds }: { readonly from: number; readonly seeds: number }) => {
  for (let seed = from; seed < from + seeds; seed++) {
    const { broken, tally } = await tryOut(seed, plant ? { plant } : {});
    parentPort?.postMessage({ seed, message: broken?.message, tally } satisfies Said);
  }
});
