import type { Route } from '../route.ts';
import { events } from './events.ts';
import { generation } from './generation.ts';
import { history } from './history.ts';
import { historyRow } from './history-row.ts';
import { model } from './model.ts';
import { models } from './models.ts';
import { page, pagePart, pageReading } from './page.ts';
import { queue } from './queue.ts';
import { results } from './results.ts';

/** The first whose path fits answers: a fixed segment stands before a `{name}` in its place. */
export const allRoutes: readonly Route[] = [
  queue,
  generation,
  events,
  models,
  model,
  history,
  historyRow,
  results,
  page,
  pageReading,
  pagePart,
];
