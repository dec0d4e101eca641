/** Requests that change something at the service and cost nothing by themselves: their outcome can be read afterwards. */
import type { Changed } from '../api/service.ts';
import type { JsonResource } from './idempotent-requests.ts';
import { postJson } from './post-once.ts';
import type { Transport } from './transport.ts';

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
