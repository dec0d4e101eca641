/** An answer in one piece, as JSON: what the service's routes and the writer both give. */
import type { Json } from '../../model/text/json.ts';

export interface JsonReply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: { readonly [name: string]: string };
}

export const ok = (body: Json): JsonReply => ({ status: 200, body });
