/** "POST /api/ai/models/{id}/activate" and "…/deactivate": the model object comes back, its deployment on its way. */
import type { Json } from '../../../domain/json.ts';
import { HttpRefusal, invalid, modelNotFound } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import type { Deployments, Moved } from '../records/deployments.ts';
import type { ApiRoute, Handler } from '../route.ts';

const move =
  (verb: 'activate' | 'deactivate', act: (deployments: Deployments, id: string) => Moved): Handler =>
  (call, { catalog, deployments }) => {
    const id = call.param('id');
    const found = catalog.get(id);
    if (!found) throw modelNotFound(id);
    if (found.model_type === 'base') {
      const message = `${id} is a base model, which is always active: there is nothing to ${verb}`;
      throw invalid([{ path: 'id', message }]);
    }
    const { moved, status } = act(deployments, id);
    if (!moved)
      throw new HttpRefusal(409, 'wrong_state', `the deployment of ${id} is ${status}: it cannot be ${verb}d now`);
    return ok(catalog.get(id) as unknown as Json);
  };

export const activate: ApiRoute = {
  path: '/api/ai/models/{id}/activate',
  handlers: { POST: move('activate', (deployments, id) => deployments.activate(id)) },
  operations: {
    POST: {
      id: 'activateModel',
      tag: 'Catalog',
      summary: 'Activate an inactive custom deployment',
      gives: { schema: 'Model' },
      errors: [400, 404, 409],
    },
  },
};

export const deactivate: ApiRoute = {
  path: '/api/ai/models/{id}/deactivate',
  handlers: { POST: move('deactivate', (deployments, id) => deployments.deactivate(id)) },
  operations: {
    POST: {
      id: 'deactivateModel',
      tag: 'Catalog',
      summary: 'Deactivate an active custom deployment, which stops its billing',
      gives: { schema: 'Model' },
      errors: [400, 404, 409],
    },
  },
};
