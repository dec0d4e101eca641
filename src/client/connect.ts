/** The service contract over HTTP and server-sent events. */
import { routes } from '../api/routes.ts';
import type { Service } from '../api/service.ts';
import type { Clock } from '../host/clock.ts';
import { chat } from './chat-client.ts';
import { decodeGeneration } from './decode-generation.ts';
import { decodeModel, decodeModelList } from './decode-model.ts';
import { enqueue } from './enqueue.ts';
import { readFineTune, tokenize } from './fine-tunes.ts';
import { generateNow } from './generate-now.ts';
import { history } from './history.ts';
import { deleteResource, getJson } from './idempotent-requests.ts';
import { ReconnectingEventStream } from './reconnecting-event-stream.ts';
import { requestChange } from './request-change.ts';
import { Transport } from './transport.ts';

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
