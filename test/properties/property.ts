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
