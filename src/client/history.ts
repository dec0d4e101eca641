/** The service's list of generations, page by page. A page that fails is asked for again alone: the pages before it are kept. */

import type { HistoryRow } from '../api/queue.ts';
import { routes } from '../api/routes.ts';
import type { Answer, HistoryQuery } from '../api/service.ts';
import { backoff } from '../machine/time/backoff.ts';
import { HistoryPages } from './history-pages.ts';
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
      return holed(transport, `page ${number} is not there (${answer.message})`);
    if (answer.is !== 'ok') return answer;
    of = answer.value.pages ?? of;
    query.page?.(number, of);
    const verdict = pages.take(answer.value, number);
    if (verdict.is === 'whole') return { is: 'ok', value: pages.rows };
    if (verdict.is === 'holed') return holed(transport, verdict.why);
    // The whole history is wanted, and it is longer than what is read.
    if (!isBounded && of !== undefined && of > MAX_PAGES) break;
  }
  return holed(transport, of === undefined ? `it goes on after page ${MAX_PAGES}` : `it has ${of} pages`);
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

const holed = (transport: Transport, why: string): Answer<never> => ({
  is: 'unavailable',
  message: `the history of ${transport.base.host} cannot be read to its end: ${why}`,
  incomplete: true,
});
