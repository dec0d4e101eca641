/** The service contract over HTTP and server-sent events. */
import { routes } from '../api/routes.ts';
import type { Service } from '../api/service.ts';
import type { Clock } from '../host/clock.ts';
import { chat } from './chat-client.ts';
import { catalogModel, generationRecord, modelList } from './decode.ts';
import { enqueue } from './enqueue.ts';
import { EventStream } from './event-stream.ts';
import { generateNow } from './generate-now.ts';
import { history } from './history.ts';
import { read, remove } from './read-json.ts';
import { change, tokenize } from './request-change.ts';
import { Wire } from './transport.ts';

export { parseAddress, SettingError } from './base-url.ts';

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
  const wire = new Wire(options);
  const stream = new EventStream(wire, options.random ?? Math.random);
  return {
    name: options.name,
    account: wire.account,
    modelId: label => label,
    enqueue: (request, signal, nonce) => enqueue(wire, request, signal, nonce),
    generation: (id, signal) =>
      read(wire, routes.generation(id), 'a generation', signal, json => {
        const record = generationRecord(json, id);
        return record?.generation_id === id ? record : undefined;
      }),
    history: (signal, how) => history(wire, signal, how),
    cancel: (id, signal) => remove(wire, routes.generation(id), signal),
    models: (signal, filters = {}) =>
      read(wire, withQuery(routes.models, filters), 'a list of models', signal, modelList),
    searchModels: (text, signal) =>
      read(wire, withQuery(routes.searchModels, { search: text }), 'a list of models', signal, modelList),
    model: (id, signal, { live = false } = {}) =>
      read(
        wire,
        withQuery(routes.model(id), live ? { deployment_status: 'live' } : {}),
        'a model',
        signal,
        catalogModel,
      ),
    activate: (id, signal) => change(wire, routes.activate(id), 'a model', signal, catalogModel),
    deactivate: (id, signal) => change(wire, routes.deactivate(id), 'a model', signal, catalogModel),
    tokenize: (place, signal) => tokenize(wire, place, signal),
    generateNow: (endpoint, request, signal, nonce) => generateNow(wire, endpoint, request, signal, nonce),
    chat: (request, signal, written, nonce) => chat(wire, request, signal, written, nonce),
    listen: listener => stream.listen(listener),
    close: async () => {
      await stream.close();
      await wire.close();
    },
  };
}

const withQuery = (path: string, query: object): string => {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
  return text === '' ? path : `${path}?${text}`;
};
