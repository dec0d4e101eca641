/**
 * Texts as PostgreSQL takes them: without NUL, and well-formed. A body of JSON in a column of type `text` needs none of this, for JSON escapes
 * both, and comes back as it was; a column of its own is a key for lookups, and the searched text is cleaned in the same way.
 */
import type { JsonObject } from '../../model/text/json.ts';

export const postgresSafeText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** For a column of type `jsonb`. */
export const storableJson = (json: JsonObject): string =>
  JSON.stringify(json, (_, value: unknown) => (typeof value === 'string' ? postgresSafeText(value) : value));

interface Unstorable {
  readonly at: string;
  readonly holds: 'a NUL character' | 'half of a character';
}

/** The first text in it, names as well, that PostgreSQL does not take; undefined where it takes all. */
export function unstorableIn(value: unknown, at = ''): Unstorable | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { at, holds: 'a NUL character' };
    return value.isWellFormed() ? undefined : { at, holds: 'half of a character' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${at}[${name}]` : at === '' ? name : `${at}.${postgresSafeText(name)}`;
    const found =
      unstorableIn(one, place) ?? (postgresSafeText(name) === name ? undefined : unstorableIn(name, `a name in ${at}`));
    if (found) return found;
  }
  return undefined;
}
