/** Models by what they make of what: price, and what each is best for; on a wide page also its limits in a line. */
import type { CatalogModel } from '../../api/catalog.ts';
import { cellWidth, padEnd, wrapWords } from '../../domain/cells.ts';
import { cleanText } from '../../domain/clean.ts';
import { bestForOf, GROUPS, makesOf } from './model-groups.ts';
import { priceRange } from './model-prices.ts';

/** From here on there is room for a column more. */
const WIDE = 150;
/** Cells of a text that is broken into lines; a narrower page breaks the lines itself. */
const NARROWEST = 24;
/** Cells of what a model is best for, on a wide page; a pipe breaks nothing. */
const BEST_FOR = 56;

interface Row {
  readonly group: string;
  readonly id: string;
  readonly price: string;
  readonly byToken: boolean;
  readonly bestFor: string | undefined;
  readonly about: string;
  /** `(active)`, or empty. */
  readonly status: string;
}

/** @param width cells of a line; what is longer goes on below. */
export function modelList(models: readonly CatalogModel[], width = Number.POSITIVE_INFINITY): string {
  const rows = models.map(
    (model): Row => ({
      group: makesOf(model).group,
      id: cleanText(model.id),
      price: priceRange(model.pricing),
      byToken: model.pricing.method === 'token',
      bestFor: bestForOf(model),
      about: cleanText(aboutOf(model)),
      status: cleanText(statusOf(model)),
    }),
  );
  const ids = Math.max(...rows.map(({ id }) => cellWidth(id)));
  const prices = Math.max(...rows.map(({ price }) => cellWidth(price)));
  const text = width - ids - prices - 6;
  const bestFors = Math.max(0, ...rows.map(({ bestFor }) => cellWidth(bestFor ?? '')));
  const middle = Number.isFinite(width) ? Math.min(BEST_FOR, bestFors) : bestFors;
  return GROUPS.flatMap(group => {
    const members = rows.filter(row => row.group === group);
    if (members.length === 0) return [];
    const heading = members.some(row => row.byToken) ? `${group}, for a million tokens` : group;
    const lines = members.flatMap(row => {
      const [first = '', ...more] = textLines(row, text, width >= WIDE ? middle : undefined);
      const head = `  ${padEnd(row.id, ids)}  ${padEnd(row.price, prices)}  ${first}`.trimEnd();
      return [head, ...more.map(line => `${' '.repeat(ids + prices + 6)}${line}`)];
    });
    return [[...wrapWords(heading, width), ...lines].join('\n')];
  }).join('\n\n');
}

/** What stands behind the price. `middle`: cells of what it is best for, where its limits have a column of their own. */
function textLines({ bestFor, about, status }: Row, room: number, middle: number | undefined): readonly string[] {
  if (middle === undefined || bestFor === undefined)
    return wrapWords(`${bestFor ?? about} ${status}`.trim(), Math.max(NARROWEST, room));
  const left = wrapWords(bestFor, middle);
  const right = wrapWords(`${about} ${status}`.trim(), Math.max(NARROWEST, room - middle - 2));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${padEnd(left[at] ?? '', middle)}  ${right[at] ?? ''}`.trimEnd(),
  );
}

const aboutOf = ({ summary, display_name, id }: CatalogModel): string =>
  summary ?? (display_name === id ? '' : display_name);

function statusOf({ deployments }: CatalogModel): string {
  const known = deployments.filter(({ status }) => status !== 'unknown');
  return known.length === 0 ? '' : `(${known.map(({ status }) => status).join(', ')})`;
}
