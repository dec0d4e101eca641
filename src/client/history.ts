/**
 * Everything the service lists, to look for a generation whose POST had an unknown outcome. "Not there" leads to a second, paid
 * POST: so a list that may have a hole is never handed on as a whole one.
 */
import type { HistoryRow } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Answer, HistoryQuery } from '../api/service.ts';
import { read } from './read.ts';
import { type HistoryPage, historyPage } from './shapes.ts';
import type { Wire } from './wire.ts';

const PAGE_SIZE = 100;
/** Past this many pages, the newest are enough: what is looked for was sent minutes or days ago, not ten thousand generations. */
const MOST_PAGES = 100;

/** How a page is asked for is nowhere shown: the answers' own `page_number` tells which spelling was understood. */
const SPELLINGS = ['page', 'page_number'] as const;
type Spelling = (typeof SPELLINGS)[number];

export async function history(
  wire: Wire,
  signal: AbortSignal,
  { until, page: tell }: HistoryQuery = {},
): Promise<Answer<readonly HistoryRow[]>> {
  const ask = (spelling: Spelling, page: number): Promise<Answer<HistoryPage>> =>
    read(wire, `${routes.generations}?${spelling}=${page}&page_size=${PAGE_SIZE}`, 'a history', signal, historyPage);

  const first = await ask('page', 1);
  if (first.is !== 'ok') return first;
  // New rows push older ones on to the next page while we read: doubles, which this map takes out.
  const rows = new Map(first.value.rows.map(row => [row.generation_id, row]));
  const pages = first.value.pages ?? 1;
  tell?.(1, first.value.pages);
  let spelling: Spelling = 'page';

  const enough = () => until !== undefined && [...until].every(id => rows.has(id));
  for (let page = 2; page <= Math.min(pages, MOST_PAGES) && !enough(); page++) {
    let next = await ask(spelling, page);
    if (page === 2 && next.is === 'ok' && next.value.page !== page) {
      spelling = 'page_number';
      next = await ask(spelling, page);
    }
    if (next.is !== 'ok') return next;
    if (next.value.page !== page) return incomplete(wire, `page ${page} of ${pages} cannot be asked for`);
    for (const row of next.value.rows) if (!rows.has(row.generation_id)) rows.set(row.generation_id, row);
  }
  const all = [...rows.values()];
  if (pages > MOST_PAGES && !enough() && !newestFirst(all)) return incomplete(wire, `it has ${pages} pages`);
  return { is: 'ok', value: all.sort((a, b) => (b.enqueued_at ?? 0) - (a.enqueued_at ?? 0)) };
}

const incomplete = (wire: Wire, why: string): Answer<never> => ({
  is: 'unavailable',
  message: `the history of ${wire.address.host} cannot be read to its end: ${why}`,
});

const newestFirst = (rows: readonly HistoryRow[]): boolean =>
  rows.every((row, n) => {
    const before = n === 0 ? Number.POSITIVE_INFINITY : rows[n - 1]?.enqueued_at;
    return row.enqueued_at !== undefined && before !== undefined && row.enqueued_at <= before;
  });
