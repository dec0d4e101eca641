/**
 * Questions that are safe to ask again: one request, or two where the first was cut, and a bounded answer, sorted into the four kinds
 * of `Answer`.
 */
import type { Readable } from 'node:stream';
import type { Answer } from '../api/service.ts';
import { within } from '../host/deadline.ts';
import { retryAfter } from './retry-after.ts';
import type { Ask, Reply, Wire } from './wire.ts';
import { errorText, trouble, wasCut } from './words.ts';

const DEADLINE = 30_000;
export const BODY_CAP = 8 * 1024 * 1024;

/** Asks, and lets `decode` read the JSON: undefined when it is not what it should be, called `what` in messages. */
export function read<T>(
  wire: Wire,
  path: string,
  what: string,
  signal: AbortSignal,
  decode: (json: unknown) => T | undefined,
): Promise<Answer<T>> {
  return ask(wire, 'GET', path, signal, body => {
    const value = decode(wire.secret.json(body));
    if (value !== undefined) return { is: 'ok', value };
    return { is: 'unavailable', message: `${wire.address.host} answered with something that is not ${what}` };
  });
}

/** Asks for something to be removed; what the body says does not matter. */
export function remove(wire: Wire, path: string, signal: AbortSignal): Promise<Answer<null>> {
  return ask(wire, 'DELETE', path, signal, () => ({ is: 'ok', value: null }));
}

async function ask<T>(
  wire: Wire,
  method: 'GET' | 'DELETE',
  path: string,
  signal: AbortSignal,
  whenOk: (body: string) => Answer<T>,
): Promise<Answer<T>> {
  try {
    const message = `no whole answer within ${DEADLINE / 1000} s`;
    return await within({ ms: DEADLINE, clock: wire.clock, signal, message }, async signal => {
      const reply = await askAgain(wire, { method, path, headers: { accept: 'application/json' }, signal });
      const body = await bounded(reply.body, BODY_CAP);
      return reply.status >= 200 && reply.status < 300 ? whenOk(body) : notOk(wire, reply, body);
    });
  } catch (error) {
    return { is: 'unavailable', message: wire.clean(`${wire.address.host}: ${trouble(error)}`) };
  }
}

/**
 * A connection that was kept and is closed under the question is an everyday thing, and it tells nothing about the service: a GET that
 * was cut before its answer began is asked once more, at once.
 */
async function askAgain(wire: Wire, ask: Ask): Promise<Reply> {
  return wire.ask(ask).catch((error: unknown) => {
    if (ask.method !== 'GET' || ask.signal.aborted || !wasCut(error)) throw error;
    return wire.ask(ask);
  });
}

function notOk(wire: Wire, reply: Reply, body: string): Exclude<Answer<never>, { is: 'ok' }> {
  const message = refusal(wire, reply.status, body);
  if (reply.status === 404 || reply.status === 405) return { is: 'absent', message };
  if (reply.status === 401 || reply.status === 403) return { is: 'unauthenticated', message };
  const wait = retryAfter(reply.headers['retry-after'], wire.clock.now());
  return { is: 'unavailable', message, ...(wait !== undefined && { retryAfter: wait }) };
}

/** What the service said, with the status when that says more: `Model not found: x (404)`. */
export function refusal(wire: Wire, status: number, body: string): string {
  const text = errorText(body);
  return wire.clean(
    text === undefined ? `${wire.address.host} answered ${status} without a reason` : `${text} (${status})`,
  );
}

/** The whole body as text; throws past the cap, so that no service can fill this machine. */
export async function bounded(body: Readable, cap: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > cap) throw new Error(`the answer is longer than ${cap / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
