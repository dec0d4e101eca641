/** Models by kind, one line each, aligned. */
import type { CatalogModel } from '../../api/catalog.ts';
import { cellWidth, clipEnd, padEnd } from '../../domain/cells.ts';
import { cleanText } from '../../domain/clean.ts';
import { KIND_NAMES, kindOf } from '../../session/model-kinds.ts';
import { priceRange } from './model-prices.ts';

/** @param width cells of a line; longer ones end in `…`. */
export function modelList(models: readonly CatalogModel[], width = Number.POSITIVE_INFINITY): string {
  const rows = models.map(model => ({
    kind: kindOf(model),
    id: cleanText(model.id),
    price: priceRange(model.pricing),
    byToken: model.pricing.method === 'token',
    about: cleanText(aboutOf(model)),
  }));
  const ids = Math.max(...rows.map(({ id }) => cellWidth(id)));
  const prices = Math.max(...rows.map(({ price }) => cellWidth(price)));
  const kinds = Object.keys(KIND_NAMES) as (keyof typeof KIND_NAMES)[];
  return kinds
    .flatMap(kind => {
      const group = rows.filter(row => row.kind === kind);
      if (group.length === 0) return [];
      const lines = group.map(row => `  ${padEnd(row.id, ids)}  ${padEnd(row.price, prices)}  ${row.about}`.trimEnd());
      const heading = group.some(row => row.byToken) ? `${KIND_NAMES[kind]}, for a million tokens` : KIND_NAMES[kind];
      return [[heading, ...lines.map(line => clipEnd(line, width))].join('\n')];
    })
    .join('\n\n');
}

function aboutOf({ summary, display_name, id, deployments }: CatalogModel): string {
  const about = summary ?? (display_name === id ? '' : display_name);
  const known = deployments.filter(({ status }) => status !== 'unknown');
  const status = known.map(deployment => deployment.status).join(', ');
  return status === '' ? about : `${about} (${status})`;
}
