/** What a file in `routes/` gives. Adding one is that file and its line in `routes/index.ts`. */
import type { Call, Reply } from './http/call.ts';
import type { Operation } from './openapi/operation.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';

export interface Route {
  /** `/api/ai/queue/{id}`: a name in braces stands for one segment. */
  readonly path: string;
  /** Answers without a bearer credential. */
  readonly open?: true;
  /** Methods that the document does not promise: off in strict mode. */
  readonly observed?: readonly Method[];
  readonly handlers: { readonly [method in Method]?: Handler };
}

/** A route of the interface: each of its methods is described beside its handler. */
export interface ApiRoute extends Route {
  readonly operations: { readonly [method in Method]?: Operation };
}

export type Handler = (call: Call, studio: Services) => Reply | Promise<Reply>;
