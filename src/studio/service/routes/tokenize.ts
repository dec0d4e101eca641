/** "POST /api/repos/{namespace}/{repo_name}/fine_tunes/{id}/tokenize": for a fine-tune in the `created` state. */
import { CREATED } from '../../../api/fine-tunes.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { HttpRefusal } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import type { ApiRoute } from '../route.ts';

export const tokenize: ApiRoute = {
  path: '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}/tokenize',
  handlers: {
    POST: (call, { fineTunes, strict }) => {
      const place = { namespace: call.param('namespace'), repo: call.param('repo_name'), id: call.param('id') };
      const before = fineTunes.get(place);
      if (!before) {
        const name = `${place.namespace}/${place.repo}/${place.id}`;
        throw new HttpRefusal(404, 'fine_tune_not_found', `Fine-tune not found: ${name}`);
      }
      if (!fineTunes.tokenize(place)) {
        throw new HttpRefusal(
          409,
          'wrong_state',
          `fine-tune ${place.id} is ${before.status}: only one that is ${CREATED} can be tokenized`,
        );
      }
      if (strict) return ok({ fine_tune: { id: place.id } });
      const { progress: _, ...fine_tune } = fineTunes.get(place) as JsonObject;
      return ok({ status: 'success', status_message: 'resource_updated', fine_tune });
    },
  },
  operations: {
    POST: {
      id: 'tokenize',
      tag: 'Fine-tunes',
      summary: 'Trigger the tokenization of a fine-tune that is in the state `created`',
      gives: { schema: 'Tokenized' },
      errors: [404, 409],
    },
  },
};
