/** Observed: "GET /api/ai/generations/{id}". */

import { generationNotFound } from '../../refusal.ts';
import { historyRowOf } from '../generation-json.ts';
import { ok, type Route } from '../route.ts';

export const historyRow: Route = {
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
};
