/** What a file in `routes/` gives, and what it is given. Adding one is that file and its line in `routes/index.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { ChatBackend } from '../writer/chat-backend.ts';
import type { Catalog } from './catalog.ts';
import type { StudioLibrary } from './custom-models.ts';
import type { EventHub } from './event-hub.ts';
import type { Queue } from './queue.ts';
import type { Deployments } from './records/deployments.ts';
import type { FineTunes } from './records/fine-tunes.ts';
import type { GenerationTable } from './records/generations.ts';
import type { IdempotentCalls } from './records/idempotent-calls.ts';
import type { ResultStore } from './records/result-store.ts';

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

export type Handler = (call: Call, studio: Services) => Reply | Promise<Reply>;

export interface Call {
  readonly request: IncomingMessage;
  /** What the braces in the path matched, decoded; asking for a name the path does not have is a bug. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** The body, which must be a JSON object; `largest` in bytes, where it may be more than usual. */
  json(largest?: number): Promise<JsonObject>;
  /** Aborts when whoever asked has hung up, or has the whole answer. */
  readonly gone: AbortSignal;
}

export interface JsonReply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: { readonly [name: string]: string };
}

export type Reply =
  | JsonReply
  /** Writes the whole answer itself. */
  | { readonly stream: (response: ServerResponse) => void | Promise<void> };

/** The studio's rooms, as routes reach them. */
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
  readonly queue: Queue;
  readonly eventHub: EventHub;
  readonly chat: ChatBackend;
  readonly idempotent: IdempotentCalls;
  readonly results: ResultStore;
}

export const ok = (body: Json): JsonReply => ({ status: 200, body });
