/** The fields of a request that have changed since it was last asked. */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import { stepOf } from '../domain/key.ts';
import type { MediaIndex } from './media-index.ts';
import { messages } from './plan-messages.ts';
import type { ResolvedRequest } from './resolved.ts';

export function requestChanges(before: JsonObject, now: ResolvedRequest): readonly string[] {
  const changed = changes(before, now.request, now.known);
  return changed.length > 0 ? changed : sameOnTheSurface(now);
}

function changes(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const changed = names.filter(name => canonical(now[name] ?? null) !== canonical(before[name] ?? null));
  return [...new Set(changed.map(name => nameOf(name, now[name] ?? null, known)))];
}

/** A field that holds another instance's result is called by that instance's step. */
function nameOf(name: string, value: Json, known: MediaIndex): string {
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const media = typeof item === 'string' ? known.get(item) : undefined;
    if (media?.from !== undefined) return messages.itsInput(stepOf(media.from));
    if (media?.path !== undefined) return messages.itsFile(media.path);
  }
  if (name === 'messages') return messages.itsWords();
  if (name === 'response_format') return messages.itsSchema();
  return name;
}

/** The same words with another fingerprint: a file of the author's has new content, or it is asked of another model. */
function sameOnTheSurface({ request, known }: ResolvedRequest): readonly string[] {
  const inputs = Object.entries(request)
    .map(([name, value]) => nameOf(name, value, known))
    .filter(name => !Object.hasOwn(request, name));
  return inputs.length > 0 ? inputs : [messages.itsModel()];
}
