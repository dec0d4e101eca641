/** Heavy work that workers of a team do for a lead: how many a second, and what one behind the other costs. Two workers, one database. */

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { CommandWork } from '../../src/run/ports/executor.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { startPostgres } from '../support/postgres.ts';
import { TaskTeam } from '../team/task-team.ts';
import { type Bench, type Case, least, type Measured } from './measure.ts';

export const taskCases: readonly Case[] = [{ name: 'hands of a team', measure }];

async function measure({ quick, scratch }: Bench): Promise<readonly Measured[]> {
  const postgres = await startPostgres('durable');
  try {
    await TeamQueue.setUp({ url: postgres.url });
    const team = await TaskTeam.open(postgres, await mkdtemp(join(scratch, 'hands-')));
    try {
      await Promise.all([team.process('one'), team.process('two')]);
      const lead = await team.lead();
      const one = async (n: number) => {
        const done = await lead.runCommand(trivial(n), { priority: 0, started: () => {} }, NEVER);
        if (done.is !== 'ok') throw new Error(JSON.stringify(done));
      };
      const all = async (from: number, count: number) => {
        const begun = performance.now();
        await Promise.all(Array.from({ length: count }, (_, n) => one(from + n)));
        return performance.now() - begun;
      };
      await all(0, 50);
      const wide = quick ? 200 : 1_000;
      const each: number[] = [];
      for (let round = 1; round <= (quick ? 1 : 3); round++) each.push((await all(1_000 * round, wide)) / wide);
      const chain: number[] = [];
      for (let n = 0; n < (quick ? 20 : 100); n++) {
        const begun = performance.now();
        await one(10_000 + n);
        chain.push(performance.now() - begun);
      }
      return [
        {
          name: `hands of a team, ${wide} commands at once, each`,
          ...{ ours: each, unit: 'ms', aim: 6.6 },
          note: `${Math.round(1_000 / least(each))} a second`,
        },
        { name: 'hands of a team, one command behind the other', ours: chain, unit: 'ms' },
      ];
    } finally {
      await team.close();
    }
  } finally {
    await postgres.stop();
  }
}

const NEVER = new AbortController().signal;

const trivial = (n: number): CommandWork => ({
  ...{ key: `step[n=${n}]` as InstanceKey, fingerprint: `f${n}`, command: { script: `: ${n}`, shell: 'sh' } },
  ...{ env: {}, files: {}, creates: {}, lists: [], mostFiles: 1_000, effect: false },
});
