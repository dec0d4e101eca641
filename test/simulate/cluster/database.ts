/** A team's database in virtual time: the lock of a key, one group of admissions at a time; the disk, which syncs commits; and processors. */
import type { Time } from '../time.ts';
import type { Cost, Costs } from './costs.ts';
import { pause, Stations } from './stations.ts';

export class Database {
  readonly lock: Stations;
  readonly disk: Stations;
  readonly processors: Stations;
  commits = 0;
  readonly rows = { event: 0, told: 0, submission: 0 };
  readonly #time: Time;
  readonly #costs: Costs;

  constructor(time: Time, costs: Costs, processors: number) {
    this.#time = time;
    this.#costs = costs;
    this.lock = new Stations(time, 1, 'watched');
    this.disk = new Stations(time, 1);
    this.processors = new Stations(time, processors);
  }

  /** One transaction, asked for by that thread. */
  async does(cost: Cost, thread: Stations): Promise<void> {
    await thread.hold(cost.thread);
    await this.processors.hold(cost.processor);
    await this.disk.hold(this.#costs.commit);
    const rest = cost.wall - cost.thread - cost.processor - this.#costs.commit;
    if (rest > 0) await pause(this.#time, rest);
    this.commits += 1;
  }
}
