/** What will run, why, and what it costs: `Pipeline` + params + what is already owned → `Plan`. */
import type { Instances } from './instances.ts';
import type { Json, JsonObject } from './json.ts';
import type { Coordinates, InstanceKey, StepName } from './key.ts';
import type { MediaFacts } from './media.ts';
import type { Pipeline, Step } from './pipeline.ts';
import type { MediaResult, Result } from './result.ts';

export interface Plan {
  readonly pipeline: Pipeline;
  /** Params after defaults, checked. */
  readonly params: JsonObject;
  /** Name of the service this plan is for: part of every fingerprint. The built-in studio is `studio`. */
  readonly service: string;
  /** Grows while the film runs: open steps are fanned out when their lists are known. */
  readonly instances: Instances<Instance>;
  /** Grows with the instances. */
  readonly outputs: PlannedOutput[];
  /** Steps that were open when the plan was made, in topological order; `instances.isOpen` tells how it is now. */
  readonly open: readonly OpenStep[];
  /** Custom models that the run will bring up and end: they bill for as long as they are up. US dollars a second; null where not known. */
  readonly deployments: readonly { readonly model: string; readonly usdPerSecond: number | null }[];
  readonly totals: {
    readonly instances: number;
    readonly hit: number;
    /** Made before, and fetched again from the service. */
    readonly fetch: number;
    readonly run: number;
    readonly maybe: number;
    readonly skip: number;
    /** Steps whose instances are not known yet: whatever they cost comes on top. */
    readonly open: number;
    /** US dollars for all that is `run` or `maybe` and has a price. */
    readonly usd: number;
    /** Instances that will be paid for but whose price is not known. */
    readonly unpriced: number;
  };
  /** Keys along the longest remaining path, first to last; seconds are expected processing times. */
  readonly criticalPath: { readonly keys: readonly InstanceKey[]; readonly seconds: number };
}

/** A step whose instances depend on lists that other steps have yet to write. */
export interface OpenStep {
  readonly step: StepName;
  /** Steps whose results its lists read, and the open step that it follows by `each`: it is fanned out when they have settled. */
  readonly waitsFor: readonly StepName[];
  readonly why: string;
}

/** An open step fanned out: what `expand` decides, and what the plan grows by. */
export interface Expansion {
  readonly step: StepName;
  /** Empty where all that it could be made from was skipped. */
  readonly instances: readonly Instance[];
  readonly outputs: readonly PlannedOutput[];
}

export interface Instance {
  readonly key: InstanceKey;
  readonly step: Step;
  readonly coordinates: Coordinates;
  /** What `matrix.*` reads in this instance: its step's own axes only. */
  readonly matrix: JsonObject;
  /** The upstream instance this one was made from by `each`. */
  readonly each?: InstanceKey;
  /** Instances it waits for one by one… */
  readonly needs: readonly InstanceKey[];
  /** …and steps it waits for as a whole (a bare reference to a fan-out, or `needs:`). */
  readonly needsAll: readonly StepName[];
  readonly decision: Decision;
  /** The request as far as it is known: a value that is not known yet is `{ "$pending": "steps.shot.result_url" }`. */
  readonly request?: JsonObject;
  /** Set when the whole request is known. */
  readonly fingerprint?: string;
  /** US dollars; null when no price is known; 0 for a local command. */
  readonly price: number | null;
  /** How the price came about: `5 s × $0.10`. */
  readonly priceBasis: string;
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
  /** Made before, and its bytes are not on this machine: fetched again from the service, and paid for only if the service has it no more. */
  | { readonly is: 'fetch'; readonly why: string; readonly result: MediaResult }
  | { readonly is: 'run'; readonly why: string }
  /** Depends on results that do not exist yet. */
  | { readonly is: 'maybe'; readonly why: string }
  /** `if:` is false, or an upstream is skipped. */
  | { readonly is: 'skip'; readonly why: string };

export interface PlannedOutput {
  readonly name: string;
  readonly instance: InstanceKey;
  readonly file?: string;
  /** That is a list of files, and `{n}` in the path the number of each, from 1. */
  readonly list?: true;
  /** Relative to the project's root, coordinates filled in; never leaves it. */
  readonly path: string;
}

/** Results of earlier runs, found by fingerprint, so that a renamed step is still a hit. */
export interface Owned {
  /** The result with this fingerprint, when its bytes are on this machine. */
  find(fingerprint: string): Result | undefined;
  /**
   * A result that was made before with this fingerprint and is not on this machine: the lock names its generation, which the
   * service may still have.
   */
  atService(fingerprint: string): MediaResult | undefined;
  /** The result of what acted outside with this fingerprint: it stays done, wherever its files are. Absent: as `find`. */
  readonly done?: (fingerprint: string) => Result | undefined;
  /** An earlier run began to act outside with this fingerprint, and nobody knows whether it was done. */
  readonly mayBeDone?: (fingerprint: string) => boolean;
  /** The last fingerprint and request this key had, to say *why* something runs again. */
  last(key: InstanceKey): { readonly fingerprint: string; readonly request: JsonObject | null } | undefined;
}

export const pending = (what: string): Json => ({ $pending: what });
export const isPending = (value: Json | undefined): value is { readonly $pending: string } =>
  typeof value === 'object' && value !== null && '$pending' in value;
