/**
 * How properties are tried out: the same films every day, unless `PROPERTY_SEED` names another seed; a few of them, unless `PROPERTY_RUNS`
 * says how many times as many (`npm run properties`). What breaks a property is told as the smallest film that does, as its author would
 * write it.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { type Film, yamlOf } from './film.ts';

const times = Number(process.env.PROPERTY_RUNS ?? 1);
const seed = Number(process.env.PROPERTY_SEED ?? 2026);

/** A test that tries so many films in `npm test`. Its name says how many. */
export function property<Given extends [Film, ...unknown[]]>(
  what: string,
  films: number,
  given: { readonly [At in keyof Given]: fc.Arbitrary<Given[At]> },
  check: (...given: Given) => void | Promise<void>,
): void {
  test(`${what} (${films * times} films)`, () => holds(films * times, given, check));
}

async function holds<Given extends [Film, ...unknown[]]>(
  films: number,
  given: { readonly [At in keyof Given]: fc.Arbitrary<Given[At]> },
  check: (...given: Given) => void | Promise<void>,
): Promise<void> {
  const checked = fc.asyncProperty(fc.tuple(...(given as unknown as fc.Arbitrary<unknown>[])), async one => {
    await check(...(one as unknown as Given));
  });
  const told = await fc.check(checked, { numRuns: films, seed, endOnFailure: false });
  if (!told.failed) return;
  const [film, ...rest] = (told.counterexample as unknown as [Given])[0];
  const { errorInstance } = told;
  const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const also = rest.length > 0 ? `\n${JSON.stringify(rest)}` : '';
  throw new Error(
    `seed ${told.seed}, after ${told.numRuns} films, made smaller ${told.numShrinks} times: ${what}\n\n${yamlOf(film)}${also}`,
    {
      cause: errorInstance,
    },
  );
}

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
