/** A worker of heavy work that is killed in the middle of a command: real processes, over a real queue. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { CommandWork } from '../../src/run/ports/executor.ts';
import { oneFile, PROMISES_NOTHING } from '../run/command-files.ts';
import { temporaryFolder } from '../support/temp.ts';
import { TaskTeam } from './task-team.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();

test('what a killed worker had begun is done by another one, with the same content; what acts outside is not done again', async () => {
  const team = await TaskTeam.open(database(), await temporaryFolder());
  try {
    const [count, go] = [join(team.folder, 'count'), join(team.folder, 'go')];
    const machine = await team.machine();
    const lead = await team.lead({ machine });
    const first = await team.process('first', 2);
    const started = vi.fn();
    const long: CommandWork = {
      ...{ ...PROMISES_NOTHING, key: 'step' as InstanceKey, fingerprint: 'f' },
      ...{
        command: {
          script: `echo x >>'${count}'; until test -e '${go}'; do sleep 0.05; done; echo a fox >fox.txt`,
          shell: 'sh',
        },
      },
      creates: { fox: 'fox.txt' },
    };
    const acts: CommandWork = {
      ...{ ...PROMISES_NOTHING, key: 'post' as InstanceKey, fingerprint: 'g', effect: true },
      command: { script: `echo posted >>'${count}'; sleep 60`, shell: 'sh' },
    };
    const turn = { priority: 0, started };
    const made = lead.runCommand(long, turn, never());
    const posted = lead.runCommand(acts, { ...turn, begin: async () => true }, never());
    await expect.poll(() => existsSync(count) && readFileSync(count, 'utf8').split('\n')).toHaveLength(3);
    const second = await team.process('second', 2);
    const gone = once(first, 'exit');
    first.kill('SIGKILL');
    await gone;
    await passMinute(team);
    writeFileSync(go, '');
    const done = await made;
    if (done.is !== 'ok') throw new Error(JSON.stringify(done));
    expect(readFileSync(await machine.store.pathOf(oneFile(done.result.files, 'fox')?.sha256 ?? ''), 'utf8')).toBe(
      'a fox\n',
    );
    expect(await posted).toMatchObject({ is: 'failed', mayHaveActed: true });
    expect(readFileSync(count, 'utf8').split('\n').sort()).toEqual(['', 'posted', 'x', 'x']);
    expect(started).toHaveBeenCalledTimes(2);
    second.kill('SIGTERM');
  } finally {
    await team.close();
  }
});

/** In which no worker is heard of. */
async function passMinute({ team }: TaskTeam): Promise<void> {
  await team.query(
    `UPDATE pgboss.job SET started_on = started_on - interval '1 minute', heartbeat_on = heartbeat_on - interval '1 minute'
       WHERE state = 'active'`,
  );
}

const never = () => new AbortController().signal;
