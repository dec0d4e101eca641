/**
 * The one call that moves money. "A POST is retried only when it provably was not accepted": so it is sent once, over a
 * connection nobody used before, and everything that is not plainly yes or plainly no is `unknown`.
 */
import type { EnqueueRequest } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Enqueued } from '../api/service.ts';
import { within } from './deadline.ts';
import { bounded, refusal } from './read.ts';
import { retryAfter } from './retry-after.ts';
import { acceptedId } from './shapes.ts';
import type { OnePost, Reply, Wire } from './wire.ts';
import { errorText, parseJson, trouble } from './words.ts';

/** Milliseconds: to get a connection (after it, still provably nothing was sent), and to get the answer. */
const CONNECT = 15_000;
const DEADLINE = 60_000;
const BODY_CAP = 1024 * 1024;

export async function enqueue(wire: Wire, request: EnqueueRequest, signal: AbortSignal): Promise<Enqueued> {
  const body = JSON.stringify(request);
  const connecting = new AbortController();
  const standing = new AbortController();
  void wire.clock.sleep(CONNECT, standing.signal).then(() => {
    if (!standing.signal.aborted) connecting.abort(new Error(`no connection within ${CONNECT / 1000} s`));
  });
  let post: OnePost | undefined;
  try {
    const late = `no answer within ${DEADLINE / 1000} s`;
    return await within(DEADLINE, late, wire.clock, signal, async signal => {
      const either = AbortSignal.any([signal, connecting.signal]);
      post = wire.post(routes.queue, body, either, () => standing.abort());
      return judge(wire, await post.reply);
    });
  } catch (error) {
    const message = wire.clean(`${wire.address.host}: ${trouble(error)}`);
    return post?.connected ? { is: 'unknown', message } : { is: 'unreached', message };
  } finally {
    standing.abort();
    await post?.end();
  }
}

async function judge(wire: Wire, reply: Reply): Promise<Enqueued> {
  const { status } = reply;
  if (status >= 400 && status < 500) {
    // The status alone decides: a reason that breaks off in the middle changes nothing.
    const body = await bounded(reply.body, BODY_CAP).catch(() => '');
    const message = wire.clean(errorText(body) ?? `${wire.address.host} gives no reason`);
    const wait = status === 429 ? retryAfter(reply.headers['retry-after'], wire.clock.now()) : undefined;
    return { is: 'refused', status, message, ...(wait !== undefined && { retryAfter: wait }) };
  }
  if (status >= 300 && status < 400) {
    reply.body.destroy();
    return {
      is: 'unknown',
      message: `${wire.address.host} answered ${status}: it redirects; set the base address to where the service is`,
    };
  }
  const body = await bounded(reply.body, BODY_CAP);
  if (status >= 500) return { is: 'unknown', message: refusal(wire, status, body) };
  const id = acceptedId(parseJson(body));
  if (id !== undefined) return { is: 'accepted', id };
  return { is: 'unknown', message: `${wire.address.host} answered ${status} without a generation id` };
}
