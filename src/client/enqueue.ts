/** The call that moves money. "A POST is retried only when it provably was not accepted": `post-once.ts` sends it once. */
import type { EnqueueRequest } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Enqueued } from '../api/service.ts';
import { acceptedId } from './decode-generation.ts';
import { postJson } from './post-once.ts';
import type { Transport } from './transport.ts';

/** Milliseconds. */
const DEADLINE = 60_000;

export const enqueue = (
  transport: Transport,
  request: EnqueueRequest,
  signal: AbortSignal,
  nonce?: string,
): Promise<Enqueued> =>
  postJson<Enqueued>(
    transport,
    {
      path: routes.queue,
      body: request,
      nonce,
      deadline: DEADLINE,
      what: 'a generation id',
      decode: json => {
        const id = acceptedId(json);
        return id === undefined ? undefined : { is: 'accepted', id };
      },
    },
    signal,
  );
