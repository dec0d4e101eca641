/**
 * Finds the line of a catalog's price tables that applies to a request. The plan asks before, and the studio's bill afterwards. The
 * request decides, never what was drawn, so that both give one price. A resolution that the request leaves out is billed at the
 * catalog's general price. A value that nobody can know yet (one still to come, a sound the document tells no default of) is
 * priced at the dearest line that could apply: a film may turn out cheaper than its plan, never dearer.
 */
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import { isPending } from '../domain/plan.ts';
import type { Pricing } from './catalog.ts';

/**
 * US dollars for one second of output; undefined where no price applies. The most specific price wins (interface document, "Pricing
 * object").
 */
export function secondRate(
  pricing: Pricing,
  model: Pick<Model, 'returns'> | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): number | undefined {
  const { cost_per_second_high_res: highRes } = pricing;
  const table = tableIn(pricing.cost_per_second_by_resolution);
  const { from = 'resolution', default: fallback } = model?.returns.resolution ?? {};
  const label = request[from] ?? fallback;
  const general = anySize(pricing, model, request, facts);
  if (label === undefined) return general ?? dearest([...Object.values(table ?? {}), highRes]);
  if (typeof label !== 'string') return dearest([...Object.values(table ?? {}), highRes, general]);
  const exact = lineOf(table, label);
  if (typeof exact === 'number') return exact;
  return typeof highRes === 'number' && isHighRes(label) ? highRes : general;
}

/** US dollars for one image: observed, a grid of quality, then resolution; the price of any image where the request is on no line of it. */
export function imageRate(pricing: Pricing, { quality, resolution }: JsonObject): number | undefined {
  const { cost_per_image: any } = pricing;
  const grid = tableIn(pricing.cost_per_image_grid);
  const rows = isPending(quality) ? Object.values(grid ?? {}) : [lineOf(grid, quality)];
  const lines = rows
    .map(tableIn)
    .flatMap(row => (isPending(resolution) ? Object.values(row ?? {}) : [lineOf(row, resolution)]));
  if (isPending(quality) || isPending(resolution)) return dearest([...lines, any]);
  return (
    numberIn(lines[0]) ??
    numberIn(any) ??
    dearest(Object.values(grid ?? {}).flatMap(row => Object.values(tableIn(row) ?? {})))
  );
}

/** The price without a line for the resolution: with sound, without, or the dearer where nobody can say. */
function anySize(
  { cost_per_second: silent, cost_per_second_with_audio: withSound }: Pricing,
  model: Pick<Model, 'returns'> | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): number | undefined {
  const sound = soundOf(model, request, facts);
  if (sound === false) return numberIn(silent);
  return sound ? (numberIn(withSound) ?? numberIn(silent)) : dearest([silent, withSound]);
}

/** Whether it has sound; undefined where nobody can say before it is made. */
function soundOf(
  model: Pick<Model, 'returns'> | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): boolean | undefined {
  if (facts?.audio_codec === null) return false;
  const { from = 'generate_audio', default: fallback } = model?.returns.audio ?? {};
  const said = request[from];
  if (said === undefined) return fallback;
  return typeof said === 'boolean' ? said : undefined;
}

/** The document leaves open where "high resolution" starts: 1080p is the highest that all video models name. */
function isHighRes(label: string): boolean {
  const [, count, unit] = /^(\d+)(p|k)$/i.exec(label) ?? [];
  return unit?.toLowerCase() === 'k' ? Number(count) >= 2 : Number(count) >= 1080;
}

/** The line a label names; labels differ in letter case from one model to the next (`720P`, `720p`). */
function lineOf<T>(table: { readonly [name: string]: T } | undefined, label: Json | undefined): T | undefined {
  if (typeof label !== 'string') return undefined;
  return Object.entries(table ?? {}).find(([name]) => name.toLowerCase() === label.toLowerCase())?.[1];
}

/** A price table where a remote text has one. */
const tableIn = (json: unknown): JsonObject | undefined => (isObject(json as Json) ? (json as JsonObject) : undefined);

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function dearest(rates: readonly unknown[]): number | undefined {
  const known = rates.filter(rate => typeof rate === 'number');
  return known.length === 0 ? undefined : Math.max(...known);
}
