/** "GET /api/ai/models/{id}"; `deployment_status=live` asks the deployment's provider before answering. */
import type { Json } from '../../../domain/json.ts';
import { invalid, modelNotFound } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import type { ApiRoute } from '../route.ts';

export const model: ApiRoute = {
  path: '/api/ai/models/{id}',
  handlers: {
    GET: (call, { catalog, deployments }) => {
      const id = call.param('id');
      const wanted = call.query.get('deployment_status');
      if (wanted !== null && wanted !== 'live') {
        throw invalid([{ path: 'deployment_status', message: 'deployment_status must be live, or left out' }]);
      }
      if (wanted === 'live') deployments.live(id);
      const found = catalog.get(id);
      if (!found) throw modelNotFound(id);
      return ok(found as unknown as Json);
    },
  },
  operations: {
    GET: {
      id: 'getModel',
      tag: 'Catalog',
      summary: 'One model in full',
      query: { deployment_status: { const: 'live', description: "Refreshes the deployment's status first." } },
      gives: { schema: 'Model' },
      errors: [400, 404],
    },
  },
};
