/** The catalog: every label as the document's Model object ("Model object", "Pricing object"). Ids are the labels. */
import type { CatalogModel, Pricing } from '../api/catalog.ts';
import type { JsonObject } from '../domain/json.ts';
import type { FieldSchema, Model, ModelLibrary } from '../domain/model.ts';

export interface Catalog {
  readonly models: readonly CatalogModel[];
  get(id: string): CatalogModel | undefined;
}

/** @param strict keep to the values the document lists, where the observed ones are more telling. */
export function catalog(library: ModelLibrary, strict: boolean): Catalog {
  const byId = new Map<string, CatalogModel>();
  for (const label of library.labels) {
    const model = library.get(label);
    if (model) byId.set(label, describe(model, strict));
  }
  return { models: [...byId.values()], get: id => byId.get(id) };
}

/** Unix seconds: 1 November 2025, the day the interface was written down. */
const REGISTERED = 1_761_955_200;

function describe(model: Model, strict: boolean): CatalogModel {
  return {
    id: model.label,
    object: 'model',
    created: REGISTERED,
    owned_by: 'studio',
    display_name: model.label,
    description: `${model.summary}. Drawn by the built-in studio as an animatic: real, playable media at the asked size and length, from which cut, framing, timing and wiring can be judged. No AI model runs; nothing is charged, and prices are examples.`,
    summary: model.summary,
    model_type: 'base',
    endpoint: strict && model.endpoint === '/images/edit' ? '/images/generate' : model.endpoint,
    capabilities: { input: inputs(model), output: [model.produces] },
    pricing: model.pricing as unknown as Pricing,
    fine_tuning: null,
    deployments: [],
    developer: { name: 'Shotlist', logo: null },
    source_model: null,
    image_url: null,
    released_at: null,
    request_schema: model.request as unknown as JsonObject,
  };
}

function inputs(model: Model): readonly string[] {
  const media = Object.values(model.request.properties).flatMap(field => mediaOf(field)?.kind ?? []);
  return [...new Set(['prompt' in model.request.properties ? 'text' : [], media].flat())];
}

/** What the URLs of a field must lead to; a list says it on its items. */
export const mediaOf = (field: FieldSchema) => field.media ?? field.items?.media;
