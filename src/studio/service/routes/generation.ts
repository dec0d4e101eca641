/** "GET /api/ai/queue/{generation_id}"; observed: DELETE cancels. */

import { generationNotFound, HttpRefusal } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import { recordOf } from '../generation-json.ts';
import type { ApiRoute } from '../route.ts';

export const generation: ApiRoute = {
  path: '/api/ai/queue/{id}',
  observed: ['DELETE'],
  handlers: {
    GET: (call, studio) => {
      const id = call.param('id');
      const found = studio.table.get(id);
      if (!found) throw generationNotFound(id);
      return ok(recordOf(found, studio));
    },
    DELETE: (call, { queue }) => {
      const id = call.param('id');
      const found = queue.cancel(id);
      if (!found) throw generationNotFound(id);
      if (found.status !== 'cancelled') {
        throw new HttpRefusal(
          409,
          'already_finished',
          `generation ${id} has already ${found.status}: there is nothing to cancel`,
        );
      }
      return ok({ generation_id: id, status: 'success' });
    },
  },
  operations: {
    GET: {
      id: 'getGeneration',
      tag: 'Queue',
      summary: 'One generation',
      gives: { schema: 'Generation' },
      errors: [404],
    },
    DELETE: {
      id: 'cancelGeneration',
      tag: 'Queue',
      summary: 'Cancel a generation that has not finished',
      gives: { schema: 'Cancelled' },
      errors: [404, 409],
    },
  },
};
