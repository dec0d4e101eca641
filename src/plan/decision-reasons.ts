/** Why something is made again: what changed since its key was last asked for. */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import { type InstanceKey, stepOf } from '../domain/key.ts';
import type { Owned } from '../domain/plan.ts';
import type { MediaIndex } from './media-index.ts';
import { messages } from './plan-messages.ts';
import type { ResolvedCommand, ResolvedRequest, ResolvedTuning } from './resolved.ts';

export function hitReason(key: InstanceKey, fingerprint: string, owned: Owned): string {
  const last = owned.last(key);
  return last === undefined || last.fingerprint === fingerprint ? messages.unchanged() : messages.madeBefore();
}

export function runReason(
  key: InstanceKey,
  resolved: ResolvedRequest | ResolvedCommand | ResolvedTuning,
  owned: Owned,
): string {
  const last = owned.last(key);
  if (!last) return messages.neverRun();
  if (last.fingerprint === resolved.fingerprint) return messages.notHere();
  if (resolved.is === 'tokenize') return messages.notHere();
  if (resolved.is === 'command') return messages.changed([messages.itsCommand()]);
  if (!last.request) return messages.changedSince();
  const changed = changes(last.request, resolved.request, resolved.known);
  return messages.changed(changed.length > 0 ? changed : sameOnTheSurface(resolved));
}

function changes(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const changed = names.filter(name => canonical(now[name] ?? null) !== canonical(before[name] ?? null));
  return [...new Set(changed.map(name => called(name, now[name] ?? null, known)))];
}

/** A field that holds another instance's result is called by that instance's step. */
function called(name: string, value: Json, known: MediaIndex): string {
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
    .map(([name, value]) => called(name, value, known))
    .filter(name => !Object.hasOwn(request, name));
  return inputs.length > 0 ? inputs : [messages.itsModel()];
}
