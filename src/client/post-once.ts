/**
 * Sends one POST over a new connection, once: a repetition might cost money or change something twice.
 * Everything that is not plainly yes or plainly no is `unknown`.
 */
import type { Changed, NotTaken } from '../api/service.ts';
import { networkErrorText } from '../machine/network-error.ts';
import { deadline, within } from '../machine/time/deadline.ts';
import type { JsonResource } from './idempotent-requests.ts';
import type { HttpResponse, SentPost, Transport } from './transport.ts';
import { bodyErrorText, readBody, refusalText, retryAfter } from './wire/response-body.ts';

/**
 * Milliseconds to get a connection. Nothing can have been sent before there is one. Less than what another worker needs to take over the run
 * of one that is stopped: a worker that goes on afterwards sends nothing of what it was about to.
 */
const CONNECT_TIMEOUT = 10_000;
const MAX_BODY_BYTES = 1024 * 1024;

interface JsonPost<T> {
  readonly path: string;
  /** Null sends no body at all. */
  readonly body: object | null;
  /** Sent as `Idempotency-Key`. */
  readonly nonce?: string | undefined;
  /** Milliseconds for the answer; absent where it takes as long as it takes. */
  readonly deadline?: number;
  /** Reads the JSON of a 2xx; undefined when it is not what was asked for. */
  readonly decode: (json: unknown) => T | undefined;
  /** `a generation id`: what is missing when nothing could be decoded. */
  readonly what: string;
}

export const postJson = <T>(transport: Transport, post: JsonPost<T>, signal: AbortSignal): Promise<T | NotTaken> =>
  postRaw<T>(
    transport,
    {
      ...post,
      read: async response => {
        const decoded = post.decode(transport.redactor.parse(await readBody(response.body, MAX_BODY_BYTES)));
        if (decoded !== undefined) return decoded;
        return { is: 'unknown', message: `${transport.base.host} answered ${response.status} without ${post.what}` };
      },
    },
    signal,
  );

interface RawPost<T> extends Pick<JsonPost<T>, 'path' | 'body' | 'nonce' | 'deadline'> {
  readonly accept?: string;
  /** Reads a 2xx. An error that it throws makes the outcome `unknown`. */
  readonly read: (response: HttpResponse) => Promise<T | NotTaken>;
}

export async function postRaw<T>(transport: Transport, post: RawPost<T>, signal: AbortSignal): Promise<T | NotTaken> {
  const { path, nonce, deadline: ms, accept } = post;
  const body = post.body && JSON.stringify(post.body);
  using connecting = deadline(CONNECT_TIMEOUT, {
    clock: transport.clock,
    reason: new Error(`no connection within ${CONNECT_TIMEOUT / 1000} s`),
  });
  let sent: SentPost | undefined;
  const send = async (signal: AbortSignal) => {
    const either = AbortSignal.any([signal, connecting.signal]);
    sent = transport.post({
      ...{ path, body, signal: either, onConnect: connecting.clear, connectWithin: CONNECT_TIMEOUT },
      ...(accept && { accept }),
      ...(nonce !== undefined && { nonce }),
    });
    return judge(transport, await sent.response, post);
  };
  try {
    if (ms === undefined) return await send(signal);
    const message = `no answer within ${ms / 1000} s`;
    return await within({ ms, clock: transport.clock, signal, message }, send);
  } catch (error) {
    const why = signal.aborted ? 'stopped' : networkErrorText(error);
    const message = transport.clean(`${transport.base.host}: ${why}`);
    return sent?.connected ? { is: 'unknown', message } : { is: 'unreached', message };
  } finally {
    await sent?.end();
  }
}

async function judge<T>(transport: Transport, response: HttpResponse, { read }: RawPost<T>): Promise<T | NotTaken> {
  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408) {
    // The status alone decides, even where the reason breaks off in the middle.
    const body = await readBody(response.body, MAX_BODY_BYTES).catch(() => '');
    const message = transport.clean(bodyErrorText(body) ?? `${transport.base.host} gives no reason`);
    const wait = status === 429 ? retryAfter(response.headers['retry-after'], transport.clock.now()) : undefined;
    return { is: 'refused', status, message, ...(wait !== undefined && { retryAfter: wait }) };
  }
  if (status >= 300 && status < 400) {
    response.body.destroy();
    return {
      is: 'unknown',
      message: `${transport.base.host} answered ${status}: it redirects; set the base address to where the service is`,
    };
  }
  if (status >= 200 && status < 300) return read(response);
  const message = refusalText(transport, status, await readBody(response.body, MAX_BODY_BYTES).catch(() => ''));
  return { is: 'unknown', message, ...(GATEWAY_STATUSES.has(status) && { gateway: true }) };
}

/** Statuses of a gateway in front of the service, or of a service that has stopped waiting. The request may still be on its way. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([408, 502, 504]);

/** Milliseconds. */
const DEADLINE = 60_000;

/** A POST without a body. */
export async function requestChange<T extends object>(
  transport: Transport,
  { path, what, decode }: JsonResource<T>,
  signal: AbortSignal,
): Promise<Changed<T>> {
  const read = (json: unknown) => {
    const value = decode(json);
    return value && { is: 'ok' as const, value };
  };
  const outcome = await postJson(transport, { path, body: null, deadline: DEADLINE, what, decode: read }, signal);
  switch (outcome.is) {
    case 'ok':
      return outcome;
    case 'unreached':
    case 'unknown':
      return { is: 'unavailable', message: outcome.message };
    case 'refused': {
      const { status, message, retryAfter } = outcome;
      if (status === 401 || status === 403) return { is: 'unauthenticated', message };
      if (status === 404 || status === 405) return { is: 'absent', message };
      if (status === 429) return { is: 'unavailable', message, ...(retryAfter !== undefined && { retryAfter }) };
      return { is: 'refused', status, message };
    }
  }
}
