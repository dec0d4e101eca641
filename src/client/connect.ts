/** The service contract over HTTP and server-sent events. */

import type { FineTune, FineTunePlace } from '../api/fine-tunes.ts';
import type { EnqueueRequest } from '../api/queue.ts';
import { type MediaEndpoint, routes } from '../api/routes.ts';
import type { Answer, Changed, Enqueued, GeneratedNow, Service } from '../api/service.ts';
import type { Clock } from '../machine/time/clock.ts';
import { chat } from './chat/chat-client.ts';
import { history } from './history.ts';
import { deleteResource, getJson } from './idempotent-requests.ts';
import { postJson, requestChange } from './post-once.ts';
import { ReconnectingEventStream } from './reconnecting-event-stream.ts';
import { Transport } from './transport.ts';
import {
  acceptedId,
  decodeFineTune,
  decodeGeneration,
  decodeModel,
  decodeModelList,
  mediaUrls,
} from './wire/decode-generation.ts';
import { fields } from './wire/json-fields.ts';

export { parseBaseUrl, SettingError } from './base-url.ts';

export interface ConnectOptions {
  /** The service's name in fingerprints and in the lock file. */
  readonly name: string;
  /** `https://host` or `https://host/path`; `http://` only for a service on this machine. */
  readonly baseUrl: string;
  /** Sent as the bearer credential, to this origin alone. When it is empty, none is sent. */
  readonly key: string;
  /** What a person sets to change it: `HOUSE_KEY`. */
  readonly keyFrom?: string;
  readonly clock: Clock;
  /** 0 to 1, spreads the reopening of the event stream. */
  readonly random?: () => number;
}

/** Connects with the first question, not before. Throws a `SettingError` for an address or key that cannot be used. */
export function connect(options: ConnectOptions): Service {
  const transport = new Transport(options);
  const stream = new ReconnectingEventStream(transport, options.random ?? Math.random);
  return {
    name: options.name,
    account: transport.account,
    ...(options.keyFrom !== undefined && { keyFrom: options.keyFrom }),
    modelId: label => label,
    enqueue: (request, signal, nonce) => enqueue(transport, request, signal, nonce),
    generation: (id, signal) => {
      const decode = (json: unknown) => {
        const record = decodeGeneration(json, id);
        return record?.generation_id === id ? record : undefined;
      };
      return getJson(transport, { path: routes.generation(id), what: 'a generation', decode }, signal);
    },
    history: (signal, how) => history(transport, signal, how),
    cancel: (id, signal) => deleteResource(transport, routes.generation(id), signal),
    models: (signal, filters = {}) => getJson(transport, modelsAt(withQuery(routes.models, filters)), signal),
    searchModels: (text, signal) =>
      getJson(transport, modelsAt(withQuery(routes.searchModels, { search: text })), signal),
    model: (id, signal, { live = false } = {}) =>
      getJson(transport, modelAt(withQuery(routes.model(id), live ? { deployment_status: 'live' } : {})), signal),
    activate: (id, signal) => requestChange(transport, modelAt(routes.activate(id)), signal),
    deactivate: (id, signal) => requestChange(transport, modelAt(routes.deactivate(id)), signal),
    tokenize: (place, signal) => tokenize(transport, place, signal),
    fineTune: (place, signal) => readFineTune(transport, place, signal),
    generateNow: (endpoint, request, signal, nonce) => generateNow(transport, endpoint, request, signal, nonce),
    chat: (request, signal, written, nonce) => chat(transport, request, signal, written, nonce),
    listen: listener => stream.listen(listener),
    close: async () => {
      await stream.close();
      await transport.close();
    },
  };
}

const modelAt = (path: string) => ({ path, what: 'a model', decode: decodeModel });
const modelsAt = (path: string) => ({ path, what: 'a list of models', decode: decodeModelList });

const withQuery = (path: string, query: object): string => {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
  return text === '' ? path : `${path}?${text}`;
};

// The call that moves money. "A POST is retried only when it provably was not accepted": `post-once.ts` sends it once.

/** Milliseconds. */
const DEADLINE = 60_000;

const enqueue = (
  transport: Transport,
  request: EnqueueRequest,
  signal: AbortSignal,
  nonce?: string,
): Promise<Enqueued> =>
  postJson<Enqueued>(
    transport,
    {
      path: routes.queue,
      body: request,
      nonce,
      deadline: DEADLINE,
      what: 'a generation id',
      decode: json => {
        const id = acceptedId(json);
        return id === undefined ? undefined : { is: 'accepted', id };
      },
    },
    signal,
  );

/**
 * The endpoints that answer when the media is there. A video "typically blocks 5 to 15 minutes": there is no deadline on this side,
 * because an answer given up on may have been paid for.
 */
const generateNow = (
  transport: Transport,
  endpoint: MediaEndpoint,
  request: EnqueueRequest,
  signal: AbortSignal,
  nonce?: string,
): Promise<GeneratedNow> =>
  postJson<GeneratedNow>(
    transport,
    {
      path: routes.generateNow(endpoint),
      body: request,
      nonce,
      what: 'the URL of what was made',
      decode: json => {
        const [first, ...more] = mediaUrls(json);
        return first === undefined ? undefined : { is: 'made', urls: [first, ...more] };
      },
    },
    signal,
  );

/** Fine-tunes: their tokenization is triggered, and how it goes is asked where a service answers that. */
const WHAT = 'a fine-tune';

const tokenize = (transport: Transport, place: FineTunePlace, signal: AbortSignal): Promise<Changed<FineTune>> =>
  requestChange(
    transport,
    { path: routes.tokenize(place), what: WHAT, decode: json => decodeFineTune(json, place.id) },
    signal,
  );

/** The document does not offer this: a refusal of any kind, a page for people, or another record means that it is not offered here. */
async function readFineTune(
  transport: Transport,
  place: FineTunePlace,
  signal: AbortSignal,
): Promise<Answer<FineTune>> {
  const decode = (json: unknown) => {
    const isOne = fields(json)?.fine_tune !== undefined || fields(json)?.id === place.id;
    const found = isOne ? decodeFineTune(json, place.id) : undefined;
    return { found: found?.id === place.id ? found : undefined };
  };
  const asked = { path: routes.fineTune(place), what: WHAT, decode, notOffered: NOT_OFFERED };
  const answer = await getJson(transport, asked, signal);
  if (answer.is !== 'ok') return answer;
  const { found } = answer.value;
  if (found !== undefined) return { is: 'ok', value: found };
  return { is: 'absent', message: `${transport.base.host} answered with something that is not ${WHAT}` };
}

/** Statuses of servers that do not know the question, or keep it from this key. */
const NOT_OFFERED: readonly number[] = [400, 403, 404, 405, 406, 410, 422, 501];
