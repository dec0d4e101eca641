/** Which line of a catalog's price tables is meant: asked by the plan before, and by the studio's bill afterwards. */
import { isObject, type Json, type JsonObject } from '../domain/json.ts';

/** The line a label names; labels differ in letter case from one model to the next (`720P`, `720p`). */
export function lineOf<T>(table: { readonly [name: string]: T } | undefined, label: Json | undefined): T | undefined {
  if (typeof label !== 'string') return undefined;
  return Object.entries(table ?? {}).find(([name]) => name.toLowerCase() === label.toLowerCase())?.[1];
}

/** A price table where a remote text has one. */
export const tableIn = (json: Json | undefined): JsonObject | undefined => (isObject(json) ? json : undefined);

/** US dollars for one image: observed, a grid of quality, then resolution; the price of any image where the request is on no line of it. */
export function imageRate(pricing: JsonObject, { quality, resolution }: JsonObject): number | undefined {
  const row = tableIn(lineOf(tableIn(pricing.cost_per_image_grid), quality));
  const rate = lineOf(row, resolution) ?? pricing.cost_per_image;
  return typeof rate === 'number' ? rate : undefined;
}
