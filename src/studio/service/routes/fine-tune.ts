/** How a fine-tune is now. The document does not offer this: it is off in strict mode. */
import type { Json } from '../../../domain/json.ts';
import { HttpRefusal } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import type { ApiRoute } from '../route.ts';

export const fineTune: ApiRoute = {
  path: '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}',
  observed: ['GET'],
  handlers: {
    GET: (call, { fineTunes }) => {
      const place = { namespace: call.param('namespace'), repo: call.param('repo_name'), id: call.param('id') };
      const fine_tune = fineTunes.get(place) as Json | undefined;
      if (fine_tune === undefined) {
        const name = `${place.namespace}/${place.repo}/${place.id}`;
        throw new HttpRefusal(404, 'fine_tune_not_found', `Fine-tune not found: ${name}`);
      }
      return ok({ status: 'success', status_message: 'resource_found', fine_tune });
    },
  },
  operations: {
    GET: {
      id: 'readFineTune',
      tag: 'Fine-tunes',
      summary: 'Read a fine-tune: its `status` goes from `created` through `tokenizing` to `tokenized` or `failed`',
      gives: { schema: 'FineTuneRead' },
      errors: [404],
    },
  },
};
