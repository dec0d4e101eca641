/**
 * JSON from outside → generations, their history and fine-tunes. Undefined where it is not what the document promises; a field that is
 * merely odd is left out.
 */

import type { CatalogModel, DeploymentStatus, Pricing } from '../../api/catalog.ts';
import type { FineTune } from '../../api/fine-tunes.ts';
import { type GenerationRecord, type HistoryRow, isTerminal } from '../../api/queue.ts';
import { usdOf } from '../../model/money.ts';
import type { JsonObject } from '../../model/text/json.ts';
import {
  atLeastZero,
  fields,
  line,
  list,
  number,
  object,
  optional,
  orNull,
  price,
  prose,
  share,
  text,
  word,
  words,
} from './json-fields.ts';
import { MASK } from './key-redactor.ts';

/** `generations[0].generation_id` of an enqueue's answer. */
export function acceptedId(json: unknown): string | undefined {
  return id(fields(list(fields(json)?.generations)?.[0])?.generation_id);
}

/**
 * The URLs of the media in a synchronous answer. The document does not show where they stand: `videos` and `images` are observed, and
 * `result_url` is its own word for "location of the produced media".
 */
export function mediaUrls(json: unknown): readonly string[] {
  const from = fields(json);
  const items = [from?.videos, from?.images, from?.data].flatMap(value => list(value) ?? []);
  const found = [...items.map(item => fields(item)?.url), from?.result_url];
  return found.filter(url => typeof url === 'string' && URL.canParse(url)) as string[];
}

/** "200 with a JSON object holding the wrapped fine-tune object"; `asked` is its id where it does not repeat it. */
export function decodeFineTune(json: unknown, asked: string): FineTune | undefined {
  const inner = fields(fields(json)?.fine_tune) ?? fields(json);
  if (inner === undefined) return undefined;
  const { status, ...rest } = inner as JsonObject;
  return { ...rest, id: id(inner.id) ?? asked, ...optional('status', word(status)) };
}

/** The data of a `media_generation_completed` event. */
export const completedId = (json: unknown): string | undefined => id(fields(json)?.generation_id);

/** `asked` is its id where the record does not repeat it. */
export function decodeGeneration(json: unknown, asked?: string): GenerationRecord | undefined {
  const from = fields(json);
  const generation_id = id(from?.generation_id ?? asked);
  const state = status(from?.status);
  if (from === undefined || generation_id === undefined || state === undefined) return undefined;
  const media = from.media_type;
  return {
    generation_id,
    status: state,
    ...optional('result_url', orNull(text, from.result_url)),
    ...optional('error_message', orNull(reason, from.error_message)),
    ...optional('model_name', word(from.model_name)),
    ...(media === 'image' || media === 'video' ? { media_type: media } : {}),
    ...optional('enqueued_at', time(from.enqueued_at)),
    ...optional('started_at', orNull(time, from.started_at)),
    ...optional('completed_at', orNull(time, from.completed_at)),
    ...optional('position', orNull(atLeastZero, from.position)),
    ...optional('progress', orNull(share, from.progress)),
    ...optional('preview_url', orNull(text, from.preview_url)),
  };
}

/** The row's own parameters stay as they are: they identify the request. */
export function decodeHistoryRow(json: unknown): HistoryRow | undefined {
  const record = decodeGeneration(json);
  if (record === undefined) return undefined;
  const from = json as JsonObject;
  const { cost, idempotency_key } = from;
  return {
    ...Object.fromEntries(Object.entries(from).filter(([name]) => !OURS.has(name))),
    ...record,
    cost: decimal(cost),
    ...optional('idempotency_key', orNull(text, idempotency_key)),
  };
}

/** A cost as the service writes it; null where it is none. */
function decimal(value: unknown): string | null {
  const shown = typeof value === 'number' ? String(value) : text(value);
  return shown === undefined || usdOf(shown) === null ? null : shown;
}

/** Seconds since 1970, up to the last that a date can tell (ECMA-262, 21.4.1.1). */
function time(value: unknown): number | undefined {
  const seconds = atLeastZero(value);
  return seconds !== undefined && seconds <= 8.64e12 ? seconds : undefined;
}

/** The fields of a row that are not the request's own parameters. They are taken only where they have the right type. */
const OURS: ReadonlySet<string> = new Set([
  ...['generation_id', 'status', 'result_url', 'error_message', 'model_name', 'media_type', 'enqueued_at'],
  ...['started_at', 'completed_at', 'position', 'progress', 'preview_url', 'cost'],
  'idempotency_key',
]);

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** 1 is the first; undefined when the service does not say. */
  readonly page: number | undefined;
  readonly pages: number | undefined;
  /** Rows of all pages together. */
  readonly entries: number | undefined;
  /** Rows of this page, or of all pages: services differ. Either way there are at least so many. */
  readonly count: number | undefined;
}

export function decodeHistoryPage(json: unknown): HistoryPage | undefined {
  const from = fields(json);
  const rows = list(from?.generations)?.map(decodeHistoryRow);
  // One row that cannot be read spoils the page: it might be the very one that is looked for.
  if (from === undefined || rows === undefined || !rows.every(row => row !== undefined)) return undefined;
  const { page_number, total_pages, total_entries, count } = from;
  return {
    rows,
    ...{ page: whole(page_number), pages: whole(total_pages), entries: whole(total_entries), count: whole(count) },
  };
}

/** Zero counts as absent, because some services never count. */
const whole = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;

/** An id goes into paths and messages: it is short, cannot steer a terminal, and does not contain the place of a key. */
const id = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^\p{C}\s]{1,512}$/u.test(value) && !value.includes(MASK) ? value : undefined;

/**
 * The status as a word that is fit for messages. Only the exact words end a generation: a word that had to be cleaned first is quoted,
 * so that it is not one of them.
 */
function status(value: unknown): string | undefined {
  const shown = word(value);
  return shown !== undefined && shown !== value && isTerminal(shown) ? `"${shown}"` : shown;
}

/** Why a generation failed, in one line; it may be shortened further where it is shown. */
const reason = (value: unknown): string | undefined => line(typeof value === 'string' ? value.slice(0, 4000) : value);

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
