/** JSON from outside → the types of `api/`. Undefined where it is not what the document promises; what is merely odd is left out. */
import type { CatalogModel, DeploymentStatus, Pricing } from '../api/catalog.ts';
import type { GenerationRecord, HistoryRow } from '../api/queue.ts';
import type { FineTune } from '../api/tuning.ts';
import type { JsonObject } from '../domain/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `generations[0].generation_id` of an enqueue's answer. */
export function acceptedId(json: unknown): string | undefined {
  return id(fields(list(fields(json)?.generations)?.[0])?.generation_id);
}

/**
 * Where the media of a synchronous answer is. The document does not show it: observed are `videos` and `images`; `result_url` is
 * its own word for "location of the produced media".
 */
export function mediaUrls(json: unknown): readonly string[] {
  const from = fields(json);
  const items = [from?.videos, from?.images, from?.data].flatMap(value => list(value) ?? []);
  const found = [...items.map(item => fields(item)?.url), from?.result_url];
  return found.filter(url => typeof url === 'string' && URL.canParse(url)) as string[];
}

/** "200 with a JSON object holding the wrapped fine-tune object"; `asked` stands in where it does not repeat its id. */
export function fineTune(json: unknown, asked: string): FineTune | undefined {
  const inner = fields(fields(json)?.fine_tune) ?? fields(json);
  if (inner === undefined) return undefined;
  const { status, ...rest } = inner as JsonObject;
  return { ...rest, id: id(inner.id) ?? asked, ...optional('status', text(status)) };
}

/** The data of a `media_generation_completed` event. */
export const completedId = (json: unknown): string | undefined => id(fields(json)?.generation_id);

/** `asked` stands in where the record does not repeat its own id. */
export function generationRecord(json: unknown, asked?: string): GenerationRecord | undefined {
  const from = fields(json);
  const generation_id = id(from?.generation_id ?? asked);
  if (from === undefined || generation_id === undefined || typeof from.status !== 'string') return undefined;
  const media = from.media_type;
  return {
    generation_id,
    status: from.status,
    ...optional('result_url', orNull(text, from.result_url)),
    ...optional('error_message', orNull(text, from.error_message)),
    ...optional('model_name', text(from.model_name)),
    ...(media === 'image' || media === 'video' ? { media_type: media } : {}),
    ...optional('enqueued_at', number(from.enqueued_at)),
    ...optional('started_at', orNull(number, from.started_at)),
    ...optional('completed_at', orNull(number, from.completed_at)),
    ...optional('position', orNull(number, from.position)),
    ...optional('progress', orNull(number, from.progress)),
  };
}

/** The row's own parameters stay as they are: they tell whose request it was. */
export function historyRow(json: unknown): HistoryRow | undefined {
  const record = generationRecord(json);
  if (record === undefined) return undefined;
  const cost = fields(json)?.cost;
  return { ...(json as JsonObject), ...record, cost: typeof cost === 'number' ? String(cost) : (text(cost) ?? null) };
}

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** 1 is the first; undefined when the service does not say. */
  readonly page: number | undefined;
  readonly pages: number | undefined;
}

export function historyPage(json: unknown): HistoryPage | undefined {
  const from = fields(json);
  const rows = list(from?.generations)?.map(historyRow);
  // A row that cannot be read might be the very one that is looked for.
  if (from === undefined || rows === undefined || !rows.every(row => row !== undefined)) return undefined;
  return { rows, page: number(from.page_number), pages: number(from.total_pages) };
}

/** The list envelope, or a bare list. Items without an id are left out. */
export function modelList(json: unknown): readonly CatalogModel[] | undefined {
  return (list(json) ?? list(fields(json)?.data))?.map(catalogModel).filter(model => model !== undefined);
}

export function catalogModel(json: unknown): CatalogModel | undefined {
  const from = fields(json);
  const name = text(from?.id);
  if (from === undefined || name === undefined || name === '') return undefined;
  const able = fields(from.capabilities);
  const developer = fields(from.developer);
  return {
    id: name,
    object: 'model',
    created: number(from.created) ?? 0,
    owned_by: text(from.owned_by) ?? '',
    display_name: text(from.display_name) ?? name,
    description: text(from.description) ?? null,
    summary: text(from.summary) ?? null,
    model_type: from.model_type === 'custom' ? 'custom' : 'base',
    endpoint: text(from.endpoint) ?? '',
    capabilities: { input: texts(able?.input), output: texts(able?.output) },
    pricing: pricing(from.pricing),
    fine_tuning: object(from.fine_tuning) ?? null,
    deployments: (list(from.deployments) ?? []).map(item => ({ status: deployment(fields(item)?.status) })),
    developer: (developer && { name: text(developer.name) ?? '', logo: text(developer.logo) ?? null }) || null,
    source_model: text(from.source_model) ?? null,
    image_url: text(from.image_url) ?? null,
    released_at: text(from.released_at) ?? null,
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
    return priced.length > 0 ? [[quality, Object.fromEntries(priced)] as const] : [];
  });
  return {
    method: METHODS.find(method => method === from.method) ?? 'time',
    ...Object.fromEntries(PRICES.flatMap(name => (name in from ? [[name, number(from[name]) ?? null]] : []))),
    ...(tiers.length > 0 && { cost_per_second_by_resolution: Object.fromEntries(tiers) }),
    ...(grid.length > 0 && { cost_per_image_grid: Object.fromEntries(grid) }),
  };
}

/** Prices by name; what is no number is none. */
const rates = (json: unknown): readonly (readonly [name: string, price: number])[] =>
  Object.entries(fields(json) ?? {}).flatMap(([name, value]) => {
    const price = number(value);
    return price === undefined ? [] : [[name, price] as const];
  });

const DEPLOYMENTS: readonly DeploymentStatus[] = ['active', 'inactive', 'deploying', 'deactivating', 'error'];
const deployment = (value: unknown): DeploymentStatus => DEPLOYMENTS.find(status => status === value) ?? 'unknown';

/** An id goes into paths and messages: short, and without anything that could steer a terminal. */
const id = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^\p{Cc}\p{Cf}\s]{1,512}$/u.test(value) ? value : undefined;

const fields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const object = (value: unknown): JsonObject | undefined => fields(value) as JsonObject | undefined;
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const texts = (value: unknown): readonly string[] => (list(value) ?? []).filter(item => typeof item === 'string');
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const orNull = <T>(read: (value: unknown) => T | undefined, value: unknown): T | null | undefined =>
  value === null ? null : read(value);
const optional = <Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: T };
