/** The inputs of an instance: results of the instances before it, as far as they are there. */
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { Value } from '../domain/pipeline.ts';
import type { OutputsResult, Result } from '../domain/result.ts';
import type { MediaIndex } from './media-index.ts';

export interface ResultLookup {
  /** A finished instance's result; `skipped` where it never will have one; undefined where it is not there yet. */
  (key: InstanceKey): Result | 'skipped' | undefined;
  /** It is not there yet, and certainly will be. Absent: of no instance is that known. */
  readonly isCertain?: (key: InstanceKey) => boolean;
}

export type Input =
  | { readonly is: 'ready'; readonly value: Json; readonly without?: SkippedParts }
  /**
   * `on` names the first instance that is missing, or the step whose instances are not known yet; `name` is what a person would call
   * it. `whole`: all of this step is waited for.
   */
  | {
      readonly is: 'waiting';
      readonly on: InstanceKey | StepName;
      readonly name: string;
      readonly whole?: StepName;
      readonly without?: SkippedParts;
    }
  | { readonly is: 'skipped'; readonly name: string }
  /** Some of a fan-out was skipped: the list would silently be shorter than the author wrote. */
  | { readonly is: 'incomplete'; readonly message: string };

/** Of a join for a clip: what was skipped, by the name that would read it. */
type SkippedParts = ReadonlyMap<string, InstanceKey>;

export interface Member {
  readonly key: InstanceKey;
  /** Known before its result is. */
  readonly matrix: JsonObject;
  readonly input: Input;
}

export interface Inputs {
  readonly each: Input | undefined;
  /** Of the instance before; undefined for the first, and where the step does not read it. */
  readonly previous: Input | undefined;
  /** Under the names of the step's own file. */
  readonly steps: ReadonlyMap<StepName, Input>;
  /** One instance of a fan-out, by its place; undefined where the fan-out has none there, or is not known yet. */
  readonly member: (step: StepName, place: number) => Member | undefined;
  /** How many instances a fan-out has; undefined for a step that does not fan out, or is not known yet. */
  readonly lengthOf: (step: StepName) => number | undefined;
  /** Every instance of a fan-out is there, or certainly will be. */
  readonly isWhole: (step: StepName) => boolean;
  readonly known: MediaIndex;
  /** Of a step of a used file. */
  readonly outer?: OuterInputs | undefined;
  /** Of a step that uses a file. */
  readonly gathered?: Gathered | undefined;
}

/** What the values read that a step of a used file is given, in the place where the file is used. */
interface OuterInputs extends Inputs {
  readonly given: ReadonlyMap<string, Value>;
}

/** The results inside a `uses` step that its outputs are made of, as far as they are there. */
export interface Gathered {
  readonly outputs: OutputsResult['outputs'];
  readonly waiting: readonly Extract<Input, { readonly is: 'waiting' }>[];
  /** What is incomplete, in words. */
  readonly incomplete?: string;
}

/** What is read of other instances, from the file's own steps outwards to those around the step that uses it. */
export function* allInputs({ each, previous, steps, outer }: Inputs): Iterable<Input> {
  if (each) yield each;
  if (previous) yield previous;
  yield* steps.values();
  if (outer) yield* allInputs(outer);
}
