/** Histories that do not show what was taken, or show it as something else. */
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';
import type { Vices } from './vice-hooks.ts';

const KEPT: ReadonlySet<string> = new Set(['generation_id', 'status']);

/** The record's own fields; the others are the request's. */
const OWN: ReadonlySet<string> = new Set([
  ...KEPT,
  'model_name',
  'media_type',
  'enqueued_at',
  'started_at',
  'completed_at',
  'result_url',
  'error_message',
  'position',
  'progress',
  'cost',
  'user_id',
  'username',
]);

function rewritten(name: string, value: Json, draw: number): Json {
  if (Array.isArray(value)) return value.map((one: Json) => rewritten(name, one, draw));
  if (typeof value === 'number') return /duration|time/.test(name) ? `${value}s` : String(value);
  if (typeof value !== 'string') return value;
  if (URL.canParse(value) && /^https?:/.test(value)) {
    return `${value.split('?')[0]}?expires=${Math.floor(draw * 1e9)}&signature=${draw.toString(36).slice(2)}`;
  }
  return draw < 0.5 ? `${value} ` : `${value}, highly detailed, cinematic light`;
}

/** Undefined leaves a field out. */
function mapped(row: JsonObject, change: (name: string, value: Json) => Json | undefined): JsonObject {
  const fields = Object.entries(row).flatMap(([name, value]) => {
    const changed = KEPT.has(name) ? value : change(name, value);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(fields);
}

export const HISTORY_VICES = {
  'history-truncates': ({ value }) => ({ rows: rows => rows.slice(0, value) }),
  'history-empty': () => ({ rows: () => [] }),
  'history-lags': ({ value, clock }) => ({
    rows: rows => rows.filter(({ enqueued_at }) => Number(enqueued_at) + value <= clock.now() / 1000),
  }),
  'history-omits-fields': ({ value: share, drawn }) => ({
    rows: rows =>
      rows.map(row =>
        mapped(row, (name, value) => (drawn(`${row.generation_id} ${name}`) < share ? undefined : value)),
      ),
  }),
  'history-rewrites': ({ drawn }) => ({
    rows: rows =>
      rows.map(row =>
        mapped(row, (name, value) => {
          if (OWN.has(name)) return value;
          return rewritten(name, value, drawn(`${row.generation_id} ${name}`));
        }),
      ),
  }),
  'history-relabels': () => ({
    rows: rows =>
      rows.map(row =>
        mapped(row, (name, value) => (name === 'model_name' ? `house/${String(value).toLowerCase()}` : value)),
      ),
  }),
  'history-without-totals': () => ({
    page: ({ total_pages: _, total_entries: __, ...page }) => page,
  }),
  'history-fails-a-page': ({ value, random }) => ({
    page: page => {
      if (random() < value) throw new HttpRefusal(500, 'internal', 'this page could not be read');
      return page;
    },
  }),
} satisfies Vices;
