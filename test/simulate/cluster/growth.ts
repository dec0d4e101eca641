/** What a team of that shape comes to: carried out in virtual time, and counted. */

import { leadRun } from './lead.ts';
import { type Costs, OTHER_CONNECTIONS, type Shape } from './shape.ts';
import { SimulatedTeam, SimulatedWorker } from './team.ts';

export interface Growth {
  /** Hours until all is made; of a part, what all would take at its rate. */
  readonly hours: number;
  readonly made: number;
  /** Of the places at the service, for as long as anybody wanted one; 0 to 1. */
  readonly placesUsed: number;
  /** The service's own count. */
  readonly most: { readonly inFlight: number; readonly inAnySecond: number };
  /** How often the lock was asked for by whoever was then told to wait, for each that was admitted. */
  readonly refusals: number;
  /** Requests that are admitted together, on average. */
  readonly together: number;
  /** Of the time, 0 to 1: the lock of the key, the disk of the database, its processors, the busiest worker's thread. */
  readonly used: {
    readonly lock: number;
    readonly disk: number;
    readonly processors: number;
    readonly thread: number;
  };
  /** Milliseconds that the lock was waited for. */
  readonly lockWait: { readonly p50: number; readonly p95: number };
  readonly commitsPerSecond: number;
  readonly connections: number;
  /** Rows for each hour. */
  readonly rows: { readonly event: number; readonly told: number; readonly submission: number };
}

/** Things that may happen before it is taken for endless. */
const MOST = 2_500_000;
const HOUR = 3_600_000;

/** @param part of the requests, once half as many were admitted; absent: all, from the first to the last. */
export async function grow(
  shape: Shape,
  costs: Costs,
  { seed = 1, part }: { seed?: number; part?: number } = {},
): Promise<Growth> {
  const team = new SimulatedTeam(shape, costs, seed);
  const workers = Array.from({ length: shape.workers }, () => new SimulatedWorker(team));
  let begun = 0;
  let left = shape.runs;
  const leading = async (worker: SimulatedWorker) => {
    while (begun < shape.runs) {
      begun += 1;
      await leadRun(team, worker, `film-${begun}`);
      left -= 1;
    }
  };
  let failure: unknown;
  // Free leads of all workers take turns.
  Promise.all(Array.from({ length: shape.leads }, () => workers.map(leading)).flat()).catch(error => {
    failure = error;
  });
  const until = async (over: () => boolean) => {
    const how = await team.time.pass(() => over() || failure !== undefined, MOST);
    if (failure !== undefined) throw failure;
    if (how !== 'over') throw new Error(`it came to no end: ${how}, and ${left} runs are left`);
  };
  if (part !== undefined) await until(() => team.admitted >= part / 2);
  const before = counted(team, workers);
  await until(() => (part === undefined ? left === 0 : team.admitted >= part));
  const after = counted(team, workers);
  const over = (of: (counts: Counts) => number) => of(after) - of(before);
  const passed = over(counts => counts.at);
  const share = (of: (counts: Counts) => number) => over(of) / passed;
  const all = shape.runs * shape.instances;
  return {
    hours: (part === undefined ? passed : (passed * all) / over(counts => counts.admitted)) / HOUR,
    made: team.service.made,
    placesUsed: over(counts => counts.had) / over(counts => counts.places),
    most: team.service.most,
    refusals: over(counts => counts.refused) / over(counts => counts.admitted),
    together: over(counts => counts.admitted) / over(counts => counts.groups),
    used: {
      lock: share(counts => counts.lock),
      disk: share(counts => counts.disk),
      processors: share(counts => counts.processors) / shape.processors,
      thread: Math.max(...workers.map((_, n) => share(counts => counts.threads[n] ?? 0))),
    },
    lockWait: percentiles(team.database.lock.waits.slice(before.asked)),
    commitsPerSecond: share(counts => counts.commits) * 1_000,
    connections: workers.reduce((sum, { connections }) => sum + connections.most + OTHER_CONNECTIONS, 0),
    rows: {
      event: share(counts => counts.rows.event) * HOUR,
      told: share(counts => counts.rows.told) * HOUR,
      submission: share(counts => counts.rows.submission) * HOUR,
    },
  };
}

type Counts = ReturnType<typeof counted>;

function counted(
  { database, service, admitted, refused, groups, passed }: SimulatedTeam,
  workers: readonly SimulatedWorker[],
) {
  return {
    ...{ at: passed, admitted, refused, groups, asked: database.lock.waits.length, commits: database.commits },
    ...{ lock: database.lock.busy, disk: database.disk.busy, processors: database.processors.busy },
    ...{ had: service.places.had, places: service.places.all, rows: { ...database.rows } },
    threads: workers.map(({ thread }) => thread.busy),
  };
}

function percentiles(numbers: readonly number[]): { readonly p50: number; readonly p95: number } {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
