/** "GET /api/ai/models". */
import type { Json } from '../../domain/json.ts';
import { ok, type Route } from '../route.ts';

export const models: Route = {
  path: '/api/ai/models',
  handlers: {
    GET: ({ query }, { catalog }) => {
      const developer = query.get('developer_name');
      const action = query.get('action');
      const data = catalog.models.filter(
        // No model here can be fine-tuned, so no action fits any.
        model => (developer === null || model.developer?.name === developer) && action === null,
      );
      return ok({ object: 'list', data: data as unknown as Json });
    },
  },
};
