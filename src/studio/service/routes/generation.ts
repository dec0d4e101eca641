/** "GET /api/ai/queue/{generation_id}"; observed: DELETE cancels. */

import { generationNotFound, Refusal } from '../../refusal.ts';
import { recordOf } from '../generation-json.ts';
import { ok, type Route } from '../route.ts';

export const generation: Route = {
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
        throw new Refusal(
          409,
          'already_finished',
          `generation ${id} has already ${found.status}: there is nothing to cancel`,
        );
      }
      return ok({ generation_id: id, status: 'success' });
    },
  },
};
