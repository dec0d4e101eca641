/**
 * Finds the line of a catalog's price tables that applies to a request. The plan asks before, and the studio's bill afterwards. The
 * request decides, never what was drawn, so that both give one price. Whatever decides about a line and is missing (a resolution or a
 * sound without a default in the document, a value that is still to come, a name without a line) is priced at the
 * dearest line that could apply: a film may turn out cheaper than its plan, never dearer.
 */

import type { MediaFacts } from '../model/media/media.ts';
import type { Model } from '../model/model.ts';
import { isObject, type Json, type JsonObject } from '../model/text/json.ts';
import { brokenBound } from '../model/text/measure.ts';
import type { Pricing } from './catalog.ts';

/**
 * US dollars for one second of output; undefined where no price applies. The most specific price wins (interface document, "Pricing
 * object"); of the line of its resolution and the price with sound none is more specific, so that the dearer one counts.
 */
export function secondRate(
  pricing: Pricing,
  model: Pick<Model, 'returns'> | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): number | undefined {
  const { cost_per_second: silent, cost_per_second_with_audio: withSound, cost_per_second_high_res: highRes } = pricing;
  const table = tableIn(pricing.cost_per_second_by_resolution);
  const { from = 'resolution', default: fallback } = model?.returns.resolution ?? {};
  const label = request[from] ?? fallback;
  const sound = soundOf(model, request, facts) === false ? undefined : withSound;
  const general = dearest([silent, sound]);
  const any = dearest([...Object.values(table ?? {}), highRes, general]);
  if (typeof label !== 'string') return any;
  const exact = rateIn(lineOf(table, label));
  if (exact !== undefined) return dearest([exact, sound]);
  const smaller = Object.entries(table ?? {}).flatMap(([name, rate]) => (isLarger(name, label) ? [] : [rate]));
  const high = isHighRes(label) && rateIn(highRes) !== undefined;
  return dearest(high && smaller.length === 0 ? [highRes, sound] : [...smaller, high ? highRes : undefined, general]);
}

/** A label without a line (`2160p`, where the line is called `4k`) is billed no less than what is as large or smaller. */
const isLarger = (line: string, label: string): boolean => brokenBound({ atMost: [label] }, line) !== undefined;

/** US dollars for one image: observed, a grid of quality, then resolution, beside the price of any image. */
export function imageRate(pricing: Pricing, { quality, resolution }: JsonObject): number | undefined {
  const { cost_per_image: any } = pricing;
  const grid = tableIn(pricing.cost_per_image_grid);
  const lines = linesOf(grid, quality).flatMap(row => linesOf(tableIn(row), resolution));
  const [only] = lines;
  const isOne = lines.length === 1 && lineOf(grid, quality) !== undefined && typeof resolution === 'string';
  return isOne && rateIn(only) !== undefined ? rateIn(only) : dearest([...lines, any]);
}

/** The line that a label names; all of them where it names none. */
function linesOf(table: JsonObject | undefined, label: Json | undefined): readonly Json[] {
  const line = lineOf(table, label);
  return line === undefined ? Object.values(table ?? {}) : [line];
}

/** Whether it has sound; undefined where that is unknown before it is made. */
function soundOf(
  model: Pick<Model, 'returns'> | undefined,
  request: JsonObject,
  facts: MediaFacts | undefined,
): boolean | undefined {
  if (facts?.audio_codec === null) return false;
  const { from = 'generate_audio', default: fallback } = model?.returns.audio ?? {};
  const given = request[from];
  if (given === undefined) return fallback;
  return typeof given === 'boolean' ? given : undefined;
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

/** A catalog is a remote text: a price below nothing is none. */
const rateIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

function dearest(rates: readonly unknown[]): number | undefined {
  const known = rates.map(rateIn).filter(rate => rate !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
