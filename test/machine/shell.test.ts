/** Each shell that a system may have does the same for a job. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JobListener, Shell } from '../../src/machine/process/shell.ts';

const SHELLS: NonNullable<Parameters<typeof Shell.start>[1]>[] = [['/bin/sh'], ['/bin/bash', '--posix']];

test.each(SHELLS.filter(([path]) => existsSync(path)))(
  '%s gives a job a group of its own, and tells what it left',
  async (path, ...args) => {
    const shell = await Shell.start({ PATH: process.env.PATH ?? '' }, [path, ...args]);
    if (!shell) throw new Error('it grants no groups');
    const said: string[] = [];
    const groups: number[] = [];
    const told: JobListener = {
      started: (group: number) => void groups.push(group),
      stdout: (chunk: Buffer) => void said.push(String(chunk)),
      stderr: (chunk: Buffer) => void said.push(String(chunk)),
    };
    const run = (script: string) =>
      shell.run({ argv: ['sh', '-c', script], cwd: '/usr', env: { title: "it's" } }, told);
    expect(await run('echo "$title in $PWD"; exit 3')).toEqual({ is: 'ended', status: 3, left: false });
    expect(await run('sleep 30 & kill -KILL $$')).toEqual({ is: 'ended', status: 137, left: true });
    process.kill(-(groups[1] ?? Number.NaN), 'SIGKILL');
    // What a shell itself says of a job that was killed is in nobody's output, whenever it says it.
    for (let n = 0; n < 50; n++) await run('kill -KILL $$');
    expect(said.join('')).toBe("it's in /usr\n");
    expect(new Set(groups).size).toBe(52);
    shell.close();
  },
);
