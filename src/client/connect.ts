/** The service contract over HTTP and server-sent events. */
import { routes } from '../api/routes.ts';
import type { Service } from '../api/service.ts';
import type { Clock } from '../host/clock.ts';
import { chat } from './chat-client.ts';
import { decodeGeneration, decodeModel, decodeModelList } from './decode.ts';
import { enqueue } from './enqueue.ts';
import { EventStream } from './event-stream.ts';
import { generateNow } from './generate-now.ts';
import { history } from './history.ts';
import { deleteResource, getJson } from './read-json.ts';
import { requestChange, tokenize } from './request-change.ts';
import { Transport } from './transport.ts';

export { parseBaseUrl, SettingError } from './base-url.ts';

export interface ConnectOptions {
  /** What fingerprints and the lock file call this service. */
  readonly name: string;
  /** `https://host` or `https://host/path`; `http://` only for a service on this machine. */
  readonly baseUrl: string;
  /** Sent as the bearer credential, to this origin alone. Empty: none is sent. */
  readonly key: string;
  readonly clock: Clock;
  /** 0 to 1, spreads the reopening of the event stream. */
  readonly random?: () => number;
}

/** Connects to nothing yet: that happens with the first question. Throws a `SettingError` for an address or key that cannot be used. */
export function connect(options: ConnectOptions): Service {
  const transport = new Transport(options);
  const stream = new EventStream(transport, options.random ?? Math.random);
  return {
    name: options.name,
    account: transport.account,
    modelId: label => label,
    enqueue: (request, signal, nonce) => enqueue(transport, request, signal, nonce),
    generation: (id, signal) =>
      getJson(transport, routes.generation(id), 'a generation', signal, json => {
        const record = decodeGeneration(json, id);
        return record?.generation_id === id ? record : undefined;
      }),
    history: (signal, how) => history(transport, signal, how),
    cancel: (id, signal) => deleteResource(transport, routes.generation(id), signal),
    models: (signal, filters = {}) =>
      getJson(transport, withQuery(routes.models, filters), 'a list of models', signal, decodeModelList),
    searchModels: (text, signal) =>
      getJson(transport, withQuery(routes.searchModels, { search: text }), 'a list of models', signal, decodeModelList),
    model: (id, signal, { live = false } = {}) =>
      getJson(
        transport,
        withQuery(routes.model(id), live ? { deployment_status: 'live' } : {}),
        'a model',
        signal,
        decodeModel,
      ),
    activate: (id, signal) => requestChange(transport, routes.activate(id), 'a model', signal, decodeModel),
    deactivate: (id, signal) => requestChange(transport, routes.deactivate(id), 'a model', signal, decodeModel),
    tokenize: (place, signal) => tokenize(transport, place, signal),
    generateNow: (endpoint, request, signal, nonce) => generateNow(transport, endpoint, request, signal, nonce),
    chat: (request, signal, written, nonce) => chat(transport, request, signal, written, nonce),
    listen: listener => stream.listen(listener),
    close: async () => {
      await stream.close();
      await transport.close();
    },
  };
}

const withQuery = (path: string, query: object): string => {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
  return text === '' ? path : `${path}?${text}`;
};
