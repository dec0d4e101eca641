/** Why something is made again: what changed since its key was last asked for. */
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import { type InstanceKey, stepOf } from '../domain/key.ts';
import type { Owned } from '../domain/plan.ts';
import type { Known } from './known.ts';
import type { ResolvedCommand, ResolvedRequest, ResolvedTuning } from './resolved.ts';
import { words } from './words.ts';

export function whyHit(key: InstanceKey, fingerprint: string, owned: Owned): string {
  const last = owned.last(key);
  return last === undefined || last.fingerprint === fingerprint ? words.unchanged() : words.madeBefore();
}

export function whyRun(
  key: InstanceKey,
  resolved: ResolvedRequest | ResolvedCommand | ResolvedTuning,
  owned: Owned,
): string {
  const last = owned.last(key);
  if (!last) return words.neverRun();
  if (last.fingerprint === resolved.fingerprint) return words.notHere();
  if (resolved.is === 'tokenize') return words.notHere();
  if (resolved.is === 'command') return words.changed([words.itsCommand()]);
  if (!last.request) return words.changedSince();
  const changed = changes(last.request, resolved.request, resolved.known);
  return words.changed(changed.length > 0 ? changed : sameOnTheSurface(resolved));
}

function changes(before: JsonObject, now: JsonObject, known: Known): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const changed = names.filter(name => canonical(now[name] ?? null) !== canonical(before[name] ?? null));
  return [...new Set(changed.map(name => called(name, now[name] ?? null, known)))];
}

/** A field that holds another instance's result is called by that instance's step. */
function called(name: string, value: Json, known: Known): string {
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const media = typeof item === 'string' ? known.get(item) : undefined;
    if (media?.from !== undefined) return words.itsInput(stepOf(media.from));
    if (media?.path !== undefined) return words.itsFile(media.path);
  }
  if (name === 'messages') return words.itsWords();
  if (name === 'response_format') return words.itsSchema();
  return name;
}

/** The same words with another fingerprint: a file of the author's has new content, or it is asked of another model. */
function sameOnTheSurface({ request, known }: ResolvedRequest): readonly string[] {
  const inputs = Object.entries(request)
    .map(([name, value]) => called(name, value, known))
    .filter(name => !Object.hasOwn(request, name));
  return inputs.length > 0 ? inputs : [words.itsModel()];
}
