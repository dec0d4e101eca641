/** "POST /api/ai/queue": durable before it is acknowledged. Observed: GET lists what is still to be finished. */
import type { JsonObject } from '../../../domain/json.ts';
import { invalid } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import { checkRequest } from '../check-request.ts';
import { checkActive } from '../custom-models.ts';
import { recordOf } from '../generation-json.ts';
import { type IdempotencyKey, idempotencyKeyOf } from '../http/idempotency-key.ts';
import { FILTER_PARAMETERS, filtersOf } from '../list-filters.ts';
import { WITH_BODY } from '../openapi/errors.ts';
import type { ApiRoute } from '../route.ts';
import type { Services } from '../services.ts';

export const queue: ApiRoute = {
  path: '/api/ai/queue',
  observed: ['GET'],
  handlers: {
    POST: async (call, studio) => {
      const body = await call.json();
      const key = idempotencyKeyOf(call, body, studio);
      const ids = await studio.idempotent.generations(key, () => enqueue(body, key, studio));
      return ok({
        // As it was when it was taken: a request sent again gets the answer of the first.
        generations: ids.map(generation_id =>
          studio.strict ? { generation_id } : { generation_id, status: 'queued' },
        ),
      });
    },
    GET: ({ query }, studio) => {
      const place = studio.table.places();
      const generations = studio.table.queue(filtersOf(query)).map(one => recordOf(one, studio, place));
      return ok({ count: generations.length, generations });
    },
  },
  operations: {
    POST: {
      id: 'enqueue',
      tag: 'Queue',
      summary: 'Enqueue a generation',
      takes: model => model.produces !== 'text',
      repeatable: true,
      gives: { schema: 'Enqueued' },
      errors: [...WITH_BODY, 404, 409],
    },
    GET: {
      id: 'listQueue',
      tag: 'Queue',
      summary: 'Generations that are still to be finished',
      query: FILTER_PARAMETERS,
      gives: { schema: 'Queue' },
      errors: [],
    },
  },
};

async function enqueue(
  body: JsonObject,
  key: IdempotencyKey | undefined,
  studio: Services,
): Promise<readonly string[]> {
  const { model, takes, target } = checkRequest(body, studio);
  if (model.produces === 'text') {
    const message = `${model.label} is a chat model: send it to /api/ai/chat/completions, not to the queue`;
    throw invalid([{ path: 'model', message }]);
  }
  checkActive(model, studio.deployments);
  return studio.queue.enqueue(takes, model, target, key);
}
