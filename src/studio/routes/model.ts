/** "GET /api/ai/models/{id}". Base models are always active, so `deployment_status=live` changes nothing. */
import type { Json } from '../../domain/json.ts';
import { modelNotFound } from '../refusal.ts';
import { ok, type Route } from '../route.ts';

export const model: Route = {
  path: '/api/ai/models/{id}',
  handlers: {
    GET: (call, { catalog }) => {
      const id = call.param('id');
      const found = catalog.get(id);
      if (!found) throw modelNotFound(id);
      return ok(found as unknown as Json);
    },
  },
};
