/** "POST /api/ai/models/{id}/activate" and "…/deactivate": the model object comes back, its deployment on its way. */
import type { Json } from '../../../domain/json.ts';
import { invalid, modelNotFound, Refusal } from '../../refusal.ts';
import type { Deployments, Moved } from '../records/deployments.ts';
import { type Handler, ok, type Route } from '../route.ts';

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
      throw new Refusal(409, 'wrong_state', `the deployment of ${id} is ${status}: it cannot be ${verb}d now`);
    return ok(catalog.get(id) as unknown as Json);
  };

export const activate: Route = {
  path: '/api/ai/models/{id}/activate',
  handlers: { POST: move('activate', (deployments, id) => deployments.activate(id)) },
};

export const deactivate: Route = {
  path: '/api/ai/models/{id}/deactivate',
  handlers: { POST: move('deactivate', (deployments, id) => deployments.deactivate(id)) },
};
