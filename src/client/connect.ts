/** The service contract over HTTP and server-sent events. */
import { routes } from '../api/routes.ts';
import type { Service } from '../api/service.ts';
import type { Clock } from '../host/clock.ts';
import { enqueue } from './enqueue.ts';
import { EventStream } from './events.ts';
import { history } from './history.ts';
import { read, remove } from './read.ts';
import { catalogModel, generationRecord, modelList } from './shapes.ts';
import { Wire } from './wire.ts';

export { isLoopback, parseAddress, SettingError } from './address.ts';

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
    enqueue: (request, signal) => enqueue(wire, request, signal),
    generation: (id, signal) =>
      read(wire, routes.generation(id), 'a generation', signal, json => {
        const record = generationRecord(json, id);
        return record?.generation_id === id ? record : undefined;
      }),
    history: signal => history(wire, signal),
    cancel: (id, signal) => remove(wire, routes.generation(id), signal),
    models: signal => read(wire, routes.models, 'a list of models', signal, modelList),
    model: (id, signal) => read(wire, routes.model(id), 'a model', signal, catalogModel),
    listen: listener => stream.listen(listener),
    close: async () => {
      await stream.close();
      await wire.close();
    },
  };
}
