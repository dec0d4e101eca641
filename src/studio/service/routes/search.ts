/** "GET /api/ai/models/search": matched against names, in any letter case. */
import type { Json } from '../../../domain/json.ts';
import { invalid } from '../../refusal.ts';
import { ok } from '../../reply.ts';
import type { Route } from '../route.ts';

export const search: Route = {
  path: '/api/ai/models/search',
  handlers: {
    GET: ({ query }, { catalog }) => {
      const asked = query.get('search')?.trim().toLowerCase();
      if (!asked) throw invalid([{ path: 'search', message: 'search is required: some letters of a model’s name' }]);
      const data = catalog.models.filter(({ id, display_name }) =>
        [id, display_name].some(name => name.toLowerCase().includes(asked)),
      );
      return ok({ data: data as unknown as Json });
    },
  },
};
