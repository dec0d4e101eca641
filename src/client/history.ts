/** The service's list of generations, page by page. A page that fails is asked for again alone: the pages before it are kept. */
import type { HistoryRow } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Answer, HistoryQuery } from '../api/service.ts';
import { backoff } from '../machine/time/backoff.ts';
import { getJson } from './idempotent-requests.ts';
import type { Transport } from './transport.ts';
import { decodeHistoryPage, type HistoryPage } from './wire/decode-generation.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 100;

/** How often a page is asked for; milliseconds before the second time, doubled with each; the longest wait that a service may ask for. */
const MAX_TRIES = 4;
const FIRST_DELAY = 1000;
const MAX_DELAY = 60_000;

/** No document shows how a page is asked for. The second page shows which spelling was understood. */
const PAGE_PARAMETERS = ['page', 'page_number'] as const;
type Spelling = (typeof PAGE_PARAMETERS)[number];

export async function history(
  transport: Transport,
  signal: AbortSignal,
  query: HistoryQuery = {},
): Promise<Answer<readonly HistoryRow[]>> {
  const ask = (spelling: Spelling, number: number): Promise<Answer<HistoryPage>> =>
    askAgainLater(transport, signal, () =>
      getJson(
        transport,
        {
          path: `${routes.generations}?${spelling}=${number}&page_size=${PAGE_SIZE}`,
          what: 'a history',
          decode: decodeHistoryPage,
        },
        signal,
      ),
    );
  const pages = new HistoryPages(query);
  const isBounded = query.until !== undefined || query.since !== undefined;
  let spelling: Spelling = 'page';
  let of: number | undefined;
  for (let number = 1; number <= MAX_PAGES; number++) {
    let answer = await ask(spelling, number);
    if (number === 2 && answer.is === 'ok' && mayBeMisunderstood(pages, answer.value)) {
      const other = await ask('page_number', number);
      if (other.is === 'ok' && pages.goesOn(other.value, number)) [spelling, answer] = ['page_number', other];
    }
    if (answer.is === 'absent' && number > 1)
      return incomplete(transport, `page ${number} is not there (${answer.message})`);
    if (answer.is !== 'ok') return answer;
    of = answer.value.pages ?? of;
    query.page?.(number, of);
    const verdict = pages.take(answer.value, number);
    if (verdict.is === 'whole') return { is: 'ok', value: pages.rows };
    if (verdict.is === 'holed') return incomplete(transport, verdict.why);
    // The whole history is wanted, and it is longer than what is read.
    if (!isBounded && of !== undefined && of > MAX_PAGES) break;
  }
  return incomplete(transport, of === undefined ? `it goes on after page ${MAX_PAGES}` : `it has ${of} pages`);
}

const mayBeMisunderstood = (pages: HistoryPages, second: HistoryPage): boolean =>
  second.page !== 2 && second.rows.length > 0 && !pages.goesOn(second, 2);

async function askAgainLater<T>(
  transport: Transport,
  signal: AbortSignal,
  ask: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (answer.is !== 'unavailable' || tries === MAX_TRIES || signal.aborted) return answer;
    // A longer wait is for the caller to decide; the answer holds its length.
    if ((answer.retryAfter ?? 0) > MAX_DELAY) return answer;
    await transport.clock.sleep(
      backoff(tries - 1, { first: FIRST_DELAY, longest: MAX_DELAY, retryAfter: answer.retryAfter }),
      signal,
    );
    if (signal.aborted) return answer;
  }
}

const incomplete = (transport: Transport, why: string): Answer<never> => ({
  is: 'unavailable',
  message: `the history of ${transport.base.host} cannot be read to its end: ${why}`,
  incomplete: true,
});

type Verdict = { readonly is: 'more' | 'whole' } | { readonly is: 'holed'; readonly why: string };

const MORE: Verdict = { is: 'more' };
const WHOLE: Verdict = { is: 'whole' };
const holed = (why: string): Verdict => ({ is: 'holed', why });

/**
 * The pages of a history, put together, and whether they are all of it. "Not there" leads to a second, paid POST: so every reason
 * to doubt makes the list one that cannot be read to its end.
 *
 * Where the service counts its pages or its rows, the counts decide. Where it does not, a page that is empty or shorter than the first
 * is the last, and so are two pages in a row with nothing new, once another page has shown that pages can be asked for at all:
 * a service that takes no notice of the page gives the first one again and again.
 */
class HistoryPages {
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
