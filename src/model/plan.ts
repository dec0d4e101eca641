/** What will run, why, and what it costs: `Pipeline` + params + what is already owned → `Plan`. */

import type { Amounts, Demand } from './budget.ts';
import type { DerivedPart } from './media/derived-media.ts';
import type { MediaFacts } from './media/media.ts';
import type { OutputForm, Pipeline, Step, UsedFile } from './pipeline.ts';
import type { FailureCode } from './run/failure.ts';
import {
  type Coordinates,
  type GenerationId,
  groupWithin,
  type InstanceKey,
  type StepName,
  stepOf,
} from './run/key.ts';
import type { Asked } from './run/result.ts';
import { isStored, type MediaResult, type Result, type StoredResult } from './run/result.ts';
import type { Json, JsonObject } from './text/json.ts';

export interface Plan {
  readonly pipeline: Pipeline;
  /** Params after defaults, checked. */
  readonly params: JsonObject;
  /** What `data.*` reads. */
  readonly data: JsonObject;
  /** The same in each file that is used. */
  readonly usedData: ReadonlyMap<UsedFile, JsonObject>;
  /** Name of the service this plan is for: part of every fingerprint. The built-in studio is `studio`. */
  readonly service: string;
  /** Grows while the film runs: open steps are fanned out when their lists are known. */
  readonly instances: Instances<Instance>;
  /** Grows with the instances. */
  readonly outputs: PlannedOutput[];
  /** Steps that were open when the plan was made, in topological order; `instances.isOpen` is their state now. */
  readonly open: readonly OpenStep[];
  /** Custom models that the run will bring up and end: they bill for as long as they are up. US dollars a second; null where not known. */
  readonly deployments: readonly { readonly model: string; readonly usdPerSecond: number | null }[];
  readonly totals: {
    readonly instances: number;
    readonly hit: number;
    /** Made before, and fetched again from the service. */
    readonly fetch: number;
    /** Sent before, and not here yet. */
    readonly sent: number;
    readonly run: number;
    readonly maybe: number;
    readonly skip: number;
    /** No part of this run. */
    readonly left_out: number;
    /** Steps with unknown instances: their cost comes on top. */
    readonly open: number;
    /** US dollars that they can come to, as far as that is known. */
    readonly openUsd: number;
    /** Open steps that are paid for, and of unknown price. */
    readonly openUnpriced: number;
    /** US dollars for all that is `run` or `maybe` and has a price. */
    readonly usd: number;
    /** Instances to be paid for at an unknown price. */
    readonly unpriced: number;
    /** US dollars of what is `sent`, as far as prices are known; no part of `usd`. `perhaps`: of requests with lost answers. */
    readonly paid: number;
    readonly perhaps: number;
  };
  /** What budgets count of all that is to be sent: what it comes to in any case, and what it may come to at most. */
  readonly demand: { readonly certain: Amounts; readonly most: Amounts };
  /** Keys along the longest remaining path, first to last; seconds are expected processing times. */
  readonly criticalPath: { readonly keys: readonly InstanceKey[]; readonly seconds: number };
}

/** A step with instances that depend on lists from other steps. */
export interface OpenStep {
  readonly step: StepName;
  /** The steps that its lists read, each as a whole. */
  readonly lists: readonly StepName[];
  /** Open steps that it follows by `each`: their instances must be known, and need not be made. */
  readonly follows: readonly StepName[];
  readonly why: string;
  /** Its own condition is false: nothing is made of it, whatever its lists will be. */
  readonly isOff?: true;
  /** It is no part of this run, and why: nothing is made of it. */
  readonly leftOut?: string;
  /** The most instances that it can have; absent where unknown. */
  readonly most?: number;
  /** US dollars for all of them, at most; null where that is not known. */
  readonly usd: number | null;
  /** How the price of one comes about. */
  readonly priceBasis: string;
  /** What a budget counts of the dearest of them; of each, that is at most. */
  readonly demand: Demand;
  /** The request of one of them, as far as it is known. */
  readonly request?: JsonObject;
}

/** It is a part of this run. */
export const isPart = ({ leftOut }: Pick<OpenStep, 'leftOut'>): boolean => leftOut === undefined;

/** An open step fanned out: what `expand` decides, and what the plan grows by. */
export interface Expansion {
  readonly step: StepName;
  /** Empty where all that it could be made from was skipped. */
  readonly instances: readonly Instance[];
  readonly outputs: readonly PlannedOutput[];
}

/** The place of an instance. */
export interface Place {
  readonly key: InstanceKey;
  readonly step: Step;
  /** In its own file: those of the step that uses it are `outer`'s. */
  readonly coordinates: Coordinates;
  /** What `matrix.*` reads in this instance: own axes and inherited ones; a row as a whole. */
  readonly matrix: JsonObject;
  /** The upstream instances this one is made from, in the order of the step's `each`. */
  readonly each?: readonly InstanceKey[];
  /** Of a step that gathers takes: the instances that it chooses from. */
  readonly gathered?: readonly InstanceKey[];
  /** Which take of its own step it is, from 1. */
  readonly take?: number;
  /** Which round of its step it is, from 1, where that has `until`. */
  readonly round?: number;
  /** The instance before it, where its step reads `previous`; the first has none. */
  readonly previous?: InstanceKey;
  /** Of a step of a used file: the instance of the `uses` step that it belongs to. */
  readonly outer?: Place;
  /** Of a sample of an open step: axes with unknown values. */
  readonly unknown?: ReadonlySet<string>;
}

export interface Instance extends Place {
  /** Instances it waits for one by one… */
  readonly needs: readonly InstanceKey[];
  /** …and steps, or groups of their instances, that it waits for as a whole (a bare reference to a fan-out, or `needs:`). */
  readonly needsAll: readonly StepName[];
  readonly decision: Decision;
  /** It will give a result, unless it fails: no condition, round or choice that is still to be decided can leave it out. */
  readonly isCertain?: true;
  /** Instances that it would wait for and does without, because something is settled already: takes that lost its pick. */
  readonly excludes?: { readonly instances: readonly InstanceKey[]; readonly why: string };
  /** The request as far as it is known: a value that is not known yet is `{ "$pending": "steps.shot.result_url" }`. */
  readonly request?: JsonObject;
  /** Set when the whole request is known. */
  readonly fingerprint?: string;
  /** US dollars; null when no price is known; 0 for a local command. */
  readonly price: number | null;
  /** How the price came about: `5 s × $0.10`. */
  readonly priceBasis: string;
  /** What a budget counts of it: nothing, where nothing is sent. */
  readonly demand: Demand;
  /** What is known about the result before it exists. */
  readonly facts?: MediaFacts;
  /** Width over height of the result, known more often than its size. */
  readonly ratio?: number;
  /** Seconds this instance is expected to take, and the longest expected path from its start to the end of the film. */
  readonly expected: number;
  readonly remaining: number;
}

export type Decision =
  /** Already owned: nothing is paid. */
  | { readonly is: 'hit'; readonly why: string; readonly result: Result }
  /** Made before, and its bytes are not on this machine: brought from a team's store or from the service, and made again only where neither has it. */
  | {
      readonly is: 'fetch';
      readonly why: string;
      readonly result: StoredResult;
      /** The team's store that it is brought from: `s3://films/results`. Absent: the service. */
      readonly store?: string;
    }
  /** Sent before, and its result is not here yet: it is followed to its end, and not paid for again. */
  | { readonly is: 'sent'; readonly why: string; readonly sent: SentRequest }
  /**
   * `result`: it is known, and its bytes are not on this machine. The built-in studio draws the same again, free; what takes others'
   * results takes them as soon as they are here.
   */
  | { readonly is: 'run'; readonly why: string; readonly result?: Result }
  /** Depends on results that do not exist yet. */
  | { readonly is: 'maybe'; readonly why: string }
  /** `if:` is false, or an upstream is skipped. */
  | {
      readonly is: 'skip';
      readonly why: string;
      /** What was skipped before it. Absent where its own condition is false. */
      readonly by?: string;
      /** The instance with the result that replaces it. */
      readonly standIn?: InstanceKey;
      /** An earlier round of its `until` holds. */
      readonly needless?: true;
    }
  /** It is not owned and no part of this run: it was not selected, it lost a pick, or it needs what is left out. Neither failed nor skipped. */
  | { readonly is: 'left_out'; readonly why: string };

/** It is carried out in this run, or may be. */
export const isToBeMade = ({ is }: Pick<Decision, 'is'>): boolean => is === 'run' || is === 'maybe';

/** What a decision counts as: a round that is not needed is no part of the run, and nothing of it was skipped. */
export const shownAs = (decision: Decision): Decision['is'] =>
  decision.is === 'skip' && decision.needless ? 'left_out' : decision.is;

/** What it gives is known before the run: it is here, or the run downloads, draws or gathers it again. */
export const isKnown = (decision: Decision): boolean => 'result' in decision && decision.result !== undefined;

/** It was made before, and the built-in studio draws the same again, free. */
export const isDrawnAgain = (decision: Decision): boolean =>
  decision.is === 'run' && decision.result !== undefined && isStored(decision.result);

/** A request that was sent before, with a result that is not owned yet. */
export interface SentRequest {
  /** `lost`: the answer to it was, so it may have been taken or not, and may be paid for or not. */
  readonly is: 'under_way' | 'made' | 'lost';
  /** Null where it has none, or none is known. */
  readonly generation: GenerationId | null;
  /** US dollars that it comes to; null where no price is known. */
  readonly usd: number | null;
  /** A lost chat: the service lists it nowhere, so that no run looks for it. */
  readonly unlisted?: true;
  /** The other film of the project that sent it; absent: this one. */
  readonly film?: string;
}

export interface PlannedOutput {
  readonly name: string;
  readonly instance: InstanceKey;
  /** It is placed where each of these steps with `until` takes the round of the instance. The outermost first. */
  readonly rounds?: readonly RoundOf[];
  readonly file?: string;
  /** That is a list of files, and `{n}` in the path the number of each, from 1. */
  readonly list?: true;
  /** A frame of it, or its sound. */
  readonly part?: DerivedPart;
  /** What is made of it for that place, instead of the thing itself. */
  readonly as?: OutputForm;
  /** It is not marked as synthetic media, because its file or the project's settings say so. */
  readonly unmarked?: true;
  /** Relative to the project's root, coordinates filled in; never leaves it. */
  readonly path: string;
  /** The path that `to:` asks for, where what is owned has a format of another extension than that. */
  readonly asked?: string;
}

export interface RoundOf {
  readonly round: InstanceKey;
  /** The instance that takes one of the rounds. */
  readonly taken: InstanceKey;
}

/** What a team has of a result. */
export interface SharedOwned {
  readonly result: StoredResult;
  /** As a person would name the place: `s3://films/results`. */
  readonly store: string;
  /** Whether all of it was seen there; `not yet`: the store is asked when all of a plan is known. */
  seen(): 'all' | 'not yet';
}

/** Results of earlier runs, found by fingerprint, so that a renamed step is still a hit. */
export interface Owned {
  /** The result with this fingerprint, when its bytes are on this machine. */
  find(fingerprint: string): Result | undefined;
  /**
   * A result that was made before with this fingerprint and is not on this machine: the service may still have its generation. Without an
   * id it is the built-in studio's, which draws the same again.
   */
  atService(fingerprint: string): MediaResult | undefined;
  /** A result that was made before with this fingerprint, is not on this machine, and is in a team's store. Absent: there is none. */
  readonly shared?: (fingerprint: string) => SharedOwned | undefined;
  /** A paid result with this fingerprint and a damaged file, and where that file is now. It is never paid for again by itself. */
  readonly damaged?: (fingerprint: string) => { readonly result: MediaResult; readonly file: string } | undefined;
  /** The result of what acted outside with this fingerprint: it stays done, wherever its files are. Absent: as `find`. */
  readonly done?: (fingerprint: string) => Result | undefined;
  /** An earlier run began to act outside with this fingerprint, and whether it was done is unknown. */
  readonly mayBeDone?: (fingerprint: string) => boolean;
  /** A request with this fingerprint that was sent before, by this film or another one of the project. Absent: nothing is ever sent. */
  sent?(fingerprint: string): SentRequest | undefined;
  /** How often a request with this fingerprint was sent in vain, where no run sends it again; undefined: it may be sent. */
  timesSpent?(fingerprint: string): number | undefined;
  /** A person's own file in the place of what this instance would make. */
  adopted?(key: InstanceKey): Adoption | undefined;
  /** Unix milliseconds of the newest result with this fingerprint that a run of the project has made; undefined where none has. */
  madeAt?(fingerprint: string): number | undefined;
  /** The other film of the project that a result with this fingerprint was made for; undefined: this one, or unknown. */
  otherFilm?(fingerprint: string): string | undefined;
  /** What this key was asked for, known from the lock alone: it was made on another machine, or the journal is gone. */
  askedElsewhere?(key: InstanceKey): Asked | undefined;
  /**
   * What every result of this key was asked for, on this machine and in the lock; undefined where that is not known of one of them. Absent:
   * it is known of none.
   */
  askedBefore?(key: InstanceKey): readonly Asked[] | undefined;
  /** The last fingerprint and request this key had, to say *why* something runs again. `failed`: nothing ever came of it. */
  last(
    key: InstanceKey,
  ): { readonly fingerprint: string; readonly request: JsonObject | null; readonly failed?: boolean } | undefined;
  /** How the last try of this key failed, where nothing came of it since. Absent: none has. */
  lastFailure?(key: InstanceKey): FailureCode | undefined;
}

export const pending = (what: string): Json => ({ $pending: what });
export const isPending = (value: Json | undefined): value is { readonly $pending: string } =>
  typeof value === 'object' && value !== null && '$pending' in value;

/** The value as JSON for a message. A value that is not known yet is shown by its expression: `"‹steps.shot.text›"`. */
export const jsonText = (value: Json): string =>
  JSON.stringify(value, (_, inner: Json) => (isPending(inner) ? `‹${inner.$pending}›` : inner)) ?? 'nothing';

// A person's own file in the place of what an instance would make, until the person removes it.

export interface Adoption {
  readonly result: StoredResult;
  readonly sha256: string;
  /** Where it was taken from: relative to the project's root, or its name alone where it was elsewhere. */
  readonly file: string;
  /** A person's name. */
  readonly by: string;
  /** As in the lock: `2026-11-22T11:58:00Z`. */
  readonly at: string;
  /** Its bytes are on this machine. */
  readonly isHere: boolean;
}

/** It owns its result under this name: by content, and not by any request. */
export const adoptedFingerprint = (sha256: string): string => `adopted-${sha256}`;

/** The digest in such a name; undefined for any other. */
export const adoptedDigest = (fingerprint: string): string | undefined =>
  /^adopted-([\da-f]{64})$/.exec(fingerprint)?.[1];

// The instances of a plan: one view that planning, the run, the screens and the tests read. It grows while a film runs, because a step
// whose lists are written by other steps is *open* until they are known.

export class Instances<One extends { readonly key: InstanceKey }> implements Iterable<One> {
  /** In topological order; null while a step is open. */
  readonly #byStep: Map<StepName, readonly One[] | null>;
  readonly #byKey = new Map<InstanceKey, One>();
  /** Steps of used files within one instance of the step that uses them: `cleaned[beat=3]/repair`. */
  readonly #byGroup = new Map<StepName, One[]>();

  /** Every step of the film in topological order, with its instances, or with null where they are not known yet. */
  constructor(steps: Iterable<readonly [StepName, readonly One[] | null]>) {
    this.#byStep = new Map(steps);
    for (const [step, instances] of this.#byStep) this.#index(step, instances ?? []);
  }

  /** How many there are at this moment. */
  get size(): number {
    return this.#byKey.size;
  }

  get(key: InstanceKey): One | undefined {
    return this.#byKey.get(key);
  }

  has(key: InstanceKey): boolean {
    return this.#byKey.has(key);
  }

  /** The instances of a step, or of a group (`cleaned[beat=3]/repair`), in the order of its fan-out; none while it is open. */
  of(step: StepName): readonly One[] {
    return this.#byStep.get(step) ?? this.#byGroup.get(step) ?? [];
  }

  /** Its instances are not known yet. */
  isOpen(step: StepName): boolean {
    return this.#byStep.get(stepOf(step)) === null;
  }

  /** Every step in topological order, open ones too. */
  get steps(): Iterable<StepName> {
    return this.#byStep.keys();
  }

  /** The instances of an open step are known from here on. An empty list: all that it could be made from was skipped. */
  add(step: StepName, instances: readonly One[]): void {
    if (!this.isOpen(step))
      throw new Error(`the instances of ${step} are known already, or it is no step of this film`);
    this.#index(step, instances);
    this.#byStep.set(step, instances);
  }

  /** In topological order of the steps; the instances of one step stand together, in the order of its fan-out. */
  *[Symbol.iterator](): Iterator<One> {
    for (const instances of this.#byStep.values()) if (instances) yield* instances;
  }

  #index(step: StepName, instances: readonly One[]): void {
    for (const instance of instances) {
      if (this.#byKey.has(instance.key)) throw new Error(`${step} has two instances called ${instance.key}`);
      this.#byKey.set(instance.key, instance);
      const group = instance.key.includes('/') ? groupWithin(step, instance.key) : step;
      if (group === step) continue;
      const others = this.#byGroup.get(group);
      if (others) others.push(instance);
      else this.#byGroup.set(group, [instance]);
    }
  }
}
