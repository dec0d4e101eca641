/** The executor of this machine, behind the queue of a run, held to what every implementation must do. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { CommandRunner } from '../../../src/machine/process/command-runner.ts';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { LocalStore } from '../../../src/records/store/local-store.ts';
import { DEFAULT_LIMITS } from '../../../src/run/engine/limits.ts';
import { WorkQueue } from '../../../src/run/engine/work-queue.ts';
import { LocalExecutor } from '../../../src/run/local/local-executor.ts';
import type { Executor, Turn } from '../../../src/run/ports/executor.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { executorCases, scriptedWork } from './executor-cases.ts';

const commands = new CommandRunner({ environment: { PATH: process.env.PATH }, grace: 100 });
afterAll(() => commands.close());

/** As a run calls them. */
function queued(executor: LocalExecutor, most: number): Executor {
  const queue = new WorkQueue({
    ...{ limits: { ...DEFAULT_LIMITS, commands: most }, pipeline: { steps: [] }, clock: systemClock },
    signal: new AbortController().signal,
  });
  const worker = ({ priority }: Turn) => ({ step: {}, remaining: priority });
  return {
    runCommand: (work, turn, signal) =>
      queue.onThisMachine(worker(turn), 'command', () => executor.runCommand(work, turn, signal)),
    makeCut: (work, turn, signal) =>
      queue.onThisMachine(worker(turn), 'cut', () => executor.makeCut(work, turn, signal)),
    download: (...work) => executor.download(...work),
    derive: (...work) => executor.derive(...work),
  };
}

describe('LocalExecutor', () => {
  executorCases(async limits => {
    const folder = await temporaryFolder();
    const root = join(folder, 'project');
    await mkdir(root);
    const store = await LocalStore.open(join(folder, 'store'));
    const { world, ...work } = scriptedWork(store, folder);
    let ids = 0;
    const local = new LocalExecutor({
      ...{ store, commands, root, scratch: join(folder, 'scratch'), ...work },
      newId: () => `folder-${++ids}`,
    });
    return { executor: queued(local, limits.commands), root, ...world };
  });
});
