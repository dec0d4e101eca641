/** The obstacles of an instance, and what its values have asked for, while they are evaluated. */
import type { Diagnostic, Source, Span } from '../model/diagnostic.ts';
import type { Value } from '../model/pipeline.ts';
import type { InstanceKey, StepName } from '../model/run/key.ts';
import type { OutputsResult, Result } from '../model/run/result.ts';
import type { Json, JsonObject } from '../model/text/json.ts';
import { type MediaIndex, MediaTable } from './media/media-index.ts';

export interface Problem {
  /** Field of the request, where it is one. */
  readonly path?: string;
  readonly message: string;
  readonly at: Span;
  /** Where it is another file than the step's. */
  readonly source?: Source;
  /** The code for tools, where it is more specific than "the request is wrong". */
  readonly code?: string;
}

/** The obstacles of a value: it is waited for, or will never be there. */
export interface Obstacles {
  readonly waiting: ReadonlyMap<InstanceKey | StepName, Extract<Input, { is: 'waiting' }>>;
  readonly skipped: ReadonlySet<string>;
  /** By reason: the place of the value that reads it; undefined where the place is not known. */
  readonly incomplete: ReadonlyMap<string, Problem | undefined>;
}

interface Found {
  readonly waiting: Map<InstanceKey | StepName, Extract<Input, { is: 'waiting' }>>;
  readonly skipped: Set<string>;
  readonly incomplete: Map<string, Problem | undefined>;
}

const NOTHING_FOUND: Obstacles = { waiting: new Map(), skipped: new Set(), incomplete: new Map() };

/** What the evaluation of an instance has met: the same for its own values and for those that it is given from around its file. */
export class EvaluationTrace {
  readonly used = new UsedReads();
  readonly problems: Problem[] = [];
  #found: Found | undefined;
  #givenMedia: MediaTable | undefined;

  get obstacles(): Obstacles {
    return this.#found ?? NOTHING_FOUND;
  }

  get finding(): Found {
    this.#found ??= { waiting: new Map(), skipped: new Set(), incomplete: new Map() };
    return this.#found;
  }

  get givenMedia(): MediaTable {
    this.#givenMedia ??= new MediaTable();
    return this.#givenMedia;
  }

  /** Forgets what is asked meanwhile: it is asked only to see what might be. */
  quietly<T>(ask: () => T): T {
    const { waiting, skipped, incomplete } = this.obstacles;
    const found = this.#found && {
      waiting: new Map(waiting),
      skipped: new Set(skipped),
      incomplete: new Map(incomplete),
    };
    const problems = this.problems.length;
    const answer = ask();
    this.#found = found;
    this.problems.length = problems;
    return answer;
  }

  /** The result of `ask`, and what was skipped of all that it reads. That is no obstacle for anything else. */
  apart<T>(ask: () => T): { readonly answer: T; readonly skipped: readonly string[] } {
    const before = new Set(this.obstacles.skipped);
    const answer = ask();
    const skipped = [...this.obstacles.skipped].filter(name => !before.has(name));
    for (const name of skipped) this.finding.skipped.delete(name);
    return { answer, skipped };
  }
}

const NONE: ReadonlySet<never> = new Set();

export class UsedReads {
  // Made late: most of 10,000 instances ask for nothing here.
  #instances: Set<InstanceKey> | undefined;
  #steps: Set<StepName> | undefined;

  get instances(): ReadonlySet<InstanceKey> {
    return this.#instances ?? NONE;
  }

  get steps(): ReadonlySet<StepName> {
    return this.#steps ?? NONE;
  }

  addInstance(key: InstanceKey): void {
    this.#instances ??= new Set();
    this.#instances.add(key);
  }

  addStep(name: StepName): void {
    this.#steps ??= new Set();
    this.#steps.add(name);
  }
}

// Diagnostics, collected. A mistake that 10,000 instances share is reported once.

export class PlanDiagnostics {
  readonly #source: Source;
  readonly #found: Map<string, Diagnostic>;

  constructor(source: Source, found = new Map<string, Diagnostic>()) {
    this.#source = source;
    this.#found = found;
  }

  /** The same list, for another file. */
  in(source: Source): PlanDiagnostics {
    return source === this.#source ? this : new PlanDiagnostics(source, this.#found);
  }

  /** Takes up diagnostics that were collected apart. */
  include(found: readonly Diagnostic[]): void {
    for (const { code, message, span, source } of found) this.error(code, message, span, source);
  }

  error(code: string, message: string, at: Span, source: Source = this.#source): void {
    const place = `${code} ${source.path} ${source.path === '--param' ? source.text : ''} ${at.start}:${at.end}`;
    if (!this.#found.has(place)) this.#found.set(place, { severity: 'error', code, message, source, span: at });
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  get all(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }
}

/** The same, found in two ways: at the same place, or in the same words. */
export const isSameMistake = (one: Diagnostic, other: Diagnostic): boolean =>
  isSameDiagnostic(one, other) || (one.message === other.message && one.source.path === other.source.path);

/** The same mistake at the same place, whatever values its message names. */
export const isSameDiagnostic = (one: Diagnostic, other: Diagnostic): boolean =>
  one.code === other.code &&
  one.source.path === other.source.path &&
  one.source.text === other.source.text &&
  one.span.start === other.span.start &&
  one.span.end === other.span.end;

// The inputs of an instance: results of the instances before it, as far as they are there.

export interface ResultLookup {
  /** A finished instance's result; `skipped` where it never will have one; undefined where it is not there yet. */
  (key: InstanceKey): Result | 'skipped' | undefined;
  /** It is not there yet, and certainly will be. Absent: of no instance is that known. */
  readonly isCertain?: (key: InstanceKey) => boolean;
}

export type Input =
  | { readonly is: 'ready'; readonly value: Json; readonly without?: SkippedParts }
  /**
   * `on` names the first missing instance, or the step with unknown instances; `name` is what a person would call it. `whole`: all of this step is
   * waited for.
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

interface MemberList {
  readonly length: number;
  /** Every one of them is there, or certainly will be. */
  readonly isWhole: () => boolean;
  /** Undefined where there is none at this place. */
  readonly at: (place: number) => Member | undefined;
}

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
  /** The instances of a fan-out; undefined for a step that does not fan out, or is not known yet. */
  readonly listOf: (step: StepName) => MemberList | undefined;
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
