/**
 * A team's database in virtual time: the lock of a key, one admission at a time; commits that tell others something, one at a time as well
 * (PostgreSQL holds a lock of the whole server from a NOTIFY to the end of its commit); and processors.
 */
import type { Time } from '../time.ts';
import type { Cost, Costs } from './costs.ts';
import { pause, Stations } from './stations.ts';

export class Database {
  readonly lock: Stations;
  readonly notices: Stations;
  readonly processors: Stations;
  commits = 0;
  readonly rows = { event: 0, told: 0, submission: 0 };
  readonly #time: Time;
  readonly #costs: Costs;

  constructor(time: Time, costs: Costs, processors: number) {
    this.#time = time;
    this.#costs = costs;
    this.lock = new Stations(time, 1, 'watched');
    this.notices = new Stations(time, 1);
    this.processors = new Stations(time, processors);
  }

  /** One transaction, asked for by that thread. */
  async does(cost: Cost, thread: Stations, how: 'tells others' | 'tells nobody'): Promise<void> {
    await thread.hold(cost.thread);
    await this.processors.hold(cost.processor);
    const notifying = how === 'tells others' ? this.#costs.notifying : 0;
    if (notifying > 0) await this.notices.hold(notifying);
    const rest = cost.wall - cost.thread - cost.processor - notifying;
    if (rest > 0) await pause(this.#time, rest);
    this.commits += 1;
  }
}
