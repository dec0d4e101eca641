/** Observed: "GET /api/ai/generations", newest first, in pages. */

import { invalid } from '../../http-refusal.ts';
import { ok } from '../../reply.ts';
import { totalCost } from '../generation-cost.ts';
import { historyRowOf } from '../generation-json.ts';
import { FILTER_PARAMETERS, filtersOf } from '../list-filters.ts';
import type { ApiRoute } from '../route.ts';

const PAGE_SIZE = 50;
const LARGEST_PAGE = 500;
const wholeFrom1 = { type: 'integer', minimum: 1 };

export const history: ApiRoute = {
  path: '/api/ai/generations',
  observed: ['GET'],
  handlers: {
    GET: ({ query }, studio) => {
      const filters = filtersOf(query);
      const number = positive(query, ['page_number', 'page'], 1, Number.MAX_SAFE_INTEGER);
      const size = positive(query, ['page_size'], PAGE_SIZE, LARGEST_PAGE);
      const page = studio.table.page(filters, size, number);
      return ok({
        count: page.rows.length,
        page_number: number,
        page_size: size,
        total_pages: Math.ceil(page.total / size),
        total_entries: page.total,
        total_cost: totalCost(studio.table.costs(filters)),
        generations: page.rows.map(row => historyRowOf(row, studio)),
      });
    },
  },
  operations: {
    GET: {
      id: 'listHistory',
      tag: 'Queue',
      summary: 'All generations, newest first, in pages',
      query: {
        ...FILTER_PARAMETERS,
        page: wholeFrom1,
        page_number: wholeFrom1,
        page_size: { ...wholeFrom1, maximum: LARGEST_PAGE },
      },
      gives: { schema: 'History' },
      errors: [400],
    },
  },
};

function positive(query: URLSearchParams, names: readonly string[], otherwise: number, most: number): number {
  for (const name of names) {
    const text = query.get(name);
    if (text === null) continue;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= 1 && value <= most) return value;
    throw invalid([{ path: name, message: `${name} must be a whole number from 1${most > 1e9 ? '' : ` to ${most}`}` }]);
  }
  return otherwise;
}
