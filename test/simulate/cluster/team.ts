/** A team in virtual time: its database, its workers, its service, and what is counted of them. */
import { Dice } from '../dice.ts';
import { Time } from '../time.ts';
import type { Costs } from './costs.ts';
import { Database } from './database.ts';
import { SharedLedger } from './ledger.ts';
import { Service } from './service.ts';
import type { Shape } from './shape.ts';
import { pause, Stations } from './stations.ts';

/** Milliseconds from a commit to those that listen. */
const HEARD = 2;

export class SimulatedTeam {
  readonly time = new Time();
  readonly dice: Dice;
  readonly shape: Shape;
  readonly costs: Costs;
  readonly database: Database;
  readonly ledger = new SharedLedger(this.time);
  readonly service: Service;
  /** Requests that were admitted, the groups that they asked in, and groups of which none was admitted. */
  admitted = 0;
  refused = 0;
  groups = 0;
  readonly #listening = new Set<{ left: number; readonly wake: () => void }>();
  readonly #began = this.time.now;

  constructor(shape: Shape, costs: Costs, seed: number) {
    this.shape = shape;
    this.costs = costs;
    this.dice = new Dice(seed);
    this.database = new Database(this.time, costs, shape.processors);
    this.service = new Service(this.time, this.dice.fork('service'), shape);
  }

  /** Milliseconds since it began. */
  get passed(): number {
    return this.time.now - this.#began;
  }

  /** Whoever waits for a place looks again. */
  freed(): void {
    this.time.after(HEARD, 'freed', () => {
      for (const one of [...this.#listening]) if (--one.left <= 0) one.wake();
    });
  }

  /** Until so many places are free, for this many milliseconds at most. */
  changed(ms: number, places = 1): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        off();
        this.#listening.delete(one);
        resolve();
      };
      const off = this.time.after(ms, 'look', wake);
      const one = { left: places, wake };
      this.#listening.add(one);
    });
  }

  pause(ms: number): Promise<void> {
    return pause(this.time, ms);
  }
}

/** One machine of a team: what its leads share. */
export class SimulatedWorker {
  readonly connections: Stations;
  readonly thread: Stations;
  readonly hands: Stations;

  constructor({ time, shape }: SimulatedTeam) {
    this.connections = new Stations(time, shape.connections);
    this.thread = new Stations(time, 1);
    this.hands = new Stations(time, shape.hands);
  }
}
