/** The executor of a team, held to what every implementation must do, with a worker that shares nothing with the lead but the team's store. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { LocalExecutor } from '../../src/run/local/local-executor.ts';
import { type ExecutorWorld, executorCases } from '../run/ports/executor-cases.ts';
import { POLL_PATIENCE } from '../support/patience.ts';
import { temporaryFolder } from '../support/temp.ts';
import { TaskTeam } from './task-team.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();
const worlds: TaskTeam[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe('TeamExecutor', () => {
  executorCases(async limits => {
    const team = await TaskTeam.open(database(), await temporaryFolder());
    worlds.push(team);
    const root = join(team.folder, 'project');
    await mkdir(root);
    const lead = await team.machine();
    const addresses: ExecutorWorld['addresses'] = new Map();
    const renders: ExecutorWorld['renders'] = [];
    const here = new LocalExecutor({
      ...{ store: lead.store, commands: new CommandRunner({ environment: {} }), root: '/nowhere' },
      ...{ scratch: join(team.folder, 'scratch'), newId: () => 'folder', probe: async () => null },
      fetchResult: async (url, id, signal) => {
        const found = addresses.get(url);
        if (found === undefined) {
          await new Promise(resolve => signal.addEventListener('abort', resolve));
          return { is: 'failed', message: 'stopped' };
        }
        if (typeof found !== 'string') return found;
        const part = join(team.folder, `${id}.part`);
        await writeFile(part, found);
        return { is: 'ok', ...(await lead.store.adopt(part, '.mp4')) };
      },
    });
    await team.worker('worker', {
      atOnce: limits.commands,
      projectOf: () => root,
      probe: async path => (path.endsWith('film.mp4') ? { kind: 'video', duration: 1 } : null),
      renderCut: async ({ cut, to, signal, onProgress }) => {
        const next = renders.shift();
        onProgress(cut.frames / 2);
        if (!next) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        await writeFile(to, 'film' in next ? next.film : 'half a film');
        onProgress(cut.frames);
        return 'film' in next ? { is: 'ok' } : { is: 'failed', ...next };
      },
    });
    const executor = await team.lead({ machine: lead, here, root });
    const textOf = async (sha256: string) => readFile(await lead.store.pathOf(sha256), 'utf8');
    const waiting = async (commands: number) => {
      const jobs = () => team.rows<{ waits: boolean }>("state < 'active' AS waits");
      await expect
        .poll(async () => (await jobs()).filter(({ waits }) => waits).length, { timeout: POLL_PATIENCE })
        .toBe(commands);
    };
    return { executor, root, addresses, renders, textOf, waiting };
  }, 300);
});
