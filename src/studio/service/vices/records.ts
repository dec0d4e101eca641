/** Generations that are forgotten, or shown as what they are not. */
import { isTerminal } from '../../../api/queue.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { generationNotFound } from '../../shared/http-refusal.ts';
import type { Vices } from './hooks.ts';

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
