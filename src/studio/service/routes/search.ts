/** "GET /api/ai/models/search": matched against names, in any letter case. */
import type { Json } from '../../../domain/json.ts';
import { invalid } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import { text } from '../openapi/shapes.ts';
import type { ApiRoute } from '../route.ts';

export const search: ApiRoute = {
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
  operations: {
    GET: {
      id: 'searchModels',
      tag: 'Catalog',
      summary: 'Models whose names match',
      query: { search: { ...text, minLength: 1 } },
      required: ['search'],
      gives: { schema: 'FoundModels' },
      errors: [400],
    },
  },
};
