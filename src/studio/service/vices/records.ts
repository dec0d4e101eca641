/** Generations that are forgotten, or shown as what they are not. */
import { isTerminal } from '../../../api/queue.ts';
import { isObject, type JsonObject } from '../../../model/text/json.ts';
import { generationNotFound, HttpRefusal } from '../../shared/http-refusal.ts';
import type { Reply } from '../http/call.ts';
import type { ViceCall, ViceHooks, Vices } from './vice-hooks.ts';

const WORDS = ['moderating', 'WARMING_UP', 'in_review', ''] as const;

/** Null where a record shows every field, absent where it shows those that there are. */
function withoutUrl({ result_url: _, ...record }: JsonObject): JsonObject {
  return 'model_name' in record ? { ...record, result_url: null } : record;
}

export const RECORD_VICES = {
  forgets: ({ value, clock }) => {
    const asked = new Map<string, number>();
    return {
      record: record => {
        const id = String(record.generation_id);
        const since = asked.get(id) ?? clock.now();
        asked.set(id, since);
        if (clock.now() - since < value * 1000) throw generationNotFound(id);
        return record;
      },
    };
  },
  'forgets-for-good': ({ value, drawn }) => ({
    record: record => {
      const id = String(record.generation_id);
      if (drawn(id) < value) throw generationNotFound(id);
      return record;
    },
  }),
  'status-goes-back': () => {
    /** Those with a true last word. */
    const shownTrue = new Set<string>();
    return {
      record: record => {
        const id = String(record.generation_id);
        if (record.status === 'queued') return record;
        if (!shownTrue.delete(id)) {
          shownTrue.add(id);
          return record;
        }
        return { ...withoutUrl(record), status: 'queued', ...('completed_at' in record && { completed_at: null }) };
      },
    };
  },
  'status-unknown': ({ random }) => ({
    record: record => {
      if (isTerminal(String(record.status))) return record;
      return { ...record, status: WORDS[Math.floor(random() * WORDS.length)] ?? '' };
    },
  }),
  'succeeds-without-url': ({ value, random }) => ({
    record: record => (record.status === 'succeeded' && random() < value ? withoutUrl(record) : record),
  }),
} satisfies Vices;

/** Fine-tunes that never get ready, cannot be read, are forgotten, or go back. Reading one is asked for by its path. */
const READ = '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}';

/** A vice of reading a fine-tune: the honest reply may be given, changed, or refused. */
const whenRead =
  (change: (asked: ViceCall, honest: () => Promise<Reply>) => Promise<Reply>): NonNullable<ViceHooks['request']> =>
  async (asked, honest) =>
    asked.method === 'GET' && asked.path === READ ? change(asked, honest) : honest();

const isOver = (status: unknown): boolean => status === 'tokenized' || status === 'failed';

function withStatus(reply: Reply, where: (fineTune: JsonObject) => boolean, status: string): Reply {
  if (!('body' in reply) || !isObject(reply.body) || !isObject(reply.body.fine_tune)) return reply;
  const { fine_tune } = reply.body;
  return where(fine_tune) ? { ...reply, body: { ...reply.body, fine_tune: { ...fine_tune, status } } } : reply;
}

export const FINE_TUNE_VICES = {
  'tunes-stall': () => ({
    request: whenRead(async (_, honest) => withStatus(await honest(), ({ status }) => isOver(status), 'tokenizing')),
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
        return isTrue ? honest() : withStatus(await honest(), ({ status }) => status !== 'created', 'tokenizing');
      }),
    };
  },
} satisfies Vices;
