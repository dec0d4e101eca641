/** The executor of a team, held to what every implementation must do, with a worker that shares nothing with the lead but the team's store. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { LocalExecutor } from '../../src/run/local/local-executor.ts';
import { executorCases, scriptedWork } from '../run/ports/executor-cases.ts';
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
    const { world, probe, renderCut, fetchResult } = scriptedWork(lead.store, team.folder);
    const here = new LocalExecutor({
      ...{ store: lead.store, commands: new CommandRunner({ environment: {} }), root: '/nowhere' },
      ...{ scratch: join(team.folder, 'scratch'), newId: () => 'folder', probe: async () => null, fetchResult },
    });
    await team.worker('worker', { atOnce: limits.commands, projectOf: () => root, probe, renderCut });
    const executor = await team.lead({ machine: lead, here, root });
    const waiting = async (commands: number) => {
      const jobs = () => team.rows<{ waits: boolean }>("state < 'active' AS waits");
      await expect
        .poll(async () => (await jobs()).filter(({ waits }) => waits).length, { timeout: POLL_PATIENCE })
        .toBe(commands);
    };
    return { executor, root, ...world, waiting };
  }, 300);
});
