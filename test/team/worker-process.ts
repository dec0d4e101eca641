/** A worker in a process of its own: `node hands-process.ts '{"url": …}'`. It says `ready`, and works until it is killed. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../src/machine/time/clock.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { SharedResults, SharedStore } from '../../src/records/store/shared/index.ts';
import { SharedFolder } from '../../src/records/store/shared/shared-folder.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamQueue } from '../../src/team/queue/team-queue.ts';
import { TaskWorker } from '../../src/team/worker/task-worker.ts';

export interface WorkerProcess {
  readonly url: string;
  readonly schema: string;
  readonly queueSchema: string;
  /** Of this worker. */
  readonly folder: string;
  /** The team's store. */
  readonly store: string;
  readonly name: string;
  readonly atOnce: number;
  readonly beat: NonNullable<ConstructorParameters<typeof TeamQueue>[0]['beat']>;
}

const given = JSON.parse(process.argv[2] ?? '') as WorkerProcess;
const team = new TeamDatabase({ url: given.url, schema: given.schema, most: 4 });
const queue = new TeamQueue({
  ...{ url: given.url, schema: given.queueSchema, trouble: () => {}, works: true, beat: given.beat },
});
await queue.start();
const local = await LocalStore.open(join(given.folder, 'store'));
const place = new SharedFolder({ folder: given.store, clock: systemClock });
const shared = new SharedResults({ place, store: local, clock: systemClock, write: true });
const worker = new TaskWorker({
  ...{ team, queue, worker: given.name, atOnce: given.atOnce, folder: given.folder },
  ...{ environment: { PATH: process.env.PATH }, clock: systemClock, newId: randomUUID },
  storesFor: async () => ({ store: new SharedStore(local, shared), shared }),
});
await queue.workTasks(given.atOnce, job => worker.do(job));
process.stdout.write('ready\n');
