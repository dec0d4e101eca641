/** What changes nothing for a reader changes nothing for the bill: names, order, YAML's styles. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/text/json.ts';
import { plan } from '../../src/plan/plan.ts';
import { contextOf } from '../plan/support.ts';
import { doneFor } from './events.ts';
import { documentOf, type Film, type FilmStep, formatted, yamlOf } from './film.ts';
import { Choices, property } from './property.ts';
import { cachedFilm, canBeMade } from './random-film.ts';
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

/** Every step, every axis and every name of a join has another name. */
export const renamed = (film: Film): Film => renamedIn(film as unknown as JsonObject) as unknown as Film;

const stepName = (name: string): string => `scene_${name}`;
const axisName = (name: string): string => `${name}_axis`;
const sourceName = (name: string): string => `from_${name}`;

function renamedIn(node: Json): Json {
  if (Array.isArray(node)) return node.map(renamedIn);
  if (!isObject(node)) return node;
  return Object.fromEntries(Object.entries(node).flatMap(([key, value]) => renamedEntry(node, key, value)));
}

function renamedEntry(node: JsonObject, key: string, value: Json): readonly (readonly [string, Json])[] {
  if (key === 'saved') return [];
  if (key === 'needs') return [[key, (value as readonly string[]).map(stepName)]];
  if (key === 'include' || key === 'exclude') return [[key, (value as readonly JsonObject[]).map(renamedCell)]];
  if (typeof value !== 'string') return [[key, renamedIn(value)]];
  // Who chooses is no axis.
  if (key === 'by' && node.is === 'pick') return [[key, value]];
  if (key === 'step' || (key === 'from' && value !== 'takes')) return [[key, stepName(value)]];
  if (key === 'axis' || key === 'by' || key === 'key') return [[key, axisName(value)]];
  if (key === 'name')
    return [[key, 'work' in node ? stepName(value) : 'values' in node ? axisName(value) : sourceName(value)]];
  return [[key, value]];
}

const renamedCell = (cell: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(cell).map(([axis, value]) => [axisName(axis), value]));

/** Keys whose order says something: that of the axes, and of those that meet. */
const ORDERED = new Set(['matrix', 'each']);

/** Steps, keys of steps and columns of rows stand in another order. */
function shuffled(file: Json, choices: Choices, inside = ''): Json {
  if (Array.isArray(file)) return file.map(item => shuffled(item, choices));
  if (!isObject(file)) return file;
  const entries = Object.entries(file).map(([key, value]) => [key, shuffled(value, choices, key)] as const);
  if (!ORDERED.has(inside))
    for (let at = entries.length - 1; at > 0; at--) {
      const other = choices.below(at + 1);
      [entries[at], entries[other]] = [entries[other]!, entries[at]!];
    }
  return Object.fromEntries(entries);
}

/** The values of every axis stand the other way round. */
function reversed({ params, steps }: Film): Film {
  return {
    params: { ...params, words: params.words.toReversed() },
    steps: steps.map(step => ({ ...step, ...(step.axes && { axes: step.axes.map(reversedAxis) }) })),
  };
}

const reversedAxis = (axis: NonNullable<FilmStep['axes']>[number]) =>
  axis.values.is === 'list' ? { ...axis, values: { ...axis.values, items: axis.values.items.toReversed() } } : axis;

/**
 * Steps that ask for something else where an axis is turned round: they read a list in its order, an item of it, the one before, or what
 * meets on the number of a row; and whatever reads those.
 */
function readersOfOrder({ steps }: Film): ReadonlySet<string> {
  const found = new Set<string>();
  for (const step of steps) {
    const text = JSON.stringify(step);
    const reads = [...text.matchAll(/"step":"(\w+)"/g)].map(([, name]) => name ?? '');
    const needsOrder = /"is":"(all|member|previous|pick)"|"until"/.test(text);
    const meetsRows = (step.each?.length ?? 0) > 1;
    if (needsOrder || meetsRows || reads.some(name => found.has(name))) found.add(step.name);
  }
  return found;
}
