/** The service, which counts by itself what it is sent: the most at once, of each model, and in any second. */
import type { Dice } from '../dice.ts';
import type { Time } from '../time.ts';
import type { Shape } from './shape.ts';
import { pause } from './stations.ts';

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
