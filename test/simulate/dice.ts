/** Chance that can be told again: the same seed throws the same dice, whatever the others throw meanwhile. */
export class Dice {
  #state: number;

  constructor(seed: number | string) {
    this.#state = typeof seed === 'number' ? seed >>> 0 : hash(seed);
    // Neighbouring seeds begin alike.
    for (let warm = 0; warm < 4; warm++) this.next();
  }

  /** From 0 to 1, never 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** From 0, never `count` itself. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** From once to `most` times. */
  times(most: number, act: () => void): void {
    for (let left = this.between(1, most); left > 0; left--) act();
  }

  /** Each with this chance. */
  some<T>(from: readonly T[], p: number): T[] {
    return from.filter(() => this.chance(p));
  }

  /** Dice of their own, so that one more throw here changes nothing there. */
  fork(name: string): Dice {
    return new Dice(`${this.#state} ${name}`);
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h >>> 0;
}
