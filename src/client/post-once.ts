/**
 * One POST whose repetition might cost money or change something twice: sent once, over a connection nobody used before.
 * Everything that is not plainly yes or plainly no is `unknown`.
 */
import type { NotTaken } from '../api/service.ts';
import { deadline, within } from '../host/deadline.ts';
import { bodyErrorText, networkErrorText } from './error-text.ts';
import { readBody, refusalText } from './read-json.ts';
import { retryAfter } from './retry-after.ts';
import type { HttpResponse, SentPost, Transport } from './transport.ts';

/** Milliseconds to get a connection; after it, still provably nothing was sent. */
const CONNECT = 15_000;
const BODY_CAP = 1024 * 1024;

export interface JsonPost<T> {
  readonly path: string;
  /** Null sends no body at all. */
  readonly body: object | null;
  /** Sent as `Idempotency-Key`. */
  readonly nonce?: string | undefined;
  /** Milliseconds for the answer; absent where it takes as long as it takes. */
  readonly deadline?: number;
  /** What a 2xx says; undefined when it is not what was asked for. */
  readonly decode: (json: unknown) => T | undefined;
  /** `a generation id`: what is missing when nothing could be decoded. */
  readonly what: string;
}

export const postJson = <T>(transport: Transport, errand: JsonPost<T>, signal: AbortSignal): Promise<T | NotTaken> =>
  postRaw<T>(
    transport,
    {
      ...errand,
      read: async reply => {
        const decoded = errand.decode(transport.redactor.parse(await readBody(reply.body, BODY_CAP)));
        if (decoded !== undefined) return decoded;
        return { is: 'unknown', message: `${transport.base.host} answered ${reply.status} without ${errand.what}` };
      },
    },
    signal,
  );

export interface RawPost<T> extends Pick<JsonPost<T>, 'path' | 'body' | 'nonce' | 'deadline'> {
  readonly accept?: string;
  /** Reads a 2xx. What it throws makes the outcome `unknown`. */
  readonly read: (reply: HttpResponse) => Promise<T | NotTaken>;
}

export async function postRaw<T>(
  transport: Transport,
  sending: RawPost<T>,
  signal: AbortSignal,
): Promise<T | NotTaken> {
  const { path, nonce, deadline: ms, accept } = sending;
  const body = sending.body && JSON.stringify(sending.body);
  using connecting = deadline(CONNECT, {
    clock: transport.clock,
    reason: new Error(`no connection within ${CONNECT / 1000} s`),
  });
  let post: SentPost | undefined;
  const send = async (signal: AbortSignal) => {
    const either = AbortSignal.any([signal, connecting.signal]);
    post = transport.post({
      ...{ path, body, signal: either, onConnect: connecting.clear },
      ...(accept && { accept }),
      ...(nonce !== undefined && { nonce }),
    });
    return judge(transport, await post.response, sending);
  };
  try {
    if (ms === undefined) return await send(signal);
    const message = `no answer within ${ms / 1000} s`;
    return await within({ ms, clock: transport.clock, signal, message }, send);
  } catch (error) {
    const why = signal.aborted ? 'stopped' : networkErrorText(error);
    const message = transport.clean(`${transport.base.host}: ${why}`);
    return post?.connected ? { is: 'unknown', message } : { is: 'unreached', message };
  } finally {
    await post?.end();
  }
}

async function judge<T>(transport: Transport, reply: HttpResponse, { read }: RawPost<T>): Promise<T | NotTaken> {
  const { status } = reply;
  if (status >= 400 && status < 500 && status !== 408) {
    // The status alone decides: a reason that breaks off in the middle changes nothing.
    const body = await readBody(reply.body, BODY_CAP).catch(() => '');
    const message = transport.clean(bodyErrorText(body) ?? `${transport.base.host} gives no reason`);
    const wait = status === 429 ? retryAfter(reply.headers['retry-after'], transport.clock.now()) : undefined;
    return { is: 'refused', status, message, ...(wait !== undefined && { retryAfter: wait }) };
  }
  if (status >= 300 && status < 400) {
    reply.body.destroy();
    return {
      is: 'unknown',
      message: `${transport.base.host} answered ${status}: it redirects; set the base address to where the service is`,
    };
  }
  if (status >= 200 && status < 300) return read(reply);
  const message = refusalText(transport, status, await readBody(reply.body, BODY_CAP).catch(() => ''));
  return { is: 'unknown', message, ...(GATEWAY.has(status) && { gateway: true }) };
}

/** Said by whoever stands before the service, or by one that has stopped waiting: what was sent may still be on its way. */
const GATEWAY: ReadonlySet<number> = new Set([408, 502, 504]);
