/** Observed: the filters of the queue's list and of the history. */
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

export function filtersOf(query: URLSearchParams): Filters {
  const given = Object.entries(NAMES).flatMap(([name, column]) => {
    const value = query.get(name);
    return value === null ? [] : [[column, value] as const];
  });
  return Object.fromEntries(given);
}
