/** A row of the table of routes (`routes/index.ts`): one method of one path. */

import type { Model } from '../../model/model.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { Call, Reply } from './http/call.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';
export type Handler = (call: Call, studio: Services) => Reply | Promise<Reply>;

export interface Route {
  readonly method: Method;
  /** `/api/ai/queue/{id}`: a name in braces is one segment. */
  readonly path: string;
  readonly answer: Handler;
  /** Answers without a bearer credential. */
  readonly open?: true;
  /** The document does not promise it: off in strict mode. */
  readonly observed?: true;
}

/** A route of the interface, with its description. */
export interface ApiRoute extends Route, Operation {}

/** The description of a route in `/openapi.json`. */
interface Operation {
  /** Stable name for generated clients. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly query?: { readonly [name: string]: JsonObject };
  readonly required?: readonly string[];
  /** Beyond the document: takes an `Idempotency-Key`, and refuses one of another request with 422. */
  readonly repeatable?: true;
  /** Which models' requests it takes as its body. */
  readonly takes?: (model: Model) => boolean;
  /** What a 200 holds: a schema by name, with another one in strict mode; or content that is not JSON. */
  readonly gives: Gives;
  /** Statuses beside 200 that are no errors and say it all themselves. */
  readonly also?: { readonly [status: number]: Also };
  readonly errors: readonly number[];
}

type Gives =
  | { readonly schema: string; readonly strict?: string }
  | { readonly content: { readonly [type: string]: JsonObject } };

export interface Also {
  readonly description: string;
  /** Holds what a 200 holds, or a part of it. */
  readonly isPart?: true;
  readonly headers?: readonly string[];
}

export const TAGS = {
  Queue: 'Asynchronous generations: enqueue, look, cancel, history, and the stream that announces completion.',
  Media: 'Media at once: these answer when it is there.',
  Chat: 'Chat completions.',
  Catalog: 'Models, and the deployments of custom ones.',
  'Fine-tunes': 'Fine-tunes of a repository.',
  Studio: 'What the studio serves beside the interface.',
} as const;
type Tag = keyof typeof TAGS;
