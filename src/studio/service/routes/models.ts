/** The catalog, the deployments of custom models, and fine-tunes. */

import { CREATED, type FineTunePlace } from '../../../api/fine-tunes.ts';
import { routes } from '../../../api/routes.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal, invalid, modelNotFound, ok } from '../../shared/http-refusal.ts';
import type { Call } from '../http/call.ts';
import { text } from '../openapi/shapes.ts';
import type { FineTunes } from '../records/fine-tunes.ts';
import type { ApiRoute, Handler } from '../route.ts';

/** @throws {HttpRefusal} 404 */
function found(call: Call, fineTunes: FineTunes) {
  const place: FineTunePlace = {
    namespace: call.param('namespace'),
    repo: call.param('repo_name'),
    id: call.param('id'),
  };
  const fineTune = fineTunes.get(place);
  const name = `${place.namespace}/${place.repo}/${place.id}`;
  if (!fineTune) throw new HttpRefusal(404, 'fine_tune_not_found', `Fine-tune not found: ${name}`);
  return { place, fineTune };
}

const read: Handler = (call, { fineTunes }) => {
  const { fineTune } = found(call, fineTunes);
  return ok({ status: 'success', status_message: 'resource_found', fine_tune: fineTune as unknown as Json });
};

const tokenize: Handler = (call, { fineTunes, strict }) => {
  const { place, fineTune } = found(call, fineTunes);
  if (!fineTunes.tokenize(place)) {
    const message = `fine-tune ${place.id} is ${fineTune.status}: only one that is ${CREATED} can be tokenized`;
    throw new HttpRefusal(409, 'wrong_state', message);
  }
  if (strict) return ok({ fine_tune: { id: place.id } });
  const { progress: _, ...fine_tune } = fineTunes.get(place) as unknown as JsonObject;
  return ok({ status: 'success', status_message: 'resource_updated', fine_tune });
};

const FINE_TUNE = '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}';

export const fineTuneRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: `${FINE_TUNE}/tokenize`,
    answer: tokenize,
    id: 'tokenize',
    tag: 'Fine-tunes',
    summary: 'Trigger the tokenization of a fine-tune that is in the state `created`',
    gives: { schema: 'Tokenized' },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: FINE_TUNE,
    observed: true,
    answer: read,
    id: 'readFineTune',
    tag: 'Fine-tunes',
    summary: 'Read a fine-tune: its `status` goes from `created` through `tokenizing` to `tokenized` or `failed`',
    gives: { schema: 'FineTuneRead' },
    errors: [404],
  },
];

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
