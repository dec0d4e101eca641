/** Histories that do not show what was taken, or show it as something else. */
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';
import type { Vices } from './hooks.ts';

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

function rewritten(name: string, said: Json, draw: number): Json {
  if (Array.isArray(said)) return said.map((one: Json) => rewritten(name, one, draw));
  if (typeof said === 'number') return /duration|time/.test(name) ? `${said}s` : String(said);
  if (typeof said !== 'string') return said;
  if (URL.canParse(said) && /^https?:/.test(said)) {
    return `${said.split('?')[0]}?expires=${Math.floor(draw * 1e9)}&signature=${draw.toString(36).slice(2)}`;
  }
  return draw < 0.5 ? `${said} ` : `${said}, highly detailed, cinematic light`;
}

/** Undefined leaves a field out. */
function mapped(row: JsonObject, change: (name: string, said: Json) => Json | undefined): JsonObject {
  const fields = Object.entries(row).flatMap(([name, said]) => {
    const changed = KEPT.has(name) ? said : change(name, said);
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
  'history-omits-fields': ({ value, drawn }) => ({
    rows: rows =>
      rows.map(row => mapped(row, (name, said) => (drawn(`${row.generation_id} ${name}`) < value ? undefined : said))),
  }),
  'history-rewrites': ({ drawn }) => ({
    rows: rows =>
      rows.map(row =>
        mapped(row, (name, said) => {
          if (OWN.has(name)) return said;
          return rewritten(name, said, drawn(`${row.generation_id} ${name}`));
        }),
      ),
  }),
  'history-relabels': () => ({
    rows: rows =>
      rows.map(row =>
        mapped(row, (name, said) => (name === 'model_name' ? `house/${String(said).toLowerCase()}` : said)),
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
