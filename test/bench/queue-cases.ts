/** How close a run comes to what the queue itself allows, and how often it asks. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictures } from './films.ts';
import { type Bench, type Case, type Measured, run } from './measure.ts';
import { listSchedule, queueStub } from './queue-stub.ts';

const SLOTS = 16;

export const queueCases: readonly Case[] = [
  { name: 'queue of 200, with the event stream', measure: bench => queue(bench, true) },
  { name: 'queue of 200, without the event stream', measure: bench => queue(bench, false) },
];

async function queue(bench: Bench, events: boolean): Promise<readonly Measured[]> {
  // Tenth the time is not a tenth of the trouble: a quick run shows the start of the process more than anything else.
  const scale = bench.quick ? 0.1 : 1;
  const durations = seeded(200).map(random => (2_000 + 6_000 * random) * scale);
  const cwd = await mkdtemp(join(bench.scratch, 'queue-'));
  await mkdir(join(cwd, '.shotlist'));
  await writeFile(join(cwd, 'film.yaml'), pictures(durations.length));
  const stub = await queueStub({ slots: SLOTS, durations, events });
  try {
    const argv = [process.execPath, bench.shotlist, 'run', 'film.yaml', '--ui', 'quiet'];
    const { ms } = await run({ argv, cwd, env: { SHOTLIST_BASE_URL: stub.url, SHOTLIST_API_KEY: 'bench' } });
    const asked = Object.values(stub.requests).reduce((sum, count) => sum + count, 0) / durations.length;
    const how = events ? 'with' : 'without';
    const note = Object.entries(stub.requests)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ');
    return [
      {
        name: `queue of 200, ${how} the event stream, over the ideal`,
        floor: [listSchedule(durations, SLOTS) / 1_000],
        ours: [ms / 1_000],
        unit: 's',
        ...(bench.quick ? {} : { aim: events ? 1.01 : 1.02 }),
      },
      {
        name: `queue of 200, ${how} the event stream, per generation`,
        ours: [asked],
        unit: 'requests',
        aim: events ? 2.02 : 4,
        note,
      },
    ];
  } finally {
    await stub.stop();
  }
}

/** The same numbers from 0 to 1 every time (mulberry32). */
function seeded(count: number): readonly number[] {
  let state = 7;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  });
}
