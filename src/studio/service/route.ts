/** A row of the table of routes (`routes/index.ts`): one method of one path. */
import type { Model } from '../../model/model.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { ChatBackend } from '../writer/index.ts';
import type { StudioLibrary } from './custom-models.ts';
import type { EventHub } from './event-hub.ts';
import type { Call, Reply } from './http/call.ts';
import type { ChatImages } from './inputs/chat-images.ts';
import type { Deployments } from './records/deployments.ts';
import type { FineTunes } from './records/fine-tunes.ts';
import type { GenerationTable } from './records/generations.ts';
import type { IdempotentCalls } from './records/idempotent-calls.ts';
import type { ResultStore } from './records/result-store.ts';
import type { RenderQueue } from './render-queue.ts';
import type { Catalog } from './studio-catalog.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';
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
  /** Statuses beside 200 that are no errors. */
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

/** The studio's services, as routes reach them. */
export interface Services {
  /** `http://127.0.0.1:4000`: where this server can be reached now. */
  readonly url: string;
  readonly strict: boolean;
  readonly version: string;
  readonly library: StudioLibrary;
  readonly catalog: Catalog;
  readonly deployments: Deployments;
  readonly fineTunes: FineTunes;
  readonly table: GenerationTable;
  readonly queue: RenderQueue;
  readonly eventHub: EventHub;
  readonly chat: ChatBackend;
  readonly images: ChatImages;
  readonly idempotent: IdempotentCalls;
  readonly results: ResultStore;
}
