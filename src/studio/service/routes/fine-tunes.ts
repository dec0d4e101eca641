/** Fine-tunes: tokenized on request, which the document offers, and read, which it does not. */
import { CREATED, type FineTunePlace } from '../../../api/fine-tunes.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';
import { ok } from '../../shared/reply.ts';
import type { Call } from '../http/call.ts';
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
