/** A turn that was given to a worker which is gone is somebody else's soon, also where that one is gone before it began. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { BEAT, TeamQueue } from '../../src/team/queue/team-queue.ts';
import { Troubles } from '../../src/team/tasks/troubles.ts';
import { databaseForTests } from './team-world.ts';

const opened = databaseForTests();
let database: TeamDatabase;
const queues: TeamQueue[] = [];
beforeAll(() => {
  database = new TeamDatabase({ url: opened().url, most: 2 });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('DELETE FROM pgboss.job');
});
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop(0);
});

/** The queue itself looks for nothing, and nobody looks into it unasked. */
async function openQueue(works?: true): Promise<TeamQueue> {
  const beat = { ...BEAT, supervise: 3_600, poll: 3_600 };
  const queue = new TeamQueue({ url: opened().url, trouble: () => {}, beat, ...(works && { works }) });
  queues.push(queue);
  await queue.start();
  return queue;
}

/** Some worker has taken it, so many seconds ago, and beaten last so many seconds ago. */
const taken = (ago: number, beaten: number) =>
  database.query(
    `UPDATE pgboss.job SET state = 'active', started_on = now() - $1 * interval '1 second',
       heartbeat_on = now() - $2 * interval '1 second' WHERE name = 'lead.v1' AND data ->> 'run' = 'fox'`,
    [ago, beaten],
  );
const states = async () =>
  (await database.query<{ state: string }>("SELECT state::text AS state FROM pgboss.job WHERE name = 'lead.v1'")).map(
    ({ state }) => state,
  );

describe('a turn', () => {
  test.each<readonly [string, number, number, number]>([
    ['that was taken a moment ago is left alone', 5, 5, 0],
    ['that was never beaten for is lost as soon as a first beat is late', 8, 8, 1],
    ['whose worker has beaten once is left alone until it has not beaten for seven seconds', 18, 6, 0],
    ['whose worker beats no more is lost', 60, 8, 1],
  ])('%s', async (_name, ago, beaten, back) => {
    const queue = await openQueue();
    await queue.lead('fox');
    await taken(ago, beaten);
    expect(await queue.requeueLost()).toHaveLength(back);
    expect(await states()).toEqual([back === 0 ? 'active' : 'retry']);
    expect(await queue.requeueLost()).toEqual([]);
    const [job] = await database.query<{ id: string }>("SELECT id FROM pgboss.job WHERE name = 'lead.v1'");
    const without = await queue.withoutWorker([job?.id ?? '', 'unknown']);
    expect([...without.keys()]).toEqual([...(back === 0 ? [] : [job?.id]), 'unknown']);
    // Since it was lost, however long ago it was taken.
    expect(without.get(job?.id ?? '') ?? 0).toBeLessThan(5_000);
  });

  test('that is brought back is had by whoever is free at once, and not at its next look', async () => {
    const [queue, free] = [await openQueue(), await openQueue(true)];
    const led: string[] = [];
    const first = Promise.withResolvers<void>();
    await free.workLeads(1, async ({ run }) => {
      led.push(run);
      first.resolve();
    });
    // Its first look found nothing, and the next is in an hour.
    await queue.lead('owl');
    await first.promise;
    await database.query('UPDATE pgboss.queue SET notify = false');
    await queue.lead('fox', { after: 3_600 });
    await taken(8, 8);
    expect(await queue.requeueLost()).toHaveLength(1);
    await expect.poll(() => led).toEqual(['owl', 'fox']);
  });
});

test('a worker says that all is well again when nothing waits any more, and not because one of two things goes on', () => {
  const told: (string | undefined)[] = [];
  const troubles = new Troubles(message => void told.push(message));
  troubles.report('tasks of fox', 'the store: no space');
  for (const other of ['database', 'journal of owl']) {
    troubles.report(other, undefined);
    troubles.report(other, 'no connection');
    troubles.report(other, undefined);
  }
  expect(told).toEqual(['the store: no space']);
  troubles.report('tasks of fox', undefined);
  expect(told).toEqual(['the store: no space', undefined]);
});
