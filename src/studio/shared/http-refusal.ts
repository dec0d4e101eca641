/** A request that is answered with an error: thrown anywhere below a route, written as JSON in one place. */
import type { Reason } from '../../api/validate-request.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';

/** Field and sentence; the field is empty for the request as a whole. */
export type { Reason };

export class HttpRefusal extends Error {
  readonly status: number;
  /** Stable word for programs. */
  readonly type: string;
  readonly reasons: readonly Reason[];
  readonly headers: { readonly [name: string]: string };

  constructor(
    status: number,
    type: string,
    message: string,
    more: { reasons?: readonly Reason[]; headers?: { readonly [name: string]: string } } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.reasons = more.reasons ?? [];
    this.headers = more.headers ?? {};
  }
}

export const unauthenticated = () =>
  new HttpRefusal(401, 'unauthenticated', 'unauthenticated', { headers: { 'www-authenticate': 'Bearer' } });

/** "Model not found (model endpoints)": the document's own words. */
export const modelNotFound = (name: string) => new HttpRefusal(404, 'model_not_found', `Model not found: ${name}`);

export const generationNotFound = (id: string) =>
  new HttpRefusal(404, 'generation_not_found', `Generation not found: ${id}`);

export const routeNotFound = (path: string) => new HttpRefusal(404, 'route_not_found', `nothing is served at ${path}`);

export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]) =>
  new HttpRefusal(405, 'method_not_allowed', `${path} takes ${allowed.join(' or ')}, not ${method}`, {
    headers: { allow: allowed.join(', ') },
  });

/** Everything that is wrong with a request, in one answer. */
export const invalid = (reasons: readonly Reason[]) =>
  new HttpRefusal(400, 'invalid_request', reasons.map(({ message }) => message).join('; '), { reasons });

export const errorBody = (refusal: HttpRefusal): JsonObject => ({
  error: {
    message: refusal.message,
    type: refusal.type,
    ...(refusal.reasons.length > 0 ? { details: refusal.reasons.map(({ path, message }) => ({ path, message })) } : {}),
  },
});

/** An answer in one piece, as JSON: what the service's routes and the writer both give. */
export interface JsonReply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: { readonly [name: string]: string };
}

export const ok = (body: Json): JsonReply => ({ status: 200, body });
