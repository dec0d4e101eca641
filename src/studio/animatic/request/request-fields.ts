/** Fields of a request that is already checked against its model's schema, read as what they are. */
import type { JsonObject } from '../../../model/text/json.ts';
import { canonical } from '../../../model/text/json.ts';
import type { RenderJob } from '../job.ts';

export const text = (request: JsonObject, field: string): string | undefined =>
  typeof request[field] === 'string' ? request[field] : undefined;
export const number = (request: JsonObject, field: string): number | undefined =>
  typeof request[field] === 'number' ? request[field] : undefined;
export const yes = (request: JsonObject, field: string): boolean => request[field] === true;

/** Without the addresses of media. They say nothing about the pictures, and those of the studio's own results change at each start. */
export const withoutMedia = ({ request, inputs }: Pick<RenderJob, 'request' | 'inputs'>): JsonObject =>
  Object.fromEntries(Object.entries(request).filter(([field]) => inputs[field] === undefined));

/**
 * What every choice of a render hangs on. With a seed, the seed alone: the author changes words, size or length and keeps the stage.
 * Without one, the words: the same request still gives the same picture.
 */
export function seedOf(request: JsonObject): string {
  const seed = number(request, 'seed');
  return seed === undefined ? canonical({ prompt: text(request, 'prompt') ?? '' }) : String(seed);
}
