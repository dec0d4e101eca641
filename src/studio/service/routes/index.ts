import type { ApiRoute, Route } from '../route.ts';
import { chat } from './chat-completions.ts';
import { activate, deactivate } from './deployment.ts';
import { events } from './events.ts';
import { fineTune } from './fine-tune.ts';
import { generateNow } from './generate-now.ts';
import { generation } from './generation.ts';
import { history } from './history.ts';
import { historyRow } from './history-row.ts';
import { model } from './model.ts';
import { models } from './models.ts';
import { describedBy } from './openapi.ts';
import { page, pageGenerations, pagePart } from './page.ts';
import { queue } from './queue.ts';
import { results } from './results.ts';
import { search } from './search.ts';
import { tokenize } from './tokenize.ts';

/** The interface: what `/openapi.json` describes. */
export const apiRoutes: readonly ApiRoute[] = [
  queue,
  generation,
  ...generateNow,
  chat,
  events,
  models,
  search,
  model,
  activate,
  deactivate,
  tokenize,
  fineTune,
  history,
  historyRow,
  results,
  describedBy(() => apiRoutes),
];

/** The first whose path fits answers: a fixed segment stands before a `{name}` in its place. The page is ours alone. */
export const allRoutes: readonly Route[] = [...apiRoutes, page, pageGenerations, pagePart];
