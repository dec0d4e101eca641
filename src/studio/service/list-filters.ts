/** Observed: the filters of the queue's list and of the history. */
import type { Operation } from './openapi/operation.ts';
import { text } from './openapi/shapes.ts';
import type { Filters } from './records/generations.ts';

/** By the query's name, the column's. */
const NAMES = {
  model: 'model',
  media_type: 'media_type',
  status: 'status',
  namespace: 'target_namespace',
  repo: 'target_repo',
  folder: 'target_directory',
} as const;

/** The same in the description of an operation. */
export const FILTER_PARAMETERS = {
  model: text,
  media_type: { enum: ['image', 'video'] },
  status: text,
  namespace: text,
  repo: text,
  folder: text,
} as const satisfies Operation['query'];

export function filtersOf(query: URLSearchParams): Filters {
  const given = Object.entries(NAMES).flatMap(([name, column]) => {
    const value = query.get(name);
    return value === null ? [] : [[column, value] as const];
  });
  return Object.fromEntries(given);
}
