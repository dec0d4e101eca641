/** When the events of a team's film are kept: in groups, one after the other, in the order in which they were written. */
import type { Clock } from '../../machine/time/clock.ts';

interface GroupsOf {
  readonly clock: Pick<Clock, 'now'>;
  /** Runs this a moment later. Absent: by a timer, and the groups of a busy film lie apart. */
  readonly later?: ((work: () => void) => void) | undefined;
  /** The number of events that are not kept for certain; undefined: nothing is to be kept. */
  readonly waiting: () => number | undefined;
  readonly keep: () => Promise<void>;
}

/** Milliseconds that an event waits for others to share a commit with, where no caller asks for it to be durable. */
const MOMENT = 25;
/** Milliseconds between the groups of a film of which each holds several events. */
const [MIN_APART, MAX_APART] = [10, 40];

export class KeptGroups {
  readonly #of: GroupsOf;
  isClosed = false;
  /** Resolves when nothing is being kept. */
  turn: Promise<void> = Promise.resolve();
  #shared: Promise<void> | undefined;
  #isDue = false;
  /** When the last group began to be kept: Unix milliseconds of this machine. */
  #keptAt = 0;
  /** Milliseconds from there until the next group. */
  #apart = 0;

  constructor(of: GroupsOf) {
    this.#of = of;
  }

  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const later = this.#of.later ?? (work => void setTimeout(work, MOMENT));
    later(() => {
      this.#isDue = false;
      if (!this.isClosed) void this.durable().catch(() => {});
    });
  }

  /** The groups of a busy film move apart while each holds several events. What an idle one writes is kept at once. */
  durable(): Promise<void> {
    this.#shared ??= this.#next();
    return this.#shared;
  }

  /** Waits until no other group is being kept. Returns how to let the next one begin. */
  async enterTurn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.turn;
    this.turn = promise;
    await before;
    return resolve;
  }

  async #next(): Promise<void> {
    const { clock, later, waiting, keep } = this.#of;
    const since = clock.now() - this.#keptAt;
    if (!later && since >= 0 && since < this.#apart && !this.isClosed)
      await new Promise<void>(resolve => void setTimeout(resolve, this.#apart - since));
    const leave = await this.enterTurn();
    try {
      this.#shared = undefined;
      const events = waiting();
      if (events === undefined) return;
      this.#keptAt = clock.now();
      this.#apart =
        events > 1 ? Math.min(MAX_APART, Math.max(MIN_APART, 2 * this.#apart)) : Math.floor(this.#apart / 2);
      await keep();
    } finally {
      leave();
    }
  }
}
