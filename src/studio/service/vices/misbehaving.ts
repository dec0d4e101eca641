/**
 * The studio on a bad day: its routes, with the vices around them. The honest studio knows nothing of it, and a vice
 * knows nothing of the others: of several, the last that was named is outermost.
 */
import { MEDIA_ENDPOINTS, routes } from '../../../api/routes.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import { errorBody, HttpRefusal, type JsonReply } from '../../shared/http-refusal.ts';
import { Random } from '../../shared/random.ts';
import { totalCost } from '../generation-cost.ts';
import type { Call, Reply } from '../http/call.ts';
import type { Handler, Route } from '../route.ts';
import { ANSWER_VICES, DOOR_VICES, EVENT_VICES } from './answers.ts';
import { HISTORY_VICES } from './history.ts';
import { FINE_TUNE_VICES, RECORD_VICES } from './records.ts';
import { RESULT_VICES } from './results.ts';
import type { HonestReply, MakeVice, ViceCall, ViceHooks } from './vice-hooks.ts';
import { readVice, type ViceName } from './vice-table.ts';

const MAKERS: Readonly<Record<ViceName, MakeVice>> = {
  ...ANSWER_VICES,
  ...DOOR_VICES,
  ...EVENT_VICES,
  ...FINE_TUNE_VICES,
  ...HISTORY_VICES,
  ...RECORD_VICES,
  ...RESULT_VICES,
};

interface Misbehaving {
  routes(honest: readonly Route[]): readonly Route[];
  frame(text: string): string;
  /** Work that was put off is not done any more; work that has begun is awaited. */
  close(): Promise<void>;
}

/** @throws {HttpRefusal} for a vice that there is not; the message is for the user. */
export function misbehaving(vices: readonly string[], seed: number, clock: Clock): Misbehaving {
  const closing = new AbortController();
  const begun = new Set<Promise<void>>();
  const later = (ms: number, work: () => Promise<unknown>) => {
    const done = clock.sleep(ms, closing.signal).then(async () => {
      if (!closing.signal.aborted) await work();
    });
    // The requester has long been answered.
    const over = done.catch(() => {}).finally(() => begun.delete(over));
    begun.add(over);
  };
  const hooks = vices.map(readVice).map(({ name, value }) => {
    const own = new Random(`${seed} ${name}`);
    const drawn = (text: string) => new Random(`${seed} ${name} ${text}`).next();
    return MAKERS[name]({ value, random: () => own.next(), drawn, clock, later });
  });
  return {
    routes: honest => (hooks.length === 0 ? honest : honest.map(route => misled(route, hooks))),
    frame: text => hooks.reduce((frame, { frame: change }) => change?.(frame) ?? frame, text),
    close: async () => {
      closing.abort();
      await Promise.all(begun);
    },
  };
}

function misled(route: Route, hooks: readonly ViceHooks[]): Route {
  const answer: Handler = async (given, studio) => {
    const call = readingOnce(given);
    const asked: ViceCall = { call, studio, method: route.method, path: route.path };
    const honest: HonestReply = async gone => route.answer(gone ? { ...call, gone } : call, studio);
    if (route.path.startsWith('/results/')) return nested(hooks, 'file', asked, honest);
    if (!route.path.startsWith('/api/')) return honest();
    return nested(hooks, 'request', asked, () =>
      worded(hooks, asked, () => inside(hooks, asked, honest, route.answer)),
    );
  };
  return { ...route, answer };
}

/** What a request comes to, once it is let in. */
async function inside(
  hooks: readonly ViceHooks[],
  asked: ViceCall,
  honest: HonestReply,
  handler: Handler,
): Promise<Reply> {
  switch (`${asked.method} ${asked.path}`) {
    case 'GET /api/ai/queue/{id}':
      return changed(await honest(), body => recordBy(hooks, body));
    case 'GET /api/ai/generations/{id}':
      return changed(await honest(), body => ({ ...body, generation: recordBy(hooks, body.generation as JsonObject) }));
    case `GET ${routes.generations}`:
      return historyBy(hooks, asked, await honest(), handler);
    default:
      return MAKING.has(asked.path) && asked.method === 'POST' ? nested(hooks, 'making', asked, honest) : honest();
  }
}

const MAKING: ReadonlySet<string> = new Set([routes.queue, routes.chat, ...MEDIA_ENDPOINTS.map(routes.generateNow)]);

const recordBy = (hooks: readonly ViceHooks[], body: JsonObject): JsonObject =>
  hooks.reduce((record, { record: change }) => change?.(record) ?? record, body);

/** The whole of it is changed and cut into pages anew, so that pages and totals fit what is listed. */
async function historyBy(hooks: readonly ViceHooks[], asked: ViceCall, reply: Reply, handler: Handler): Promise<Reply> {
  const isListed = hooks.some(({ rows }) => rows);
  if (!('body' in reply) || !isObject(reply.body)) return reply;
  const page = isListed ? await pageOf(hooks, asked, reply.body, handler) : reply.body;
  return { ...reply, body: hooks.reduce((body, { page: change }) => change?.(body) ?? body, page) };
}

async function pageOf(
  hooks: readonly ViceHooks[],
  asked: ViceCall,
  honest: JsonObject,
  handler: Handler,
): Promise<JsonObject> {
  const number = Number(honest.page_number);
  const size = Number(honest.page_size);
  const rows = hooks
    .reduce((rows, { rows: change }) => change?.(rows) ?? rows, await everyRow(asked, handler))
    // A service with such a history never learnt the name of a request.
    .map(({ idempotency_key: _, ...row }) => row);
  const generations = rows.slice((number - 1) * size, number * size);
  return {
    ...honest,
    count: generations.length,
    total_pages: Math.ceil(rows.length / size),
    total_entries: rows.length,
    total_cost: totalCost(rows.flatMap(({ cost }) => (typeof cost === 'string' ? [cost] : []))),
    generations,
  };
}

async function everyRow({ call, studio }: ViceCall, handler: Handler): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  for (let number = 1, pages = 1; number <= pages; number++) {
    const query = new URLSearchParams(call.query);
    query.set('page_number', String(number));
    query.set('page_size', '500');
    const { body } = (await handler({ ...call, query }, studio)) as JsonReply;
    const page = body as unknown as { readonly total_pages: number; readonly generations: readonly JsonObject[] };
    rows.push(...page.generations);
    pages = page.total_pages;
  }
  return rows;
}

/** Everything that is answered in JSON, refusals too. */
async function worded(hooks: readonly ViceHooks[], asked: ViceCall, answer: () => Promise<Reply>): Promise<Reply> {
  if (!hooks.some(({ body }) => body)) return answer();
  const reply = await answer().catch((error: unknown): Reply => {
    if (!(error instanceof HttpRefusal)) throw error;
    return { status: error.status, body: errorBody(error), headers: error.headers };
  });
  if (!('body' in reply)) return reply;
  const body = hooks.reduce((body: Json, { body: change }) => change?.(body, asked) ?? body, reply.body);
  return { ...reply, body };
}

function nested(
  hooks: readonly ViceHooks[],
  name: 'request' | 'making' | 'file',
  asked: ViceCall,
  honest: HonestReply,
): Promise<Reply> {
  const outermost = hooks.reduce<HonestReply>((inner, hook) => {
    const around = hook[name];
    return around ? () => around(asked, inner) : inner;
  }, honest);
  return outermost();
}

function changed(reply: Reply, change: (body: JsonObject) => JsonObject): Reply {
  return 'body' in reply && isObject(reply.body) ? { ...reply, body: change(reply.body) } : reply;
}

/** A body that was read for a vice is there for the route, too. */
function readingOnce(call: Call): Call {
  let body: ReturnType<Call['json']> | undefined;
  return { ...call, json: largest => (body ??= call.json(largest)) };
}
