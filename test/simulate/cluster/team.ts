/** A team in virtual time: its database, its workers, its service, and what is counted of them. */
import { Dice } from '../dice.ts';
import { Time } from '../time.ts';
import { SharedLedger } from './ledger.ts';
import type { Cost, Costs, Shape } from './shape.ts';

export class Stations {
  /** Milliseconds for which they were had, all together. */
  busy = 0;
  /** The most that were had at once. */
  most = 0;
  /** Milliseconds that each of them was waited for, while it is watched. */
  readonly waits: number[] = [];
  readonly #time: Time;
  readonly #count: number;
  readonly #queue: (() => void)[] = [];
  readonly #isWatched: boolean;
  #taken = 0;

  constructor(time: Time, count: number, watched?: 'watched') {
    this.#time = time;
    this.#count = count;
    this.#isWatched = watched !== undefined;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async acquire(): Promise<void> {
    const began = this.#time.now;
    if (this.#taken < this.#count) this.#taken += 1;
    else await new Promise<void>(resolve => this.#queue.push(resolve));
    this.most = Math.max(this.most, this.#taken);
    if (this.#isWatched) this.waits.push(this.#time.now - began);
  }

  release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  /** Has one of them for so many milliseconds. */
  async hold(ms: number): Promise<void> {
    await this.acquire();
    await pause(this.#time, ms);
    this.busy += ms;
    this.release();
  }

  /** Has one of them for as long as the work takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    const began = this.#time.now;
    try {
      return await work();
    } finally {
      this.busy += this.#time.now - began;
      this.release();
    }
  }
}

export const pause = (time: Time, ms: number): Promise<void> =>
  new Promise(resolve => void time.after(ms, 'pause', resolve));

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

class Database {
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

export class Service {
  readonly most = { inFlight: 0, inAnySecond: 0 };
  made = 0;
  readonly #time: Time;
  readonly #dice: Dice;
  readonly #shape: Shape;
  readonly #lastSecond: number[] = [];
  #inFlight = 0;
  #wanted = 0;
  #since = 0;
  /** Milliseconds of places that were had, and of all that there are, for as long as somebody wanted one. */
  readonly places = { had: 0, all: 0 };

  constructor(time: Time, dice: Dice, shape: Shape) {
    this.#time = time;
    this.#dice = dice;
    this.#shape = shape;
  }

  /** It arrives somewhere between being sent and being answered. Resolves with the answer. */
  async post(): Promise<{ readonly made: Promise<void> }> {
    const { post } = this.#shape;
    const arrives = post * this.#dice.next();
    await pause(this.#time, arrives);
    const made = this.#make();
    await pause(this.#time, post - arrives);
    return { made };
  }

  /** More requests, or fewer, are to be sent as soon as there is a place. */
  wanted(more: number): void {
    this.#changes();
    this.#wanted += more;
  }

  #changes(): void {
    const { now } = this.#time;
    if (this.#wanted > 0) {
      this.places.had += this.#inFlight * (now - this.#since);
      this.places.all += this.#shape.inFlight * (now - this.#since);
    }
    this.#since = now;
  }

  async #make(): Promise<void> {
    const { now } = this.#time;
    while ((this.#lastSecond[0] ?? now) <= now - 1_000) this.#lastSecond.shift();
    this.#lastSecond.push(now);
    this.#changes();
    this.#inFlight += 1;
    this.most.inFlight = Math.max(this.most.inFlight, this.#inFlight);
    this.most.inAnySecond = Math.max(this.most.inAnySecond, this.#lastSecond.length);
    const takes = this.#shape.generation * 1_000 * (0.5 + this.#dice.next());
    await pause(this.#time, takes);
    this.#changes();
    this.#inFlight -= 1;
    this.made += 1;
  }
}
