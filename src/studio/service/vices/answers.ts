/** Answers that are lost or late, requests that are refused at the door, event streams with too much or nothing in them. */
import { STATUS_CODES } from 'node:http';
import { COMPLETED, routes } from '../../../api/routes.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal, unauthenticated } from '../../shared/http-refusal.ts';
import type { Reply } from '../http/call.ts';
import { type HonestReply, LARGEST, type MakeVice, textReply, type ViceCall, type Vices } from './vice-hooks.ts';

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

/** Event streams with too much in them, or nothing. */
const isEvent = (frame: string): boolean => frame.startsWith('event: ');

const GARBAGE = [
  `event: ${COMPLETED}\ndata: {"generation_id":\n\n`,
  `event: ${COMPLETED}\ndata: null\n\n`,
  `event: ${COMPLETED}\ndata: {"generation_id":7}\n\n`,
  `event: ${COMPLETED}\n\n`,
  'event: maintenance\ndata: {"until":"tomorrow"}\n\n',
  'data: \u0000\u0007\ufffd\n\n',
  '<html><body>502 Bad Gateway</body></html>\n\n',
  `: ${'x'.repeat(10_000)}\n\n`,
] as const;

export const EVENT_VICES = {
  'events-for-others': ({ random }) => {
    const other = () => {
      const generation_id = `of-somebody-else-${Math.floor(random() * 1e9).toString(36)}`;
      return `event: ${COMPLETED}\ndata: ${JSON.stringify({ generation_id })}\n\n`;
    };
    return { frame: frame => (isEvent(frame) ? `${other()}${frame}${other()}` : frame) };
  },
  'events-garbage': ({ random }) => {
    const garbage = () => GARBAGE[Math.floor(random() * GARBAGE.length)] ?? '';
    return { frame: frame => (isEvent(frame) ? `${garbage()}${garbage()}${frame}${garbage()}` : frame) };
  },
  'events-silent': () => ({ frame: frame => (frame === ': listening\n\n' ? frame : '') }),
} satisfies Vices;

/** Milliseconds after which a gateway before the studio gives up on a call that takes long. */
const PATIENCE = 1_000;

/** A POST is taken, and now and then answered with something else. */
const takenButAnswered =
  (reply: () => Reply): MakeVice =>
  ({ value, random, clock }) => ({
    making: async (asked, honest) => {
      if (random() >= value) return honest();
      await taken(asked, honest, clock);
      return reply();
    },
  });

/**
 * Resolves when the studio has taken it, which a call that blocks does not show: its refusal is waited for a while.
 * @throws what the studio refuses it with.
 */
async function taken({ path }: ViceCall, honest: HonestReply, clock: Clock): Promise<void> {
  const unread = new AbortController();
  const waited = new AbortController();
  // A stream without a reader is not written.
  const reply = honest(unread.signal).finally(() => unread.abort());
  if (path === routes.queue) return void (await reply);
  reply.catch(() => {});
  await Promise.race([reply, clock.sleep(PATIENCE, waited.signal)]).finally(() => waited.abort());
}

/** A page, as a gateway before a service sends it. */
function gateway(status: number): Reply {
  const title = `${status} ${STATUS_CODES[status]}`;
  const page = `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>\n`;
  return textReply(status, 'text/html', page);
}

export const ANSWER_VICES = {
  'answers-408': takenButAnswered(() => gateway(408)),
  'answers-502': takenButAnswered(() => gateway(502)),
  'answers-504': takenButAnswered(() => gateway(504)),
  'drops-answers': takenButAnswered(() => ({ stream: response => void response.destroy() })),
  'answers-late': ({ value, random, later }) => ({
    making: async ({ call }, honest) => {
      if (random() >= 0.5) return honest();
      await call.json(LARGEST);
      const unread = new AbortController();
      later(value * 1000, () => honest(unread.signal).finally(() => unread.abort()));
      return gateway(504);
    },
  }),
  'ids-repeat': ({ value, random }) => {
    let last: Json | undefined;
    return {
      making: async ({ path }, honest) => {
        const reply = await honest();
        if (path !== routes.queue || !('body' in reply)) return reply;
        const before = last;
        const body = reply.body as { readonly generations: readonly JsonObject[] };
        last = body.generations[0]?.generation_id;
        if (before === undefined || random() >= value) return reply;
        const [first, ...more] = body.generations;
        return { ...reply, body: { generations: [{ ...first, generation_id: before }, ...more] } };
      },
    };
  },
} satisfies Vices;
