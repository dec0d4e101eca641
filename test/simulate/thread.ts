/** One thread's share of the seeds. What nobody caught in a life that goes on is a bug of ours; a dead one cannot have any. */
import { parentPort } from 'node:worker_threads';
import { PLANTS } from './plants.ts';
import type { Batch, Said } from './pool.ts';
import { tryOut, uncaught } from './trial.ts';

process.on('unhandledRejection', uncaught);

parentPort?.on('message', async ({ from, seeds, plant: name }: Batch) => {
  const plant = PLANTS.find(plant => plant.name === name);
  const said: Said[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const { broken, tally } = await tryOut(seed, plant ? { plant } : {});
    said.push({ seed, message: broken?.message, tally });
  }
  parentPort?.postMessage(said);
});
