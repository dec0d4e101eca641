/**
 * The endpoints that answer when the media is there. A video "typically blocks 5 to 15 minutes": there is no deadline on this side,
 * because an answer given up on may have been paid for.
 */
import type { EnqueueRequest } from '../api/queue.ts';
import { type MediaEndpoint, routes } from '../api/routes.ts';
import type { GeneratedNow } from '../api/service.ts';
import { mediaUrls } from './decode-generation.ts';
import { postJson } from './post-once.ts';
import type { Transport } from './transport.ts';

export const generateNow = (
  transport: Transport,
  endpoint: MediaEndpoint,
  request: EnqueueRequest,
  signal: AbortSignal,
  nonce?: string,
): Promise<GeneratedNow> =>
  postJson<GeneratedNow>(
    transport,
    {
      path: routes.generateNow(endpoint),
      body: request,
      nonce,
      what: 'the URL of what was made',
      decode: json => {
        const [first, ...more] = mediaUrls(json);
        return first === undefined ? undefined : { is: 'made', urls: [first, ...more] };
      },
    },
    signal,
  );
