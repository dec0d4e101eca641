/** Models of a catalog as a list, for a person and for a program. */
import type { CatalogModel } from '../../api/catalog.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import type { Catalog } from './model-catalog.ts';
import { bestForOf, makesOf } from './model-groups.ts';
import { modelList } from './model-list.ts';

export const catalogText = (models: readonly CatalogModel[], { footnote }: Catalog, isJson: boolean): string =>
  `${isJson ? indentedJson({ object: 'list', data: models.map(withMakes) }) : listText(models, footnote)}\n`;

/** The catalog's Model object, with what it makes of what, and what it is best for. */
export function withMakes(model: CatalogModel) {
  const { from, to } = makesOf(model);
  const bestFor = bestForOf(model);
  return { ...model, makes: { from, to }, ...(bestFor !== undefined && { best_for: bestFor }) };
}

function listText(models: readonly CatalogModel[], footnote: string): string {
  if (models.length === 0) return 'no model fits';
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  return `${modelList(models, width)}\n\n${footnote}`;
}
