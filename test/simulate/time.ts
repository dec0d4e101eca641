/**
 * Time that passes by itself: when nobody can go on without it, it jumps to the next thing that is due. Hours take milliseconds.
 *
 * What is due belongs to a life (one process that runs the core). Code under test runs only in what such a thing sets off, so that
 * whoever asks for the time, a timer or the disk is known without asking; a life that has ended is simply not called any more.
 *
 * After each thing that was due all microtasks run dry: a tick that a microtask asks for comes after all of them, without a turn
 * of the event loop, which would cost ten times as much.
 */
import type { Clock } from '../../src/machine/time/clock.ts';

/** Somebody who may stop existing between any two steps. */
export interface Mortal {
  readonly dead: boolean;
  /** One more step; false when it is not lived to see. */
  step(what: string): boolean;
  /** Milliseconds that its wall clock is ahead of the true time. */
  readonly skew: number;
  /** Nothing of what comes due for it happens before: it was stopped, or its machine sleeps. Milliseconds of the true time. */
  readonly asleepUntil: number;
}

interface Due {
  at: number;
  order: number;
  readonly life: Mortal | undefined;
  readonly what: string;
  act: (() => void) | undefined;
}

export class Time {
  #now = Date.UTC(2026, 10, 20, 12);
  #order = 0;
  readonly #due: Due[] = [];
  /** Whose code is running. */
  #current: Mortal | undefined;
  /** How many things have come due. */
  happened = 0;

  get now(): number {
    return this.#now;
  }
  get current(): Mortal | undefined {
    return this.#current;
  }

  /** Calls later; the returned function calls it off. */
  after(ms: number, what: string, act: () => void, life?: Mortal): () => void {
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#order++, life, what, act };
    this.#push(due);
    return () => {
      due.act = undefined;
    };
  }

  /** A machine's clock: its wall time may be wrong, its sleeps are not: they count the time it is awake. */
  clockOf(life: Mortal): Clock {
    return {
      now: () => Math.floor(this.#now + life.skew),
      sleep: (ms, signal) =>
        new Promise(resolve => {
          if (life.dead) return;
          if (signal?.aborted) return resolve();
          const wake = () => {
            off();
            signal?.removeEventListener('abort', wake);
            resolve();
          };
          const off = this.after(ms, 'sleep', wake, life);
          signal?.addEventListener('abort', wake, { once: true });
        }),
    };
  }

  /** Lets everything happen, one after the other, until `over` says so or nothing is due any more. */
  async pass(over: () => boolean, most: number): Promise<'over' | 'nothing due' | 'too much'> {
    const end = this.happened + most;
    installTimers();
    running = this;
    try {
      return await new Promise((resolve, reject) => {
        const next = () => {
          this.#current = undefined;
          try {
            if (over()) return resolve('over');
            if (this.happened >= end) return resolve('too much');
            const due = this.#pop();
            if (!due) return resolve('nothing due');
            this.#now = due.at;
            this.happened += 1;
            if (due.life && due.life.asleepUntil > due.at) {
              Object.assign(due, { at: due.life.asleepUntil, order: this.#order++ });
              this.#push(due);
              return afterMicrotasks(next);
            }
            if (due.life === undefined || due.life.step(due.what)) {
              this.#current = due.life;
              due.act?.();
            }
          } catch (error) {
            return reject(error);
          }
          afterMicrotasks(next);
        };
        afterMicrotasks(next);
      });
    } finally {
      running = undefined;
      this.#current = undefined;
    }
  }

  #push(due: Due): void {
    const heap = this.#due;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(due, heap[parent] as Due)) break;
      heap[at] = heap[parent] as Due;
      at = parent;
    }
    heap[at] = due;
  }

  /** The next that was not called off and whose life goes on. */
  #pop(): Due | undefined {
    for (;;) {
      const heap = this.#due;
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return undefined;
      if (heap.length > 0) sink(heap, last);
      if (first.act && !first.life?.dead) return first;
    }
  }
}

const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function sink(heap: Due[], due: Due): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
    if (!isBefore(heap[child] as Due, due)) break;
    heap[at] = heap[child] as Due;
    at = child;
  }
  heap[at] = due;
}

const tick = process.nextTick;
const afterMicrotasks = (next: () => void): void => queueMicrotask(() => tick(next));

let running: Time | undefined;
let installed = false;

/** What the core and its libraries ask of Node's own timers while a life runs comes from the passing time as well. */
function installTimers(): void {
  if (installed) return;
  installed = true;
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setImmediate: globalThis.setImmediate,
    clearImmediate: globalThis.clearImmediate,
  };
  const mine = () => (running?.current ? { time: running, life: running.current } : undefined);
  const set = (delay: (ms: unknown) => number, own: (...given: never[]) => unknown) =>
    ((act: (...args: unknown[]) => void, ...rest: unknown[]) => {
      const here = mine();
      if (!here) return own(...([act, ...rest] as never[]));
      return new Timer(here.time.after(delay(rest[0]), 'timer', act, here.life));
    }) as unknown;
  const clear = (own: (timer: never) => void) =>
    ((timer: unknown) => (timer instanceof Timer ? timer.off() : own(timer as never))) as unknown;
  Object.assign(globalThis, {
    setTimeout: set(ms => Number(ms ?? 1), real.setTimeout as never),
    clearTimeout: clear(real.clearTimeout as never),
    setImmediate: set(() => 0, real.setImmediate as never),
    clearImmediate: clear(real.clearImmediate as never),
  });
}

class Timer {
  readonly off: () => void;
  constructor(off: () => void) {
    this.off = off;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
