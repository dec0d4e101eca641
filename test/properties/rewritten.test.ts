/** What changes nothing for a reader changes nothing for the bill: names, order, YAML's styles. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import { plan } from '../../src/plan/plan.ts';
import { contextOf } from '../plan/support.ts';
import { Choices } from './choices.ts';
import { doneFor } from './events.ts';
import { documentOf, formatted, yamlOf } from './film-yaml.ts';
import { property } from './property.ts';
import { cachedFilm, canBeMade } from './random-film.ts';
import { readersOfOrder, renamed, reversed, shuffled } from './rewritten.ts';
import { compiled, World } from './world.ts';

const order = fc.array(fc.nat(239), { minLength: 40, maxLength: 40 });

/** What each instance asks for, and what it waits for. */
function asked(pipeline: Pipeline) {
  const { instances, open, totals } = plan(pipeline, contextOf()).plan as Plan;
  const all = [...instances].map(({ key, fingerprint, request, needs, needsAll, each, previous, decision }) => [
    key,
    { fingerprint, request, needs: [...needs].sort(), needsAll: [...needsAll].sort(), each, previous, is: decision.is },
  ]);
  return { all: Object.fromEntries(all), open: open.map(one => ({ ...one, why: '' })).sort(byStep), usd: totals.usd };
}

const byStep = (a: { readonly step: string }, b: { readonly step: string }): number => (a.step < b.step ? -1 : 1);

/** What was done for a film that this world has made already. */
async function doneAgain(world: World, text: string): Promise<readonly string[]> {
  return [...doneFor(await world.run(compiled(text))).keys()];
}

property(
  'steps and keys in another order: the same instances ask for the same, and wait for the same',
  15,
  [cachedFilm(), order],
  async (film, numbers) => {
    const other = formatted(shuffled(documentOf(film), new Choices(numbers)) as never);
    expect(asked(compiled(other))).toEqual(asked(compiled(yamlOf(film))));
    const world = new World();
    await world.run(compiled(yamlOf(film)));
    expect(await doneAgain(world, other)).toEqual([]);
  },
);

property(
  'other names, other quotes, comments, brackets, line ends: nothing is made again',
  15,
  [cachedFilm()],
  async film => {
    const world = new World();
    await world.run(compiled(yamlOf(film)));
    const texts = [
      yamlOf(renamed(film)),
      yamlOf(film, { flow: true, quotes: 'QUOTE_DOUBLE' }),
      yamlOf(film, { comments: true, indent: 4, quotes: 'QUOTE_SINGLE' }).replaceAll('\n', '\r\n'),
    ];
    for (const text of texts) expect(await doneAgain(world, text)).toEqual([]);
  },
);

property(
  'values of an axis the other way round: only what reads their order asks for something else',
  15,
  [cachedFilm()],
  async film => {
    // An item that was skipped, and whoever reads it with it, is another one now: a list that nobody read lacks some.
    fc.pre(canBeMade(reversed(film)));
    const world = new World();
    await world.run(compiled(yamlOf(film)));
    const readers = readersOfOrder(film);
    const again = await doneAgain(world, yamlOf(reversed(film)));
    expect(again.filter(key => !readers.has(/^\w+/.exec(key)?.[0] ?? ''))).toEqual([]);
  },
);
