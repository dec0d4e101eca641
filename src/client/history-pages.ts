/**
 * The pages of a history, put together, and whether they are all of it. "Not there" leads to a second, paid POST: so every reason
 * to doubt makes the list one that cannot be read to its end.
 *
 * Where the service counts its pages or its rows, the counts decide. Where it does not, a page that is empty or shorter than the first
 * is the last, and so are two pages in a row with nothing new, once another page has shown that pages can be asked for at all:
 * a service that takes no notice of the page gives the first one again and again.
 */
import type { HistoryRow } from '../api/queue.ts';
import type { HistoryQuery } from '../api/service.ts';
import type { HistoryPage } from './wire/decode-generation.ts';

type Verdict = { readonly is: 'more' | 'whole' } | { readonly is: 'holed'; readonly why: string };

const MORE: Verdict = { is: 'more' };
const WHOLE: Verdict = { is: 'whole' };
const holed = (why: string): Verdict => ({ is: 'holed', why });

export class HistoryPages {
  readonly #query: HistoryQuery;
  /** New rows push older ones on to the next page while we read: doubles, which this map takes out. */
  readonly #rows = new Map<string, HistoryRow>();
  #first: HistoryPage | undefined;
  #last: HistoryPage | undefined;
  /** Unix seconds of the first row, where the first page is newest first. Rows that were enqueued later came after the reading began. */
  #newest = Number.POSITIVE_INFINITY;
  /** Pages in a row that brought nothing new. */
  #idle = 0;
  #moved = false;
  /** Rows that stood twice on one page; the service's own counts count them twice. */
  #duplicates = 0;
  /** Unix seconds of the first row and of the last, for as long as no row was newer than the one before it. */
  #order: { readonly from: number; readonly to: number } | 'none' | undefined;

  constructor(query: HistoryQuery) {
    this.#query = query;
  }

  /** Newest first. */
  get rows(): readonly HistoryRow[] {
    return [...this.#rows.values()].sort((a, b) => (b.enqueued_at ?? 0) - (a.enqueued_at ?? 0));
  }

  /** Is this page `number`, or the first one again? Rows that came in the meantime prove nothing. */
  goesOn(page: HistoryPage, number: number): boolean {
    if (page.page !== undefined && page.page !== number) return false;
    const top = this.#first?.rows[0];
    if (page.rows.some(row => row.generation_id === top?.generation_id)) return false;
    const isNew = (row: HistoryRow) => !this.#rows.has(row.generation_id) && !((row.enqueued_at ?? 0) > this.#newest);
    return page.rows.some(isNew);
  }

  /** Takes page `number`, which must be the next. */
  take(page: HistoryPage, number: number): Verdict {
    const isNew = number === 1 || this.goesOn(page, number);
    const before = this.#last;
    this.#first ??= page;
    this.#last = { ...page, pages: page.pages ?? before?.pages, entries: page.entries ?? before?.entries };
    this.#idle = isNew ? 0 : this.#idle + 1;
    this.#moved ||= number > 1 && isNew;
    this.#duplicates += page.rows.length - new Set(page.rows.map(row => row.generation_id)).size;
    for (const row of page.rows) {
      this.#order = inOrder(this.#order, row.enqueued_at);
      if (!this.#rows.has(row.generation_id)) this.#rows.set(row.generation_id, row);
    }
    if (number === 1 && this.#isNewestFirst) this.#newest = page.rows[0]?.enqueued_at ?? this.#newest;
    if (this.#hasAllThatIsAsked(page)) return WHOLE;
    if (shrunk(before, this.#last)) return holed('rows went away while it was read');
    const { pages } = this.#last;
    return pages === undefined ? this.#uncounted(page, number) : this.#counted(page, number, pages);
  }

  #hasAllThatIsAsked(page: HistoryPage): boolean {
    const { until, since } = this.#query;
    if (until !== undefined && [...until].every(id => this.#rows.has(id))) return true;
    if (since === undefined || !this.#isNewestFirst || page.rows.length === 0) return false;
    // Reading ends at a whole page of old rows: a single row may stand in the wrong place.
    return page.rows.every(row => (row.enqueued_at ?? since) < since);
  }

  /** False for rows that were all enqueued in one second: their order is unknown. */
  get #isNewestFirst(): boolean {
    return typeof this.#order === 'object' && this.#order.from > this.#order.to;
  }

  #counted(page: HistoryPage, number: number, pages: number): Verdict {
    // New rows are the only honest reason for a whole page of doubles, and then the count has grown.
    if (this.#idle > 0 && pages <= (this.#first?.pages ?? 0))
      return holed(`page ${number} of ${pages} cannot be asked for`);
    const isShort = this.#entries() === undefined && page.rows.length < this.#first!.rows.length;
    if (number < pages && (isShort || page.rows.length === 0)) return holed(`page ${number} of ${pages} is not whole`);
    return number < pages ? MORE : this.#unlessMissing();
  }

  #uncounted(page: HistoryPage, number: number): Verdict {
    const entries = this.#entries();
    if (entries !== undefined && this.#given >= entries) return WHOLE;
    if (page.rows.length === 0) return this.#unlessMissing();
    if (number === 1) return MORE;
    if (!this.#moved) return holed(`page ${number} cannot be asked for, and it does not tell how many there are`);
    const isShort = this.#idle === 0 && page.rows.length < (this.#first?.rows.length ?? 0);
    return isShort || this.#idle === 2 ? this.#unlessMissing() : MORE;
  }

  #unlessMissing(): Verdict {
    const least = Math.max(this.#entries() ?? 0, this.#first?.count ?? 0);
    return this.#given >= least ? WHOLE : holed(`it counts ${least} rows and gave ${this.#given}`);
  }

  get #given(): number {
    return this.#rows.size + this.#duplicates;
  }

  /** How many there are in all. A count that the first page alone exceeds is not believed. */
  #entries(): number | undefined {
    const entries = this.#first?.entries;
    return entries !== undefined && entries >= this.#first!.rows.length ? entries : undefined;
  }
}

/** Whether rows were removed: a row may have moved to a page that had been read already. */
const shrunk = (before: HistoryPage | undefined, now: HistoryPage): boolean =>
  (now.entries ?? 0) < (before?.entries ?? 0) || (now.pages ?? 0) < (before?.pages ?? 0);

function inOrder(
  order: { readonly from: number; readonly to: number } | 'none' | undefined,
  at: number | undefined,
): { readonly from: number; readonly to: number } | 'none' {
  if (order === 'none' || at === undefined || (order !== undefined && at > order.to)) return 'none';
  return { from: order?.from ?? at, to: at };
}
