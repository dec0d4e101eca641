/** `previous.note`: what people have said against the instance before, or against a candidate inside it. */
import { isObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Place } from '../domain/plan.ts';
import type { Rejections } from '../domain/rejection.ts';
import { contentDigest } from './instance-fingerprint.ts';
import type { Inputs, ResultLookup } from './step-inputs.ts';

interface Said {
  readonly rejections: Rejections;
  readonly lookup: ResultLookup;
  readonly fingerprintOf: (key: InstanceKey) => string | undefined;
}

/** The inputs of an instance, and of the `uses` steps around it, with the notes on what came before. */
export function withNotes<Of extends Inputs>(inputs: Of, { previous: before, outer: around }: Place, said: Said): Of {
  const { previous, outer } = inputs;
  const isThere = before !== undefined && previous?.is === 'ready' && isObject(previous.value);
  const note = isThere ? noteOn(before, said) : undefined;
  return {
    ...inputs,
    ...(note !== undefined && isThere && { previous: { ...previous, value: { ...(previous.value as object), note } } }),
    ...(outer && around && { outer: withNotes(outer, around, said) }),
  };
}

function noteOn(before: InstanceKey, { rejections, lookup, fingerprintOf }: Said): string | undefined {
  const result = lookup(before);
  // In a pick it is known by what it asks for, or by what it gives where its rounds stand behind another name.
  const ids = [fingerprintOf(before), result === undefined || result === 'skipped' ? undefined : contentDigest(result)];
  const notes = [...rejections].flatMap(([id, { key, note }]) => {
    const isInside = key?.startsWith(`${before}/`) && fingerprintOf(key) === id;
    return note !== null && (isInside || ids.includes(id)) ? [note] : [];
  });
  return notes.length === 0 ? undefined : notes.join('\n');
}
