/** The catalog, and the deployments of custom models. */
import { routes } from '../../../api/routes.ts';
import type { Json } from '../../../model/text/json.ts';
import { HttpRefusal, invalid, modelNotFound } from '../../shared/http-refusal.ts';
import { ok } from '../../shared/reply.ts';
import { text } from '../openapi/shapes.ts';
import type { ApiRoute, Handler } from '../route.ts';

const list: Handler = ({ query }, { catalog }) => {
  const developer = query.get('developer_name');
  const action = query.get('action');
  const data = catalog.models.filter(
    ({ developer: by, fine_tuning }) =>
      (developer === null || by?.name === developer) &&
      (action === null || (Array.isArray(fine_tuning?.actions) && fine_tuning.actions.includes(action))),
  );
  return ok({ object: 'list', data: data as unknown as Json });
};

/** Matched against names, in any letter case. */
const search: Handler = ({ query }, { catalog }) => {
  const asked = query.get('search')?.trim().toLowerCase();
  if (!asked) throw invalid([{ path: 'search', message: 'search is required: some letters of a model’s name' }]);
  const data = catalog.models.filter(({ id, display_name }) =>
    [id, display_name].some(name => name.toLowerCase().includes(asked)),
  );
  return ok({ data: data as unknown as Json });
};

/** `deployment_status=live` asks the deployment's provider before answering. */
const one: Handler = (call, { catalog, deployments }) => {
  const id = call.param('id');
  const wanted = call.query.get('deployment_status');
  if (wanted !== null && wanted !== 'live')
    throw invalid([{ path: 'deployment_status', message: 'deployment_status must be live, or left out' }]);
  if (wanted === 'live') deployments.live(id);
  const found = catalog.get(id);
  if (!found) throw modelNotFound(id);
  return ok(found as unknown as Json);
};

/** The model object comes back, its deployment on its way. */
const move =
  (verb: 'activate' | 'deactivate'): Handler =>
  (call, { catalog, deployments }) => {
    const id = call.param('id');
    const found = catalog.get(id);
    if (!found) throw modelNotFound(id);
    if (found.model_type === 'base') {
      const message = `${id} is a base model, which is always active: there is nothing to ${verb}`;
      throw invalid([{ path: 'id', message }]);
    }
    const { moved, status } = deployments[verb](id);
    if (moved) return ok(catalog.get(id) as unknown as Json);
    throw new HttpRefusal(409, 'wrong_state', `the deployment of ${id} is ${status}: it cannot be ${verb}d now`);
  };

const MODEL = `${routes.models}/{id}`;

/** `search` comes before `{id}` in its place. */
export const modelRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: routes.models,
    answer: list,
    id: 'listModels',
    tag: 'Catalog',
    summary: 'All models',
    query: { developer_name: text, action: text },
    gives: { schema: 'ModelList' },
    errors: [],
  },
  {
    method: 'GET',
    path: routes.searchModels,
    answer: search,
    id: 'searchModels',
    tag: 'Catalog',
    summary: 'Models whose names match',
    query: { search: { ...text, minLength: 1 } },
    required: ['search'],
    gives: { schema: 'FoundModels' },
    errors: [400],
  },
  {
    method: 'GET',
    path: MODEL,
    answer: one,
    id: 'getModel',
    tag: 'Catalog',
    summary: 'One model in full',
    query: { deployment_status: { const: 'live', description: "Refreshes the deployment's status first." } },
    gives: { schema: 'Model' },
    errors: [400, 404],
  },
  {
    method: 'POST',
    path: `${MODEL}/activate`,
    answer: move('activate'),
    id: 'activateModel',
    tag: 'Catalog',
    summary: 'Activate an inactive custom deployment',
    gives: { schema: 'Model' },
    errors: [400, 404, 409],
  },
  {
    method: 'POST',
    path: `${MODEL}/deactivate`,
    answer: move('deactivate'),
    id: 'deactivateModel',
    tag: 'Catalog',
    summary: 'Deactivate an active custom deployment, which stops its billing',
    gives: { schema: 'Model' },
    errors: [400, 404, 409],
  },
];
