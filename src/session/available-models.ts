/** The models a pipeline file may name: the interface document's labels, and what the service's own catalog has beside them. */
import type { CatalogModel } from '../api/catalog.ts';
import { modelLibrary } from '../api/model-library.ts';
import type { Model, ModelLibrary } from '../domain/model.ts';
import { customModels } from '../studio/index.ts';
import { modelFromCatalog } from './model-from-catalog.ts';

/** What the built-in studio offers is known without asking it. */
export const studioLibrary: ModelLibrary = beside(customModels(modelLibrary));

/** @param found the service's catalog; a label means what the document says, whatever the catalog tells of it. */
export const catalogLibrary = (found: readonly CatalogModel[]): ModelLibrary =>
  beside(
    found
      .filter(({ id }) => modelLibrary.get(id) === undefined)
      .map(modelFromCatalog)
      .filter(model => model !== undefined),
  );

function beside(more: readonly Model[]): ModelLibrary {
  const byLabel = new Map(more.map(model => [model.label, model]));
  return {
    get: label => modelLibrary.get(label) ?? byLabel.get(label),
    labels: [...modelLibrary.labels, ...byLabel.keys()],
  };
}
