/** The catalog: every label as the document's Model object ("Model object", "Pricing object"), then the custom models. Ids are the labels. */
import type { CatalogModel, Pricing } from '../../api/catalog.ts';
import type { FieldSchema, Model, ModelLibrary } from '../../model/model.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { ChatUpstream } from '../writer/chat-upstream.ts';
import { type ChatBackend, upstreamBackend, WRITER_NATURE } from '../writer/index.ts';
import { isCustom, OWNER, type StudioLibrary, withCustomModels } from './custom-models.ts';
import type { Deployments } from './records/deployments.ts';

export interface Catalog {
  /** As they are now: base models first. */
  readonly models: readonly CatalogModel[];
  get(id: string): CatalogModel | undefined;
}

interface CatalogOptions {
  /** Keep to the values the document lists, where the observed ones are more telling. */
  readonly strict: boolean;
  readonly chat: Pick<ChatBackend, 'description'>;
}

export function catalog(
  library: StudioLibrary,
  deployments: Pick<Deployments, 'lastKnown'>,
  how: CatalogOptions,
): Catalog {
  const tuneable = new Set(library.custom.map(({ source }) => source));
  const get = (label: string): CatalogModel | undefined => {
    const model = library.get(label);
    if (model === undefined) return undefined;
    const status = isCustom(model) ? deployments.lastKnown(label) : undefined;
    return {
      ...describe(model, how),
      fine_tuning: tuneable.has(label) ? { actions: [model.kind], cost_per_second: TUNING_PRICE } : null,
      ...(isCustom(model) ? { model_type: 'custom', owned_by: OWNER, source_model: model.source } : {}),
      deployments: status === undefined ? [] : [{ status }],
    };
  };
  return {
    get models() {
      return library.labels.map(get).filter(model => model !== undefined);
    },
    get,
  };
}

/** Unix seconds: 1 November 2025, the day the interface was written down. */
const REGISTERED = 1_761_955_200;
/** US dollars for each second of training; nothing is trained here. */
const TUNING_PRICE = 0.002;

const DRAWN =
  'Drawn by the built-in studio as an animatic: real, playable media at the asked size and length, from which cut, framing, timing and wiring can be judged.';

function describe(model: Model, { strict, chat }: CatalogOptions): CatalogModel {
  const nature = model.produces === 'text' ? chat.description : `${DRAWN} No AI model runs.`;
  return {
    id: model.label,
    object: 'model',
    created: REGISTERED,
    owned_by: 'studio',
    display_name: model.label,
    description: `${model.summary}. ${nature} Nothing is charged, and prices are examples.`,
    summary: model.summary,
    model_type: 'base',
    endpoint: documentedEndpoint(model.endpoint),
    capabilities: { input: inputs(model), output: [model.produces] },
    pricing: (strict ? documentedPrices(model.pricing) : model.pricing) as unknown as Pricing,
    fine_tuning: null,
    deployments: [],
    developer: { name: 'Shotlist', logo: null },
    source_model: null,
    image_url: null,
    released_at: null,
    request_schema: model.request as unknown as JsonObject,
  };
}

/** "One of `/chat/completions`, `/images/generate`, `/videos/generate`": an edit is an image like any other, and its own route is known by its kind. */
const documentedEndpoint = (endpoint: Model['endpoint']): string =>
  endpoint === '/images/edit' ? '/images/generate' : endpoint;

/** The document's fields; tables by resolution and quality were only observed. */
const documentedPrices = ({
  cost_per_second_by_resolution: _,
  cost_per_image_grid: __,
  ...documented
}: JsonObject): JsonObject => documented;

function inputs(model: Model): readonly string[] {
  if (model.chat) return model.chat.acceptsImages ? ['text', 'image'] : ['text'];
  const media = Object.values(model.request.properties).flatMap(field => mediaOf(field)?.kind ?? []);
  return [...new Set(['prompt' in model.request.properties ? 'text' : [], media].flat())];
}

/** What the URLs of a field must lead to; a list has it on its items. */
const mediaOf = (field: FieldSchema) => field.media ?? field.items?.media;

/** The catalog without a studio: no server, no state on disk, and nothing known of how deployments stand. A model for tests is found by its id only. */
export function staticCatalog(library: ModelLibrary, upstream?: ChatUpstream): Catalog {
  const offered = withCustomModels(library, { register: () => {} });
  const lastKnown = (label: string) => {
    const model = offered.get(label);
    return model && isCustom(model) ? 'unknown' : undefined;
  };
  const all = catalog(
    offered,
    { lastKnown },
    { strict: false, chat: upstream ? upstreamBackend(upstream) : { description: WRITER_NATURE } },
  );
  return {
    get models() {
      return all.models.filter(({ id }) => !offered.get(id)?.forTests);
    },
    get: all.get,
  };
}
