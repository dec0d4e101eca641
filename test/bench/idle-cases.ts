/** What a team costs its database while nothing is to be done: transactions, processor time, connections. One worker, and ten. */
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { processorTimeOf } from '../support/processor-of.ts';
import type { Bench, Case, Measured } from './measure.ts';

export const idleCases: readonly Case[] = [{ name: 'team at rest', measure }];

async function measure({ quick }: Bench): Promise<readonly Measured[]> {
  const team = await TeamStage.open('durable');
  try {
    const found: Measured[] = [];
    let workers = 0;
    for (const count of quick ? [1] : [1, 10]) {
      for (; workers < count; workers++) await team.worker('--hands', '4');
      found.push(...(await atRest(team, count, quick ? 3 : 20)));
    }
    return found;
  } finally {
    await team.close();
  }
}

async function atRest(team: TeamStage, workers: number, seconds: number): Promise<readonly Measured[]> {
  // What they do when they begin is over.
  await pause(5);
  const began = await counted(team);
  await pause(seconds);
  const ended = await counted(team);
  const each = (of: (counts: Counts) => number) => (of(ended) - of(began)) / ((ended.at - began.at) / 1_000);
  const name = `team at rest, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  return [
    { name: `${name}, transactions a second`, ours: [each(({ transactions }) => transactions)], unit: 'requests' },
    { name: `${name}, processor of the database`, ours: [each(({ worked }) => worked) / 10], unit: '%' },
    { name: `${name}, connections`, ours: [ended.connections], unit: 'lines' },
  ];
}

type Counts = Awaited<ReturnType<typeof counted>>;

async function counted({ database: { url }, postgres }: TeamStage) {
  const database = new TeamDatabase({ url, most: 1 });
  try {
    const [row] = await database.query<{ transactions: number; connections: number }>(
      `SELECT xact_commit + xact_rollback AS transactions,
         (SELECT count(*) FROM pg_stat_activity WHERE application_name IN ('shotlist worker', 'shotlist queue')) AS connections
       FROM pg_stat_database WHERE datname = current_database()`,
    );
    if (!row) throw new Error('the database told nothing');
    return { at: performance.now(), worked: processorTimeOf(postgres.pid()), ...row };
  } finally {
    await database.close();
  }
}

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, 1_000 * seconds));
