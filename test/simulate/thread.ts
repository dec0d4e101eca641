/** One thread's share of the seeds. What nobody caught in a life that goes on is a bug of ours; a dead one cannot have any. */
import { parentPort } from 'node:worker_threads';
import { PLANTED_BUGS } from './planted-bugs.ts';
import type { Batch, SeedReport } from './pool.ts';
import { runTrial, uncaught } from './trial.ts';

process.on('unhandledRejection', uncaught);

parentPort?.on('message', async ({ seeds, plant: name, trace = false }: Batch) => {
  const plant = PLANTED_BUGS.find(plant => plant.name === name);
  const said: SeedReport[] = [];
  for (const seed of seeds) {
    const { broken, ...report } = await runTrial(seed, { trace, ...(plant && { plant }) });
    said.push({ ...report, message: broken?.message });
  }
  parentPort?.postMessage(said);
});
