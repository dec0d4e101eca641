/** What an instance reads from the instances before it, as far as that is there. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { Result } from '../domain/result.ts';
import { fansOut, type Slot } from './fan-out.ts';
import { readsOfStep } from './reads.ts';
import { words } from './words.ts';

/** A finished instance's result; `skipped` where it never will have one; undefined where it is not there yet. */
export type Lookup = (key: InstanceKey) => Result | 'skipped' | undefined;

/** As much of a plan as it takes to resolve one instance: a `Plan` is one. */
export interface Wiring {
  readonly pipeline: Pipeline;
  readonly params: JsonObject;
  readonly service: string;
  readonly byStep: ReadonlyMap<StepName, readonly Slot[]>;
}

export type Input =
  | { readonly is: 'ready'; readonly value: Json }
  /** `on` names the first instance that is missing, `name` what a person would call it. */
  | { readonly is: 'waiting'; readonly on: InstanceKey; readonly name: string }
  | { readonly is: 'skipped'; readonly name: string }
  /** Some of a fan-out was skipped: the list would silently be shorter than the author wrote. */
  | { readonly is: 'incomplete'; readonly message: string };

/** Media whose content is known: by address or by path. */
export interface KnownMedia {
  /** The instance that gave it; absent for a file of the author's. */
  readonly from?: InstanceKey;
  readonly sha256: string;
  readonly facts?: MediaFacts | undefined;
  readonly bytes?: number | undefined;
  /** Set where it was named by its path. */
  readonly path?: string;
}

export interface Inputs {
  readonly each: Input | undefined;
  readonly steps: ReadonlyMap<StepName, Input>;
  readonly known: ReadonlyMap<string, KnownMedia>;
}

export function readInputs(plan: Wiring, slot: Slot, lookup: Lookup): Inputs {
  const known = new Map<string, KnownMedia>();
  const one = (key: InstanceKey): Input => {
    const result = lookup(key);
    if (result === undefined) return { is: 'waiting', on: key, name: key };
    if (result === 'skipped') return { is: 'skipped', name: key };
    remember(key, result, known);
    return { is: 'ready', value: recordOf(result) };
  };
  const all = (name: StepName): Input => {
    const values: Json[] = [];
    const skipped: InstanceKey[] = [];
    const slots = plan.byStep.get(name) ?? [];
    for (const { key } of slots) {
      const input = one(key);
      // The first one is enough: naming all for each reader would cost the square of the fan-out.
      if (input.is === 'waiting') return { ...input, name };
      if (input.is === 'ready') values.push(input.value);
      else skipped.push(key);
    }
    if (skipped.length === 0) return { is: 'ready', value: values };
    if (values.length === 0) return { is: 'skipped', name };
    return { is: 'incomplete', message: words.incomplete(name, skipped) };
  };
  const steps = new Map<StepName, Input>();
  for (const name of readsOfStep(slot.step).steps) {
    steps.set(name, fansOut(plan.pipeline, name) ? all(name) : one(plan.byStep.get(name)?.[0]?.key ?? missing(name)));
  }
  return { each: slot.each === undefined ? undefined : one(slot.each), steps, known };
}

function missing(name: StepName): never {
  throw new Error(`step ${name} has no instance although it does not fan out`);
}

function remember(from: InstanceKey, result: Result, known: Map<string, KnownMedia>): void {
  if (result.is === 'media') {
    const media = { from, sha256: result.sha256, facts: result.media, bytes: result.bytes };
    known.set(result.result_url, media).set(result.file, { ...media, path: result.file });
    return;
  }
  if (result.is !== 'command') return;
  for (const { file, sha256, bytes, media } of Object.values(result.files)) {
    known.set(file, { from, sha256, bytes, facts: media ?? undefined, path: file });
  }
}

const records = new WeakMap<Result, JsonObject>();

/** A result as an expression sees it. */
function recordOf(result: Result): JsonObject {
  let record = records.get(result);
  if (!record) {
    const { is: _, ...fields } = result;
    record = result.is === 'fine_tune' ? result.fine_tune : (fields as unknown as JsonObject);
    records.set(result, record);
  }
  return record;
}
