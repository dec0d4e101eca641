/**
 * JSON from outside → the models of a catalog. Undefined where it is not what the document promises; a field that is merely odd is left
 * out.
 */
import type { CatalogModel, DeploymentStatus, Pricing } from '../../api/catalog.ts';
import { fields, line, list, number, object, price, prose, text, word, words } from './json-fields.ts';

/** The list envelope, or a bare list. Items without an id are left out. */
export function decodeModelList(json: unknown): readonly CatalogModel[] | undefined {
  return (list(json) ?? list(fields(json)?.data))?.map(decodeModel).filter(model => model !== undefined);
}

export function decodeModel(json: unknown): CatalogModel | undefined {
  const from = fields(json);
  const name = text(from?.id);
  // A model without a clean name could be neither asked for nor shown under its own name.
  if (from === undefined || name === undefined || name === '' || word(name) !== name) return undefined;
  const able = fields(from.capabilities);
  const developer = fields(from.developer);
  return {
    id: name,
    object: 'model',
    created: number(from.created) ?? 0,
    owned_by: word(from.owned_by) ?? '',
    display_name: word(from.display_name) ?? name,
    description: prose(from.description) ?? null,
    summary: prose(from.summary) ?? null,
    model_type: from.model_type === 'custom' ? 'custom' : 'base',
    endpoint: word(from.endpoint) ?? '',
    capabilities: { input: words(able?.input), output: words(able?.output) },
    pricing: pricing(from.pricing),
    fine_tuning: object(from.fine_tuning) ?? null,
    deployments: (list(from.deployments) ?? []).map(item => ({ status: deployment(fields(item)?.status) })),
    developer: (developer && { name: word(developer.name) ?? '', logo: line(developer.logo) ?? null }) || null,
    source_model: word(from.source_model) ?? null,
    image_url: line(from.image_url) ?? null,
    released_at: word(from.released_at) ?? null,
    // "the model detail page also calls it `json_request_schema`" (Model object)
    request_schema: object(from.request_schema) ?? object(from.json_request_schema) ?? null,
  };
}

const METHODS: readonly Pricing['method'][] = ['token', 'time', 'per_image', 'per_video_output_second'];
const PRICES = [
  'input_cost_per_token',
  'output_cost_per_token',
  'cost_per_second',
  'cost_per_image',
  'cost_per_second_high_res',
  'cost_per_second_with_audio',
] as const;

function pricing(json: unknown): Pricing {
  const from = fields(json) ?? {};
  const tiers = rates(from.cost_per_second_by_resolution);
  const grid = Object.entries(fields(from.cost_per_image_grid) ?? {}).flatMap(([quality, row]) => {
    const priced = rates(row);
    return priced.length > 0 && word(quality) === quality ? [[quality, Object.fromEntries(priced)] as const] : [];
  });
  return {
    method: METHODS.find(method => method === from.method) ?? 'time',
    ...Object.fromEntries(PRICES.flatMap(name => (name in from ? [[name, price(from[name]) ?? null]] : []))),
    ...(tiers.length > 0 && { cost_per_second_by_resolution: Object.fromEntries(tiers) }),
    ...(grid.length > 0 && { cost_per_image_grid: Object.fromEntries(grid) }),
  };
}

/** Prices by name; an entry that is no number is left out. */
const rates = (json: unknown): readonly (readonly [name: string, price: number])[] =>
  Object.entries(fields(json) ?? {}).flatMap(([name, value]) => {
    const rate = price(value);
    return rate === undefined || word(name) !== name ? [] : [[name, rate] as const];
  });

const DEPLOYMENTS: readonly DeploymentStatus[] = ['active', 'inactive', 'deploying', 'deactivating', 'error'];
const deployment = (value: unknown): DeploymentStatus => DEPLOYMENTS.find(status => status === value) ?? 'unknown';
