/** POSTs that are taken without their sender learning of it. */

import { routes } from '../../../api/routes.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import type { Reply } from '../http/call.ts';
import { type HonestReply, LARGEST, type MakeVice, type ViceCall, type Vices } from './hooks.ts';

/** Milliseconds after which a gateway before the studio gives up on a call that takes long. */
const PATIENCE = 1_000;

const gatewayAnswers =
  (status: number): MakeVice =>
  ({ value, random, clock }) => ({
    making: async (asked, honest) => {
      if (random() >= value) return honest();
      await taken(asked, honest, clock);
      return gateway(status);
    },
  });

/**
 * Resolves when the studio has taken it, which a call that blocks does not tell: a while is waited for its refusal.
 * @throws what the studio refuses it with.
 */
async function taken({ path }: ViceCall, honest: HonestReply, clock: Clock): Promise<void> {
  const nobody = new AbortController();
  const waited = new AbortController();
  // A stream without a reader is not written.
  const reply = honest(nobody.signal).finally(() => nobody.abort());
  if (path === routes.queue) return void (await reply);
  reply.catch(() => {});
  await Promise.race([reply, clock.sleep(PATIENCE, waited.signal)]).finally(() => waited.abort());
}

const REASONS: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

/** A page, as a gateway before a service sends it. */
function gateway(status: number): Reply {
  const title = `${status} ${REASONS[status]}`;
  const page = `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>\n`;
  return {
    stream: response => {
      response.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(page) });
      response.end(page);
    },
  };
}

export const ANSWER_VICES = {
  'answers-408': gatewayAnswers(408),
  'answers-502': gatewayAnswers(502),
  'answers-504': gatewayAnswers(504),
  'drops-answers': ({ value, random, clock }) => ({
    making: async (asked, honest) => {
      if (random() >= value) return honest();
      await taken(asked, honest, clock);
      return { stream: response => void response.destroy() };
    },
  }),
  'answers-late': ({ value, random, later }) => ({
    making: async ({ call }, honest) => {
      if (random() >= 0.5) return honest();
      await call.json(LARGEST);
      const nobody = new AbortController();
      later(value * 1000, () => honest(nobody.signal).finally(() => nobody.abort()));
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
