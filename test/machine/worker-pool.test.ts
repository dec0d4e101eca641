import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerPool, type WorkerPoolOptions } from '../../src/machine/process/worker-pool.ts';
import { type JobTerms, residentBytes } from '../../src/machine/process/worker-process.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';

const PROGRAM = new URL('../../src/machine/process/worker-program.ts', import.meta.url);
const ERRORS = new URL('../../src/machine/error-code.ts', import.meta.url);

/** A program that does what its job says. */
const OBEDIENT = `
  import { stackOf } from ${JSON.stringify(ERRORS.href)};
  import { serveJobs } from ${JSON.stringify(PROGRAM.href)};
  const held = [];
  serveJobs({
    execute: async (order, progress) => {
      if (order === 'spin') for (;;);
      if (order === 'refuse') throw new Error('no');
      if (order === 'stumble') throw new TypeError('oh');
      if (order === 'leave') process.exit(4);
      if (order === 'grow') for (;;) { held.push(Buffer.alloc(8e6, 1)); await new Promise(resolve => setTimeout(resolve, 5)); }
      for (const fraction of [0.5, 0.2, 0.501, 1]) progress(fraction);
      return process.pid;
    },
    explain: error => (error instanceof TypeError ? { message: 'our fault', bug: error.name } : { message: error.message }),
    leaveAfter: 60_000,
  });
`;

async function pool(options: Partial<WorkerPoolOptions<string>> = {}) {
  const entry = join(await temporaryFolder(), 'obedient.mjs');
  await writeFile(entry, OBEDIENT);
  const log: string[] = [];
  const workers = new WorkerPool<string, number>({
    program: { entry, name: 'hand', log: line => log.push(line) },
    ...options,
  });
  onTestFinished(() => workers.close());
  const clock = new FakeClock();
  const ask = (job: string, terms: Partial<JobTerms> = {}) =>
    workers.execute(job, {
      name: job,
      clock,
      deadline: 5_000,
      signal: new AbortController().signal,
      ...terms,
    });
  return { workers, ask, clock, log };
}

test('a job comes back with its result, told by whole percents and never backwards', async () => {
  const { ask } = await pool();
  const told: number[] = [];
  const first = await ask('work', { progress: fraction => told.push(fraction) });
  expect([first, told]).toEqual([{ is: 'done', result: expect.any(Number) }, [0.5, 1]]);
  expect(await ask('work')).toEqual(first);
});

test('a refusal and a bug leave the worker warm, and the bug is logged', async () => {
  const { ask, log } = await pool();
  const first = await ask('work');
  expect(await ask('refuse')).toEqual({ is: 'failed', message: 'no' });
  expect(await ask('stumble')).toEqual({ is: 'failed', message: 'our fault', bug: 'TypeError' });
  expect([await ask('work'), log]).toEqual([first, ['stumble: TypeError']]);
});

test('a worker past its deadline is ended', async () => {
  const { ask, clock } = await pool();
  await ask('work');
  const late = ask('spin');
  await clock.advance(await clock.asleep());
  expect(await late).toEqual({ is: 'too late' });
});

test('a worker that holds more memory than it may is ended', async ({ skip }) => {
  if (platform() !== 'linux') skip('the system does not tell');
  const { ask } = await pool();
  const mostMemory = 300e6;
  const outcome = await ask('grow', { clock: systemClock, deadline: 60_000, mostMemory });
  expect(outcome).toEqual({ is: 'too large', bytes: expect.any(Number) });
  expect((outcome as { bytes: number }).bytes).toBeGreaterThan(mostMemory);
  expect(await residentBytes(2 ** 22 + 1)).toBe(null);
});

test('a worker that leaves is told with its code, and is asked again where that is worth it', async () => {
  const { ask, log } = await pool();
  expect(await ask('leave')).toEqual({ is: 'crashed', how: 'ended with code 4', signal: null });
  expect(log).toEqual(['leave: the hand ended with code 4']);
  const asked: string[] = [];
  const stubborn = await pool({ again: ({ how }) => asked.push(how) > 0 });
  await stubborn.ask('leave');
  expect([asked, stubborn.log.length]).toEqual([['ended with code 4'], 2]);
});

test('an abort is thrown when the worker has ended', async () => {
  const { ask } = await pool();
  const stop = new AbortController();
  const stopped = ask('spin', { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});

test('a closed pool takes no job', async () => {
  const { ask, workers } = await pool();
  await workers.close();
  await expect(ask('work')).rejects.toThrow('a hand was asked for after its pool closed');
});
