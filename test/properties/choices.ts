/**
 * Chance as a list of small numbers, so that fast-check can shrink whatever is built from it: fewer numbers and smaller ones are simpler,
 * and where they run out everything is the simplest there is.
 */
export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** From 0, never `count` itself. */
  below(count: number): number {
    const number = this.#numbers[this.#at++] ?? 0;
    return number % count;
  }

  /** One in `of`; never where the numbers have run out. */
  oneIn(of: number): boolean {
    return this.below(of) === of - 1;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }
}
