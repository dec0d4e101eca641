/** What an instance reads from the instances before it, as far as that is there. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { MediaIndex, MediaTable } from './media-index.ts';
import { fansOut, type PlanGraph, type Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { readsOfStep } from './step-reads.ts';

/** A finished instance's result; `skipped` where it never will have one; undefined where it is not there yet. */
export type ResultLookup = (key: InstanceKey) => Result | 'skipped' | undefined;

export type Input =
  | { readonly is: 'ready'; readonly value: Json }
  /** `on` names the first instance that is missing, `name` what a person would call it. */
  | { readonly is: 'waiting'; readonly on: InstanceKey; readonly name: string }
  | { readonly is: 'skipped'; readonly name: string }
  /** Some of a fan-out was skipped: the list would silently be shorter than the author wrote. */
  | { readonly is: 'incomplete'; readonly message: string };

export interface Inputs {
  readonly each: Input | undefined;
  readonly steps: ReadonlyMap<StepName, Input>;
  readonly known: MediaIndex;
}

/**
 * Instances that are asked for with one and the same `lookup` share what they read: give the same one for a whole plan or run.
 * A result that is there once stays as it is.
 */
export function readInputs(plan: PlanGraph, slot: Slot, lookup: ResultLookup): Inputs {
  const shared = cacheOf(lookup);
  const layers: MediaTable[] = [];
  const one = (key: InstanceKey): Input => {
    const { input, layer } = shared.one(key, lookup);
    if (layer) layers.push(layer);
    return input;
  };
  const steps = new Map<StepName, Input>();
  for (const name of readsOfStep(slot.step).steps) {
    if (!fansOut(plan.pipeline, name)) {
      steps.set(name, one(plan.instances.of(name)[0]?.key ?? missing(name)));
      continue;
    }
    const { input, layer } = shared.all(name, plan.instances.of(name), lookup);
    layers.push(layer);
    steps.set(name, input);
  }
  return { each: slot.each === undefined ? undefined : one(slot.each), steps, known: new MediaIndex(layers) };
}

const caches = new WeakMap<ResultLookup, ReadCache>();

function cacheOf(lookup: ResultLookup): ReadCache {
  let shared = caches.get(lookup);
  if (!shared) {
    shared = new ReadCache();
    caches.set(lookup, shared);
  }
  return shared;
}

interface CachedInput {
  readonly input: Input;
  readonly layer?: MediaTable;
}

/** What has been read so far: N readers of M results cost N + M. */
class ReadCache {
  readonly #ones = new Map<InstanceKey, CachedInput>();
  readonly #groups = new Map<StepName, StepResults>();

  one(key: InstanceKey, lookup: ResultLookup): CachedInput {
    const before = this.#ones.get(key);
    if (before) return before;
    const result = lookup(key);
    if (result === undefined) return { input: { is: 'waiting', on: key, name: key } };
    const layer = new MediaTable();
    if (result !== 'skipped') remember(key, result, layer);
    const one: CachedInput =
      result === 'skipped'
        ? { input: { is: 'skipped', name: key } }
        : { input: { is: 'ready', value: recordOf(result) }, layer };
    this.#ones.set(key, one);
    return one;
  }

  all(name: StepName, slots: readonly Slot[], lookup: ResultLookup): StepResults {
    let group = this.#groups.get(name);
    if (!group) {
      group = new StepResults(name, slots);
      this.#groups.set(name, group);
    }
    group.readOn(lookup);
    return group;
  }
}

/** All results of a step, read in order as they come in; readers get them when the last one is there. */
class StepResults {
  readonly layer = new MediaTable();
  readonly #name: StepName;
  readonly #slots: readonly Slot[];
  readonly #values: Json[] = [];
  readonly #skipped: InstanceKey[] = [];
  #read = 0;
  #input: Input | undefined;

  constructor(name: StepName, slots: readonly Slot[]) {
    this.#name = name;
    this.#slots = slots;
  }

  get input(): Input {
    return this.#input ?? { is: 'waiting', on: this.#slots[this.#read]!.key, name: this.#name };
  }

  /** Up to the first that is missing: naming all for each reader would cost the square of the fan-out. */
  readOn(lookup: ResultLookup): void {
    for (; this.#read < this.#slots.length; this.#read++) {
      const { key } = this.#slots[this.#read]!;
      const result = lookup(key);
      if (result === undefined) return;
      if (result === 'skipped') this.#skipped.push(key);
      else {
        remember(key, result, this.layer);
        this.#values.push(recordOf(result));
      }
    }
    this.#input ??= this.#settled();
  }

  #settled(): Input {
    if (this.#skipped.length === 0) return { is: 'ready', value: this.#values };
    if (this.#values.length === 0) return { is: 'skipped', name: this.#name };
    return { is: 'incomplete', message: messages.incomplete(this.#name, this.#skipped) };
  }
}

function missing(name: StepName): never {
  throw new Error(`step ${name} has no instance although it does not fan out`);
}

function remember(from: InstanceKey, result: Result, layer: MediaTable): void {
  if (result.is === 'media') {
    const media = { from, sha256: result.sha256, facts: result.media, bytes: result.bytes };
    layer.set(result.result_url, media);
    layer.set(result.file, { ...media, path: result.file });
    return;
  }
  if (result.is !== 'command') return;
  for (const { file, sha256, bytes, media } of Object.values(result.files))
    layer.set(file, { from, sha256, bytes, facts: media ?? undefined, path: file });
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
