/** The same film, written by somebody else: other names, another order, values of an axis the other way round. */
import { isObject, type Json, type JsonObject } from '../../src/model/text/json.ts';
import type { Choices } from './choices.ts';
import type { Film, FilmStep } from './film.ts';

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
export function shuffled(file: Json, choices: Choices, inside = ''): Json {
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
export function reversed({ params, steps }: Film): Film {
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
export function readersOfOrder({ steps }: Film): ReadonlySet<string> {
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
