/** What filling a schema is made of: choices that can be made again another way, and the knowledge that a way leads nowhere. */
import type { Json } from '../../domain/json.ts';

export class Impossible extends Error {}

/** Each choice takes the next number of a list, and 0 when it has run out; how many there were of each is remembered. */
export class Choices {
  readonly sizes: number[] = [];
  readonly #taken: readonly number[];

  constructor(taken: readonly number[]) {
    this.#taken = taken;
  }

  pick(size: number): number {
    const at = this.sizes.push(size) - 1;
    return Math.min(this.#taken[at] ?? 0, size - 1);
  }
}

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
