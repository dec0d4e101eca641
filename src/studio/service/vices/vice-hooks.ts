/** The places where a vice acts: it has as many of these as it needs, and what it leaves out stays honest. */

import type { Clock } from '../../../machine/time/clock.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import type { Call, Reply } from '../http/call.ts';
import type { Services } from '../route.ts';
import type { ViceName } from './vice-table.ts';

/** Bytes of a body that is read before its route reads it: a chat's, which are the largest. */
export const LARGEST = 8 * 1024 * 1024;

export interface ViceCall {
  readonly call: Call;
  readonly studio: Services;
  readonly method: string;
  /** The route's path, with its braces. */
  readonly path: string;
}

/** What the studio would do; optionally with another signal of a requester that has hung up. */
export type HonestReply = (gone?: AbortSignal) => Promise<Reply>;

export interface ViceHooks {
  /** Around every request of the interface. */
  readonly request?: (asked: ViceCall, honest: HonestReply) => Promise<Reply>;
  /** Around a POST that has something made. */
  readonly making?: (asked: ViceCall, honest: HonestReply) => Promise<Reply>;
  /** The whole history, newest first, before it is cut into pages. */
  readonly rows?: (rows: readonly JsonObject[]) => readonly JsonObject[];
  readonly page?: (page: JsonObject) => JsonObject;
  /** A generation that is read by its id. */
  readonly record?: (record: JsonObject) => JsonObject;
  /** Any JSON that is answered, refusals too. */
  readonly body?: (body: Json, asked: ViceCall) => Json;
  /** Around the reading of a result. */
  readonly file?: (asked: ViceCall, honest: HonestReply) => Promise<Reply>;
  /** The next text of the event stream; nothing is sent for an empty text. */
  readonly frame?: (frame: string) => string;
}

/** What a vice is given. */
export interface ViceContext {
  readonly value: number;
  /** From 0 to 1, the next of its own. */
  readonly random: () => number;
  /** From 0 to 1, always the same for the same text. */
  readonly drawn: (text: string) => number;
  readonly clock: Clock;
  /** Milliseconds from now, unless the studio has closed by then. */
  readonly later: (ms: number, work: () => Promise<unknown>) => void;
}

export type MakeVice = (given: ViceContext) => ViceHooks;

/** Some of the vices, by their names in `vice-table.ts`. */
export type Vices = { readonly [name in ViceName]?: MakeVice };

/** An answer that is no JSON. */
export const textReply = (status: number, type: string, text: string | Uint8Array): Reply => ({
  stream: response => {
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  },
});
