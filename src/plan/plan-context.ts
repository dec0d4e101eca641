/** The world as planning, expanding and resolving see it. */
import { posix } from 'node:path';
import type { Pricing } from '../api/catalog.ts';
import type { Budget } from '../model/budget.ts';
import type { MediaFacts } from '../model/media/media.ts';
import type { ModelLibrary } from '../model/model.ts';
import type { Pipeline } from '../model/pipeline.ts';
import type { Owned } from '../model/plan.ts';
import type { Asking, Choice, Rejections } from '../model/run/choice.ts';
import type { InstanceKey } from '../model/run/key.ts';
import type { NamedCandidate } from '../model/run/promotion.ts';
import type { Selection } from '../model/selector.ts';
import type { JsonObject } from '../model/text/json.ts';

/** A choice by name, while the requests of its candidates are unknown. */
export interface ChosenByName {
  readonly chosen: readonly InstanceKey[];
  readonly by: Choice['by'];
  /** Of a pick that is promoted: the profile in which it was made; absent where only the choice is kept. */
  readonly from?: string;
  readonly who: string;
  /** As in `Choice`. */
  readonly login?: string;
  readonly note?: string;
}

/** What was decided before: by a person, a rule or a judge. */
export interface KnownChoices {
  /** The choice that answers this; undefined where none does. */
  find(asking: Asking): Choice | undefined;
  /** The pick for this in another profile, or given beforehand, that holds for these candidates; undefined without one. */
  byName?(key: InstanceKey, candidates: readonly NamedCandidate[], count: number): ChosenByName | undefined;
  /** The command line approves it, whatever its content turns out to be. */
  willApprove?(key: InstanceKey): boolean;
}

export interface PlanContext {
  /** As given on the command line: texts are read as what the file declares. */
  readonly params: JsonObject;
  readonly library: ModelLibrary;
  /** From the service's catalog, by model id. */
  readonly pricing: ReadonlyMap<string, Pricing>;
  /** As in the film's budget: requests of unknown price, or bounded only by a model's own limits, are sent. */
  readonly unpriced?: Budget['unpriced'];
  /** Part of every fingerprint. */
  readonly service: string;
  /** A draft to look at: nothing of it acts outside of this machine. */
  readonly isDraft?: boolean;
  /** Who answers chat, where the service passes it on: the words of one never replace another's. */
  readonly chatBy?: string | undefined;
  readonly env: JsonObject;
  readonly run: JsonObject;
  readonly owned: Owned;
  /** Absent: nothing was ever decided. */
  readonly choices?: KnownChoices | undefined;
  /** Rejections of candidates, the newest each time; absent: there are none. */
  readonly rejections?: (() => Rejections) | undefined;
  /** Which part of the film is made; absent: all of it. */
  readonly selection?: Selection | undefined;
  /** For a path relative to the pipeline file; undefined when nothing is there. */
  readonly localMedia: (path: string) => LocalMedia | UnusableFile | undefined;
  /** Seconds this model (`run` for a local command) was seen to take; undefined where nothing has been learnt. */
  readonly expected?: (model: string) => number | undefined;
}

/** What the film's own budget lets pass; in a film that has none, that of the profile it is made in. */
export const unpricedIn = ({ budget, profileBudget }: Pick<Pipeline, 'budget' | 'profileBudget'>): Budget['unpriced'] =>
  (budget ?? profileBudget)?.limits.unpriced;

/** As much of it as it takes to resolve one instance. */
export type ResolveContext = Pick<
  PlanContext,
  'library' | 'pricing' | 'unpriced' | 'env' | 'run' | 'localMedia' | 'chatBy' | 'isDraft' | 'choices' | 'rejections'
>;

/** Paths as a file in this folder writes them; `folder` is relative to the pipeline's. */
export function mediaFrom(folder: string, localMedia: PlanContext['localMedia']): PlanContext['localMedia'] {
  return folder === '' ? localMedia : path => localMedia(pathFrom(folder, path));
}

/** Such a path from the pipeline's own folder. */
export const pathFrom = (folder: string, path: string): string =>
  folder === '' || /^([/\\]|[A-Za-z]:)/.test(path) ? path : posix.join(folder, path);

/** Hashed and probed by the holder of the disk. */
export interface LocalMedia {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Absent for a file that is not media (a look-up table for a command). */
  readonly facts?: MediaFacts | undefined;
  /** Why it is certainly no media: `it is text, not media`. Absent where that is not known. */
  readonly notMedia?: string | undefined;
  readonly bytes?: number | undefined;
  /** Where the service can read it. */
  readonly url: string;
}

/** It cannot be an input: a folder, a device, another user's, or not there at all. */
export interface UnusableFile {
  /** `is a folder; name a file in it`. */
  readonly unusable: string;
  readonly code?: 'no-such-file';
}
