/** Requests that are sent away at the door, and a door that talks too much. */
import { isObject, type Json } from '../../../model/text/json.ts';
import { HttpRefusal, unauthenticated } from '../../shared/http-refusal.ts';
import type { MakeVice, Vices } from './hooks.ts';

/** A storm begins with the first request, and with every third of its lengths after that. */
const storms =
  (headers: (seconds: number) => { readonly [name: string]: string }): MakeVice =>
  ({ value, clock }) => {
    const length = value * 1000;
    let first: number | undefined;
    return {
      request: async (_asked, honest) => {
        first ??= clock.now();
        const left = length - ((clock.now() - first) % (3 * length || 1));
        if (left <= 0) return honest();
        throw new HttpRefusal(429, 'rate_limited', 'too many requests: try again later', {
          headers: headers(Math.ceil(left / 1000)),
        });
      },
    };
  };

function echoing(json: Json, echo: string): Json {
  if (Array.isArray(json)) return json.map(one => echoing(one, echo));
  if (!isObject(json)) return json;
  const fields = Object.entries(json).map(([name, one]): [string, Json] => {
    if (name === 'error_message' && typeof one === 'string') return [name, one + echo];
    if (name === 'error' && isObject(one)) return [name, { ...one, message: `${one.message}${echo}` }];
    return [name, echoing(one, echo)];
  });
  return Object.fromEntries(fields);
}

export const DOOR_VICES = {
  busy: storms(seconds => ({ 'retry-after': String(seconds) })),
  'busy-without-retry-after': storms(() => ({})),
  'busy-retry-after-zero': storms(() => ({ 'retry-after': '0' })),
  'key-refused': ({ value, random, clock }) => {
    let until = 4 + Math.floor(random() * 8);
    let since: number | undefined;
    return {
      request: async (_asked, honest) => {
        if (until-- > 0) return honest();
        since ??= clock.now();
        if (clock.now() - since < value * 1000) throw unauthenticated();
        return honest();
      },
    };
  },
  redirects: ({ value, random }) => ({
    request: async ({ call }, honest) => {
      if (random() >= value) return honest();
      const location = `https://elsewhere.invalid${call.request.url ?? '/'}`;
      return { stream: response => void response.writeHead(307, { location, 'content-length': 0 }).end() };
    },
  }),
  'echoes-the-key': () => ({
    body: (body, { call }) => echoing(body, ` (sent with Authorization: ${call.request.headers.authorization ?? ''})`),
  }),
} satisfies Vices;
