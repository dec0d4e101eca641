/** A row of the table of routes (`routes/index.ts`): one method of one path. */
import type { Call, Reply } from './http/call.ts';
import type { Operation } from './openapi/operation.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';
export type Handler = (call: Call, studio: Services) => Reply | Promise<Reply>;

export interface Route {
  readonly method: Method;
  /** `/api/ai/queue/{id}`: a name in braces stands for one segment. */
  readonly path: string;
  readonly answer: Handler;
  /** Answers without a bearer credential. */
  readonly open?: true;
  /** The document does not promise it: off in strict mode. */
  readonly observed?: true;
}

/** A route of the interface, with its description. */
export interface ApiRoute extends Route, Operation {}
