/**
 * Requests that are safe to repeat: one, or two where the first was cut, and a bounded answer, sorted into the four kinds of `Answer`.
 */
import type { Answer } from '../api/service.ts';
import { networkErrorText, wasCut } from '../machine/network-error.ts';
import { within } from '../machine/time/deadline.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';
import { readBody, refusalText, retryAfter } from './wire/response-body.ts';

const DEADLINE = 30_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A resource, and how its JSON is read. */
export interface JsonResource<T> {
  /** A path of `api/routes.ts`, perhaps with a query. */
  readonly path: string;
  /** `a generation`: the name for messages. */
  readonly what: string;
  /** Undefined when the JSON is something else. */
  readonly decode: (json: unknown) => T | undefined;
  /** Statuses that mean that it is not there, or not offered here; default: 404 and 405. */
  readonly notOffered?: readonly number[];
}

export function getJson<T>(
  transport: Transport,
  { path, what, decode, notOffered }: JsonResource<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const whenOk = (body: string): Answer<T> => {
    const value = decode(transport.redactor.parse(body));
    if (value !== undefined) return { is: 'ok', value };
    return { is: 'unavailable', message: `${transport.base.host} answered with something that is not ${what}` };
  };
  return ask(transport, { method: 'GET', path, signal }, whenOk, notOffered);
}

/** Asks for something to be removed; the body of the answer does not matter. */
export function deleteResource(transport: Transport, path: string, signal: AbortSignal): Promise<Answer<null>> {
  return ask(transport, { method: 'DELETE', path, signal }, () => ({ is: 'ok', value: null }));
}

async function ask<T>(
  transport: Transport,
  { method, path, signal }: HttpRequest,
  whenOk: (body: string) => Answer<T>,
  notOffered: readonly number[] = [404, 405],
): Promise<Answer<T>> {
  try {
    const message = `no whole answer within ${DEADLINE / 1000} s`;
    return await within({ ms: DEADLINE, clock: transport.clock, signal, message }, async signal => {
      const response = await askAgain(transport, { method, path, headers: { accept: 'application/json' }, signal });
      const body = await readBody(response.body, MAX_BODY_BYTES);
      return response.status >= 200 && response.status < 300
        ? whenOk(body)
        : notOk(transport, response, body, notOffered);
    });
  } catch (error) {
    return { is: 'unavailable', message: transport.clean(`${transport.base.host}: ${networkErrorText(error)}`) };
  }
}

/**
 * A kept connection is often closed just as it is used again, which is no sign of trouble at the service. So a GET that was cut before its
 * answer began is asked once more, at once.
 */
async function askAgain(transport: Transport, ask: HttpRequest): Promise<HttpResponse> {
  return transport.request(ask).catch((error: unknown) => {
    if (ask.method !== 'GET' || ask.signal.aborted || !wasCut(error)) throw error;
    return transport.request(ask);
  });
}

function notOk(
  transport: Transport,
  response: HttpResponse,
  body: string,
  notOffered: readonly number[],
): Exclude<Answer<never>, { is: 'ok' }> {
  const message = refusalText(transport, response.status, body);
  if (notOffered.includes(response.status)) return { is: 'absent', message };
  if (response.status === 401 || response.status === 403) return { is: 'unauthenticated', message };
  const wait = retryAfter(response.headers['retry-after'], transport.clock.now());
  const busy = response.status === 429 ? ({ busy: true } as const) : {};
  return { is: 'unavailable', message, ...(wait !== undefined && { retryAfter: wait }), ...busy };
}
