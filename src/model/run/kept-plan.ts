/**
 * What a run was planned to do, as the journal keeps it beside the run's events: a later look at the run needs neither the file as
 * it was then nor what was owned then. Nothing in it is secret, and long texts are cut: what was sent is in the events in full.
 *
 * It is kept in parts: one when the run leaves its first trace, one for each step that is fanned out on the way, one for each cut whose
 * clips are there.
 */

import type { MediaFacts } from '../media/media.ts';
import type { Decision } from '../plan.ts';
import type { Json, JsonObject } from '../text/json.ts';
import type { InstanceKey, StepName } from './key.ts';
import type { Asked } from './result.ts';

export interface KeptPlan {
  /** Absent where the part that holds it cannot be read. */
  readonly head?: KeptHead;
  readonly steps: readonly KeptStep[];
  readonly outputs: readonly KeptOutput[];
  /** In the order of the plan. */
  readonly instances: readonly KeptInstance[];
  readonly shots: ReadonlyMap<InstanceKey, readonly KeptShot[]>;
  /** All parts that were kept could be read. */
  readonly isWhole: boolean;
}

export interface KeptPart {
  readonly head?: KeptHead;
  readonly steps?: readonly KeptStep[];
  readonly outputs?: readonly KeptOutput[];
  readonly instances?: readonly KeptInstance[];
  /** Of a cut, once its clips are there. */
  readonly shots?: { readonly key: InstanceKey; readonly all: readonly KeptShot[] };
}

export interface KeptHead {
  /** The version of Shotlist that planned it; absent where a program did not say. */
  readonly shotlist?: string;
  /** The author's description of the film. */
  readonly description?: string;
  /** What to type to go on. */
  readonly command: string;
  /** The options that say which film and service are meant beside the profile, as they are typed: `--draft --param who=fox`. */
  readonly options?: string;
  /** The film's file and those that it uses, from the film's folder, with SHA-256 of their texts. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/** In topological order. */
export interface KeptStep {
  readonly name: StepName;
  /** `video`, `image`, `chat`, or what the language calls it: `run`, `cut`, `pick`, … */
  readonly kind: string;
  readonly model?: string;
  readonly description?: string;
  /** Steps that it reads or waits for. */
  readonly needs: readonly StepName[];
  /** The place of its name: line and column from 1; `file` where that is not the film's own. */
  readonly line: number;
  readonly column: number;
  readonly file?: string;
  /** Its result is gathered from what others made, or from a decision: it is not made, and not kept. */
  readonly isGathered?: true;
  /** It is a question, who answers it, and how many are chosen. */
  readonly decides?: {
    readonly is: 'pick' | 'approve';
    readonly by: 'person' | 'rule' | 'judge';
    readonly count: number;
  };
}

export interface KeptOutput {
  readonly name: string;
  readonly key: InstanceKey;
  /** From the project's root. */
  readonly path: string;
  /** Of a command, which of its files. */
  readonly file?: string;
  /** It is the result itself, and so gets the extension of what that holds. Absent: a part of it, another form, a list, or not known. */
  readonly isWhole?: true;
  /** It is not to be marked as synthetic. */
  readonly unmarked?: true;
}

export interface KeptInstance {
  readonly key: InstanceKey;
  readonly step: StepName;
  readonly coordinates?: JsonObject;
  /** Where its model is another than its step's. */
  readonly model?: string;
  readonly needs?: readonly InstanceKey[];
  /** Steps, or groups of instances, that it waits for as a whole. */
  readonly needsAll?: readonly StepName[];
  readonly decision: Decision['is'];
  readonly why: string;
  /** A round that is not needed: no part of the run, and nothing of it was skipped. */
  readonly isNeedless?: true;
  /** As far as it was known. */
  readonly request?: Json;
  readonly fingerprint?: string;
  /** Its earlier request, where only the lock has it. */
  readonly was?: Asked;
  readonly price: number | null;
  /** US dollars that an earlier run sent it at; null where no price was known. Absent: it was not at the service from before. */
  readonly sentUsd?: number | null;
  readonly facts?: MediaFacts;
}

/** Seconds of the film. */
export interface KeptShot {
  readonly at: number;
  readonly for: number;
  /** `shot[beat=3]`, `title` */
  readonly name: string;
}

/** The plan that the parts make, in the order in which they were kept; undefined where nothing was. */
export function joined(parts: readonly KeptPart[], isWhole: boolean): KeptPlan | undefined {
  if (parts.length === 0) return undefined;
  const head = parts.find(part => part.head)?.head;
  // What grew before the first part was written is in that already.
  const instances = new Map(parts.flatMap(part => part.instances ?? []).map(one => [one.key, one]));
  const outputs = new Map(parts.flatMap(part => part.outputs ?? []).map(one => [`${one.name} ${one.path}`, one]));
  return {
    ...(head && { head }),
    steps: parts.flatMap(part => part.steps ?? []),
    outputs: [...outputs.values()],
    instances: [...instances.values()],
    shots: new Map(parts.flatMap(({ shots }) => (shots ? [[shots.key, shots.all] as const] : []))),
    isWhole,
  };
}
