import { expect, test } from 'vitest';
import { clockOver, systemClock, type Timer } from '../../src/machine/time/clock.ts';

/** Wakes when the test says so, and never waits longer than a machine's timer can. */
class HeldTimer implements Timer {
  readonly waits: number[] = [];
  #wake: (() => void) | undefined;
  #date = 0;

  now(): number {
    return this.#date;
  }

  after(ms: number, wake: () => void): () => void {
    this.waits.push(ms);
    // Node fires at once when a wait does not fit.
    if (ms > 2 ** 31 - 1) wake();
    else this.#wake = wake;
    return () => {
      this.#wake = undefined;
    };
  }

  get isWaiting(): boolean {
    return this.#wake !== undefined;
  }

  /** The wait is over, after the clock on the wall has moved by so much. */
  fire(wall: number): void {
    this.#date += wall;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

const HOUR = 3_600_000;

/** Says whether it has woken. */
function sleeper(timer: Timer, ms: number, signal?: AbortSignal) {
  const state = { awake: false, done: Promise.resolve() };
  state.done = clockOver(timer)
    .sleep(ms, signal)
    .then(() => {
      state.awake = true;
    });
  return state;
}
const settled = () => new Promise<void>(resolve => setImmediate(resolve));

test('600 hours are waited for, in waits that a timer can hold', async () => {
  const timer = new HeldTimer();
  const sleeping = sleeper(timer, 600 * HOUR);
  while (timer.isWaiting) {
    expect(sleeping.awake).toBe(false);
    timer.fire(timer.waits.at(-1) ?? 0);
  }
  await sleeping.done;
  expect(timer.waits.reduce((sum, ms) => sum + ms, 0)).toBe(600 * HOUR);
});

test('a laptop that was shut for a night has not waited that night', async () => {
  const timer = new HeldTimer();
  const sleeping = sleeper(timer, 60_000);
  timer.fire(8 * HOUR);
  await settled();
  expect([sleeping.awake, timer.isWaiting]).toStrictEqual([false, true]);
  for (let left = 45_000; left > 0; left -= timer.waits.at(-1) ?? 0) timer.fire(timer.waits.at(-1) ?? 0);
  await sleeping.done;
  expect(timer.waits).toStrictEqual([15_000, 15_000, 15_000, 15_000]);
});

test('the end of the wait comes at once when it is called off, in whichever slice', async () => {
  const timer = new HeldTimer();
  const off = new AbortController();
  const sleeping = sleeper(timer, HOUR, off.signal);
  timer.fire(15_000);
  timer.fire(15_000);
  off.abort();
  await sleeping.done;
  expect(timer.isWaiting).toBe(false);
});

test('no time is waited for in one turn, and an aborted signal in none', async () => {
  const timer = new HeldTimer();
  for (const ms of [0, -5, Number.NaN]) {
    const sleeping = sleeper(timer, ms);
    timer.fire(0);
    await sleeping.done;
  }
  expect(timer.waits).toStrictEqual([0, 0, 0]);
  await clockOver(timer).sleep(HOUR, AbortSignal.abort());
  expect(timer.waits.length).toBe(3);
});

test('the real clock sleeps and tells the date', async () => {
  const before = systemClock.now();
  await systemClock.sleep(1);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});
