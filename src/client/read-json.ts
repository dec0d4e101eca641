/**
 * Questions that are safe to ask again: one request, or two where the first was cut, and a bounded answer, sorted into the four kinds
 * of `Answer`.
 */
import type { Readable } from 'node:stream';
import type { Answer } from '../api/service.ts';
import { within } from '../host/deadline.ts';
import { bodyErrorText, networkErrorText, wasCut } from './error-text.ts';
import { retryAfter } from './retry-after.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

const DEADLINE = 30_000;
export const BODY_CAP = 8 * 1024 * 1024;

/** Asks, and lets `decode` read the JSON: undefined when it is not what it should be, called `what` in messages. */
export function getJson<T>(
  transport: Transport,
  path: string,
  what: string,
  signal: AbortSignal,
  decode: (json: unknown) => T | undefined,
): Promise<Answer<T>> {
  return ask(transport, 'GET', path, signal, body => {
    const value = decode(transport.redactor.parse(body));
    if (value !== undefined) return { is: 'ok', value };
    return { is: 'unavailable', message: `${transport.base.host} answered with something that is not ${what}` };
  });
}

/** Asks for something to be removed; what the body says does not matter. */
export function deleteResource(transport: Transport, path: string, signal: AbortSignal): Promise<Answer<null>> {
  return ask(transport, 'DELETE', path, signal, () => ({ is: 'ok', value: null }));
}

async function ask<T>(
  transport: Transport,
  method: 'GET' | 'DELETE',
  path: string,
  signal: AbortSignal,
  whenOk: (body: string) => Answer<T>,
): Promise<Answer<T>> {
  try {
    const message = `no whole answer within ${DEADLINE / 1000} s`;
    return await within({ ms: DEADLINE, clock: transport.clock, signal, message }, async signal => {
      const reply = await askAgain(transport, { method, path, headers: { accept: 'application/json' }, signal });
      const body = await readBody(reply.body, BODY_CAP);
      return reply.status >= 200 && reply.status < 300 ? whenOk(body) : notOk(transport, reply, body);
    });
  } catch (error) {
    return { is: 'unavailable', message: transport.clean(`${transport.base.host}: ${networkErrorText(error)}`) };
  }
}

/**
 * A connection that was kept and is closed under the question is an everyday thing, and it tells nothing about the service: a GET that
 * was cut before its answer began is asked once more, at once.
 */
async function askAgain(transport: Transport, ask: HttpRequest): Promise<HttpResponse> {
  return transport.request(ask).catch((error: unknown) => {
    if (ask.method !== 'GET' || ask.signal.aborted || !wasCut(error)) throw error;
    return transport.request(ask);
  });
}

function notOk(transport: Transport, reply: HttpResponse, body: string): Exclude<Answer<never>, { is: 'ok' }> {
  const message = refusalText(transport, reply.status, body);
  if (reply.status === 404 || reply.status === 405) return { is: 'absent', message };
  if (reply.status === 401 || reply.status === 403) return { is: 'unauthenticated', message };
  const wait = retryAfter(reply.headers['retry-after'], transport.clock.now());
  return { is: 'unavailable', message, ...(wait !== undefined && { retryAfter: wait }) };
}

/** What the service said, with the status when that says more: `Model not found: x (404)`. */
export function refusalText(transport: Transport, status: number, body: string): string {
  const text = bodyErrorText(body);
  return transport.clean(
    text === undefined ? `${transport.base.host} answered ${status} without a reason` : `${text} (${status})`,
  );
}

/** The whole body as text; throws past the cap, so that no service can fill this machine. */
export async function readBody(body: Readable, cap: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > cap) throw new Error(`the answer is longer than ${cap / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
