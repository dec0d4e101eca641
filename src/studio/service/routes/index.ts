/** The table of routes. The first path that fits decides: a fixed segment comes before a `{name}` in its place. */
import { ok } from '../../shared/http-refusal.ts';
import { openapi } from '../openapi/document.ts';
import { text } from '../openapi/shapes.ts';
import type { ApiRoute, Route } from '../route.ts';
import { chatRoute } from './chat-completions.ts';
import { mediaRoutes } from './generate-now.ts';
import { fineTuneRoutes, modelRoutes } from './models.ts';
import { pageRoutes } from './page.ts';
import { queueRoutes } from './queue.ts';
import { resultRoutes } from './results.ts';

/** The interface: what `/openapi.json` describes. */
export const apiRoutes: readonly ApiRoute[] = [
  ...queueRoutes,
  ...mediaRoutes,
  chatRoute,
  ...modelRoutes,
  ...fineTuneRoutes,
  ...resultRoutes,
  {
    method: 'GET',
    path: '/openapi.json',
    open: true,
    answer: (_call, studio) => ok(openapi(apiRoutes, studio)),
    id: 'describe',
    tag: 'Studio',
    summary: 'This description',
    gives: {
      content: { 'application/json': { type: 'object', required: ['openapi'], properties: { openapi: text } } },
    },
    errors: [],
  },
];

/** The page is ours alone. */
export const allRoutes: readonly Route[] = [...apiRoutes, ...pageRoutes];
