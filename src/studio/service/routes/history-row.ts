/** Observed: "GET /api/ai/generations/{id}". */

import { generationNotFound } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import { historyRowOf } from '../generation-json.ts';
import type { ApiRoute } from '../route.ts';

export const historyRow: ApiRoute = {
  path: '/api/ai/generations/{id}',
  observed: ['GET'],
  handlers: {
    GET: (call, studio) => {
      const id = call.param('id');
      const found = studio.table.get(id);
      if (!found) throw generationNotFound(id);
      return ok({ status: 'success', status_message: 'resource_found', generation: historyRowOf(found, studio) });
    },
  },
  operations: {
    GET: {
      id: 'getHistoryEntry',
      tag: 'Queue',
      summary: 'One generation with its request and its cost',
      gives: { schema: 'HistoryEntry' },
      errors: [404],
    },
  },
};
