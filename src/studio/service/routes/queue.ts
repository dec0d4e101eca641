/** The queue, the history, and the stream of events. */
import { routes } from '../../../api/routes.ts';
import type { Model } from '../../../model/model.ts';
import { generationNotFound, HttpRefusal, invalid, ok } from '../../shared/http-refusal.ts';
import { checkRequest } from '../check-request.ts';
import { checkActive } from '../custom-models.ts';
import { totalCost } from '../generation-cost.ts';
import { historyRowOf, recordOf } from '../generation-json.ts';
import type { Call } from '../http/call.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { WITH_BODY } from '../openapi/document.ts';
import { text } from '../openapi/shapes.ts';
import type { Filters, Generation } from '../records/generations.ts';
import type { ApiRoute, Handler, Services } from '../route.ts';

/**
 * Enqueues what the body asks for, durable before it is acknowledged, and once under its `Idempotency-Key`.
 * @param elsewhere why the model is not made here; undefined where it is.
 */
export async function enqueue(
  call: Call,
  studio: Services,
  elsewhere: (model: Model) => string | undefined,
): Promise<readonly string[]> {
  const body = await call.json();
  const key = idempotencyKeyOf(call, body, studio);
  return studio.idempotent.generations(key, async () => {
    const { model, takes, target } = checkRequest(body, studio);
    const message = elsewhere(model);
    if (message !== undefined) throw invalid([{ path: 'model', message }]);
    checkActive(model, studio.deployments);
    return studio.queue.enqueue(takes, model, target, key);
  });
}

const post: Handler = async (call, studio) => {
  const ids = await enqueue(call, studio, ({ produces, label }) =>
    produces === 'text' ? `${label} is a chat model: send it to /api/ai/chat/completions, not to the queue` : undefined,
  );
  // As it was when it was taken: a request sent again gets the answer of the first.
  return ok({ generations: ids.map(id => ({ generation_id: id, ...(!studio.strict && { status: 'queued' }) })) });
};

const listed: Handler = ({ query }, studio) => {
  const place = studio.table.places();
  const generations = studio.table.queue(filtersOf(query)).map(one => recordOf(one, studio, place));
  return ok({ count: generations.length, generations });
};

/** @throws {HttpRefusal} 404 */
function found(call: Call, find: (id: string) => Generation | undefined): Generation {
  const id = call.param('id');
  const generation = find(id);
  if (!generation) throw generationNotFound(id);
  return generation;
}

const cancel: Handler = (call, { queue }) => {
  const { id, status } = found(call, one => queue.cancel(one));
  if (status === 'cancelled') return ok({ generation_id: id, status: 'success' });
  const message = `generation ${id} has already ${status}: there is nothing to cancel`;
  throw new HttpRefusal(409, 'already_finished', message);
};

const PAGE_SIZE = 50;
const LARGEST_PAGE = 500;

const history: Handler = ({ query }, studio) => {
  const filters = filtersOf(query);
  const number = positive(query, ['page_number', 'page'], 1, Number.MAX_SAFE_INTEGER);
  const size = positive(query, ['page_size'], PAGE_SIZE, LARGEST_PAGE);
  const page = studio.table.page(filters, size, number);
  return ok({
    count: page.rows.length,
    page_number: number,
    page_size: size,
    total_pages: Math.ceil(page.total / size),
    total_entries: page.total,
    total_cost: totalCost(studio.table.costs(filters)),
    generations: page.rows.map(row => historyRowOf(row, studio)),
  });
};

function positive(query: URLSearchParams, names: readonly string[], otherwise: number, most: number): number {
  for (const name of names) {
    const text = query.get(name);
    if (text === null) continue;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= 1 && value <= most) return value;
    throw invalid([{ path: name, message: `${name} must be a whole number from 1${most > 1e9 ? '' : ` to ${most}`}` }]);
  }
  return otherwise;
}

/** The filters of both lists: by the query's name, the column and how it is described. */
const FILTERS = {
  model: ['model', text],
  media_type: ['media_type', { enum: ['image', 'video'] }],
  status: ['status', text],
  namespace: ['target_namespace', text],
  repo: ['target_repo', text],
  folder: ['target_directory', text],
} as const;
const FILTER_PARAMETERS = Object.fromEntries(Object.entries(FILTERS).map(([name, [, schema]]) => [name, schema]));

const filtersOf = (query: URLSearchParams): Filters =>
  Object.fromEntries(
    Object.entries(FILTERS).flatMap(([name, [column]]) => {
      const value = query.get(name);
      return value === null ? [] : [[column, value]];
    }),
  );

const wholeFrom1 = { type: 'integer', minimum: 1 };

export const queueRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: routes.queue,
    answer: post,
    id: 'enqueue',
    tag: 'Queue',
    summary: 'Enqueue a generation',
    takes: model => model.produces !== 'text',
    repeatable: true,
    gives: { schema: 'Enqueued' },
    errors: [...WITH_BODY, 404, 409],
  },
  {
    method: 'GET',
    path: routes.queue,
    observed: true,
    answer: listed,
    id: 'listQueue',
    tag: 'Queue',
    summary: 'Generations that are still to be finished',
    query: FILTER_PARAMETERS,
    gives: { schema: 'Queue' },
    errors: [],
  },
  {
    method: 'GET',
    path: `${routes.queue}/{id}`,
    answer: (call, studio) =>
      ok(
        recordOf(
          found(call, id => studio.table.get(id)),
          studio,
        ),
      ),
    id: 'getGeneration',
    tag: 'Queue',
    summary: 'One generation',
    gives: { schema: 'Generation' },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: `${routes.queue}/{id}`,
    observed: true,
    answer: cancel,
    id: 'cancelGeneration',
    tag: 'Queue',
    summary: 'Cancel a generation that has not finished',
    gives: { schema: 'Cancelled' },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: routes.generations,
    observed: true,
    answer: history,
    id: 'listHistory',
    tag: 'Queue',
    summary: 'All generations, newest first, in pages',
    query: {
      ...FILTER_PARAMETERS,
      page: wholeFrom1,
      page_number: wholeFrom1,
      page_size: { ...wholeFrom1, maximum: LARGEST_PAGE },
    },
    gives: { schema: 'History' },
    errors: [400],
  },
  {
    method: 'GET',
    path: `${routes.generations}/{id}`,
    observed: true,
    answer: (call, studio) => {
      const generation = historyRowOf(
        found(call, id => studio.table.get(id)),
        studio,
      );
      return ok({ status: 'success', status_message: 'resource_found', generation });
    },
    id: 'getHistoryEntry',
    tag: 'Queue',
    summary: 'One generation with its request and its cost',
    gives: { schema: 'HistoryEntry' },
    errors: [404],
  },
  {
    method: 'GET',
    path: routes.events,
    answer: (_call, { eventHub }) => ({ stream: response => eventHub.add(response) }),
    id: 'events',
    tag: 'Queue',
    summary: 'The event stream',
    description:
      'Stays open. `event: media_generation_completed` with `data: {"generation_id": "…"}` for each generation that completes. Nothing is replayed.',
    gives: { content: { 'text/event-stream': text } },
    errors: [],
  },
];
