/** What the service lists, page by page. A page that fails is asked for again by itself: those before it were read for good. */

import type { HistoryRow } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Answer, HistoryQuery } from '../api/service.ts';
import { backoff } from '../host/backoff.ts';
import { decodeHistoryPage, type HistoryPage } from './decode.ts';
import { HistoryPages } from './history-pages.ts';
import { getJson } from './read-json.ts';
import type { Transport } from './transport.ts';

const PAGE_SIZE = 100;
const MOST_PAGES = 100;

/** Times a page is asked for; milliseconds before the second time, which double with each; the longest that a service may ask for. */
const TRIES = 4;
const WAIT = 1000;
const LONGEST_WAIT = 60_000;

/** How a page is asked for is nowhere shown: what comes as the second page tells which spelling was understood. */
const SPELLINGS = ['page', 'page_number'] as const;
type Spelling = (typeof SPELLINGS)[number];

export async function history(
  transport: Transport,
  signal: AbortSignal,
  query: HistoryQuery = {},
): Promise<Answer<readonly HistoryRow[]>> {
  const ask = (spelling: Spelling, number: number): Promise<Answer<HistoryPage>> =>
    askAgainLater(transport, signal, () =>
      getJson(
        transport,
        `${routes.generations}?${spelling}=${number}&page_size=${PAGE_SIZE}`,
        'a history',
        signal,
        decodeHistoryPage,
      ),
    );
  const pages = new HistoryPages(query);
  const isBounded = query.until !== undefined || query.since !== undefined;
  let spelling: Spelling = 'page';
  let of: number | undefined;
  for (let number = 1; number <= MOST_PAGES; number++) {
    let answer = await ask(spelling, number);
    if (number === 2 && answer.is === 'ok' && mayBeMisunderstood(pages, answer.value)) {
      const other = await ask('page_number', number);
      if (other.is === 'ok' && pages.goesOn(other.value, number)) [spelling, answer] = ['page_number', other];
    }
    if (answer.is === 'absent' && number > 1)
      return holed(transport, `page ${number} is not there (${answer.message})`);
    if (answer.is !== 'ok') return answer;
    of = answer.value.pages ?? of;
    query.page?.(number, of);
    const verdict = pages.take(answer.value, number);
    if (verdict.is === 'whole') return { is: 'ok', value: pages.rows };
    if (verdict.is === 'holed') return holed(transport, verdict.why);
    // All of it is wanted, and that is out of reach.
    if (!isBounded && of !== undefined && of > MOST_PAGES) break;
  }
  return holed(transport, of === undefined ? `it goes on after page ${MOST_PAGES}` : `it has ${of} pages`);
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
    if (answer.is !== 'unavailable' || tries === TRIES || signal.aborted) return answer;
    // Who is to wait for long is told so: nobody asks sooner than that.
    if ((answer.retryAfter ?? 0) > LONGEST_WAIT) return answer;
    await transport.clock.sleep(
      backoff(tries - 1, { first: WAIT, longest: LONGEST_WAIT, retryAfter: answer.retryAfter }),
      signal,
    );
    if (signal.aborted) return answer;
  }
}

const holed = (transport: Transport, why: string): Answer<never> => ({
  is: 'unavailable',
  message: `the history of ${transport.base.host} cannot be read to its end: ${why}`,
  incomplete: true,
});
