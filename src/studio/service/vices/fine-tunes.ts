/** Fine-tunes that never get ready, cannot be read, are forgotten, or go back. Reading one is asked for by its path. */
import { isObject, type JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';
import type { Reply } from '../http/call.ts';
import type { ViceCall, ViceHooks, Vices } from './hooks.ts';

const READ = '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}';

/** A vice of reading a fine-tune: the honest reply may be given, changed, or refused. */
const whenRead =
  (change: (asked: ViceCall, honest: () => Promise<Reply>) => Promise<Reply>): NonNullable<ViceHooks['request']> =>
  async (asked, honest) =>
    asked.method === 'GET' && asked.path === READ ? change(asked, honest) : honest();

const isOver = (status: unknown): boolean => status === 'tokenized' || status === 'failed';

function told(reply: Reply, where: (fineTune: JsonObject) => boolean, status: string): Reply {
  if (!('body' in reply) || !isObject(reply.body) || !isObject(reply.body.fine_tune)) return reply;
  const { fine_tune } = reply.body;
  return where(fine_tune) ? { ...reply, body: { ...reply.body, fine_tune: { ...fine_tune, status } } } : reply;
}

export const FINE_TUNE_VICES = {
  'tunes-stall': () => ({
    request: whenRead(async (_, honest) => told(await honest(), ({ status }) => isOver(status), 'tokenizing')),
  }),
  'tunes-unreadable': () => ({
    request: whenRead(async ({ call }) => {
      throw new HttpRefusal(404, 'not_found', `There is nothing at ${call.request.method} ${READ}`);
    }),
  }),
  'tunes-forgotten': ({ value, clock }) => {
    const asked = new Map<string, number>();
    return {
      request: whenRead(async ({ call }, honest) => {
        const id = call.param('id');
        const since = asked.get(id);
        asked.set(id, since ?? clock.now());
        // The first time it is there.
        if (since === undefined || clock.now() - since >= value * 1000) return honest();
        throw new HttpRefusal(404, 'fine_tune_not_found', `Fine-tune not found: ${id}`);
      }),
    };
  },
  'tunes-go-back': () => {
    let isTrue = false;
    return {
      request: whenRead(async (_, honest) => {
        isTrue = !isTrue;
        return isTrue ? honest() : told(await honest(), ({ status }) => status !== 'created', 'tokenizing');
      }),
    };
  },
} satisfies Vices;
