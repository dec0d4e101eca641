/** "POST /api/ai/queue": durable before it is acknowledged. Observed: GET lists what is still to be finished. */
import { checkActive } from '../custom-models.ts';
import { filtersOf } from '../filters.ts';
import { recordOf } from '../records.ts';
import { invalid } from '../refusal.ts';
import { checkRequest } from '../requests.ts';
import { ok, type Route } from '../route.ts';

export const queue: Route = {
  path: '/api/ai/queue',
  observed: ['GET'],
  handlers: {
    POST: async (call, studio) => {
      const { model, takes, target } = checkRequest(await call.json(), studio);
      if (model.produces === 'text') {
        throw invalid([
          {
            path: 'model',
            message: `${model.label} is a chat model: send it to /api/ai/chat/completions, not to the queue`,
          },
        ]);
      }
      checkActive(model, studio.deployments);
      const generations = studio.queue.enqueue(takes, model, target);
      return ok({
        generations: generations.map(({ id, status }) =>
          studio.strict ? { generation_id: id } : { generation_id: id, status },
        ),
      });
    },
    GET: ({ query }, studio) => {
      const place = studio.table.places();
      const generations = studio.table.queue(filtersOf(query)).map(one => recordOf(one, studio, place));
      return ok({ count: generations.length, generations });
    },
  },
};
