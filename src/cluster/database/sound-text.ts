/**
 * Texts as PostgreSQL takes them: without NUL, and well-formed. A body of JSON in a column of type `text` needs none of this, for JSON escapes
 * both, and comes back as it was; what stands in a column of its own is looked up by, and what is looked up is made the same.
 */
import type { JsonObject } from '../../domain/json.ts';

export const soundText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** For a column of type `jsonb`. */
export const soundJson = (json: JsonObject): string =>
  JSON.stringify(json, (_, value: unknown) => (typeof value === 'string' ? soundText(value) : value));
