/** One request as a route is given it, and what the route gives back. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../model/text/json.ts';
import type { JsonReply } from '../../shared/http-refusal.ts';

export interface Call {
  readonly request: IncomingMessage;
  /** What the braces in the path matched, decoded; asking for a name the path does not have is a bug. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** The body, which must be a JSON object; `largest` in bytes, where it may be more than usual. */
  json(largest?: number): Promise<JsonObject>;
  /** Aborts when the requester has hung up, or has the whole answer. */
  readonly gone: AbortSignal;
}

export type Reply =
  | JsonReply
  /** Writes the whole answer itself. */
  | { readonly stream: (response: ServerResponse) => void | Promise<void> };
