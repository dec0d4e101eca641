/** How close a run comes to what the queue itself allows, and how often it asks. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Dice } from '../simulate/dice.ts';
import { pictures } from './films.ts';
import { type Bench, type Case, type Measured, run } from './measure.ts';
import { listSchedule, queueStub } from './queue-stub.ts';

const SLOTS = 16;

interface Jobs {
  readonly called: string;
  readonly count: number;
  /** Milliseconds that the shortest and the longest generation take. */
  readonly took: readonly [number, number];
  readonly events: boolean;
  /** Times the list schedule, and requests for each generation. */
  readonly aims: { readonly over: number; readonly requests: number };
}

const LONG = { count: 200, took: [2_000, 8_000] } as const;

const jobs: readonly Jobs[] = [
  { ...LONG, called: 'queue of 200, with the event stream', events: true, aims: { over: 1.01, requests: 2.02 } },
  { ...LONG, called: 'queue of 200, without the event stream', events: false, aims: { over: 1.02, requests: 4 } },
  {
    ...{ called: 'queue of 400 of 200 ms', count: 400, took: [200, 200], events: true },
    aims: { over: 1.1, requests: 2.02 },
  },
];

export const queueCases: readonly Case[] = jobs.map(some => ({
  name: some.called,
  measure: bench => queue(bench, some),
}));

async function queue(bench: Bench, { called, count, took, events, aims }: Jobs): Promise<readonly Measured[]> {
  // Tenth the time is not a tenth of the trouble: a quick run shows the start of the process more than anything else.
  const scale = bench.quick ? 0.1 : 1;
  const [shortest, longest] = took;
  const dice = new Dice(7);
  const durations = Array.from({ length: count }, () => (shortest + (longest - shortest) * dice.next()) * scale);
  const cwd = await mkdtemp(join(bench.scratch, 'queue-'));
  await mkdir(join(cwd, '.shotlist'));
  await writeFile(join(cwd, 'film.yaml'), pictures(durations.length));
  const stub = await queueStub({ slots: SLOTS, durations, events });
  try {
    const argv = [process.execPath, bench.shotlist, 'run', 'film.yaml', '--ui', 'quiet'];
    const began = performance.now();
    const { ms } = await run({ argv, cwd, env: { SHOTLIST_BASE_URL: stub.url, SHOTLIST_API_KEY: 'bench' } });
    const asked = Object.values(stub.requests).reduce((sum, requests) => sum + requests, 0) / durations.length;
    const note = Object.entries(stub.requests)
      .map(([what, requests]) => `${what} ${requests}`)
      .join(', ');
    const start = Math.round((stub.firstSubmit ?? began) - began);
    return [
      {
        name: `${called}, over the ideal`,
        floor: [listSchedule(durations, SLOTS) / 1_000],
        ours: [ms / 1_000],
        unit: 's',
        ...(bench.quick ? {} : { aim: aims.over }),
        note: `${start} ms from the start of the process to the first submission`,
      },
      { name: `${called}, per generation`, ours: [asked], unit: 'requests', aim: aims.requests, note },
    ];
  } finally {
    await stub.stop();
  }
}
