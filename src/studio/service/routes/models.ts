/** "GET /api/ai/models". */
import type { CatalogModel } from '../../../api/catalog.ts';
import type { Json } from '../../../domain/json.ts';
import { ok } from '../../reply.ts';
import { text } from '../openapi/shapes.ts';
import type { ApiRoute } from '../route.ts';

export const models: ApiRoute = {
  path: '/api/ai/models',
  handlers: {
    GET: ({ query }, { catalog }) => {
      const developer = query.get('developer_name');
      const action = query.get('action');
      const data = catalog.models.filter(
        model =>
          (developer === null || model.developer?.name === developer) && (action === null || canBeTuned(model, action)),
      );
      return ok({ object: 'list', data: data as unknown as Json });
    },
  },
  operations: {
    GET: {
      id: 'listModels',
      tag: 'Catalog',
      summary: 'All models',
      query: { developer_name: text, action: text },
      gives: { schema: 'ModelList' },
      errors: [],
    },
  },
};

const canBeTuned = ({ fine_tuning }: CatalogModel, action: string): boolean =>
  Array.isArray(fine_tuning?.actions) && fine_tuning.actions.includes(action);
