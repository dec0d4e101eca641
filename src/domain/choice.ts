/**
 * What a person, a rule or a model has decided: which of several results goes on, or whether one may. It is kept in the lock, in git:
 * what, who, when and why; a run that finds it there asks nobody.
 */
import type { InstanceKey } from './key.ts';

export interface Choice {
  /** The instance of the `pick` or `approve` step, as it was called then. */
  readonly key: InstanceKey;
  /** Fingerprints of everything that was to be chosen from, or approved, in order; it holds while nothing else is asked about. */
  readonly from: readonly string[];
  /** Of these, what was chosen, best first. Empty where it was not approved. */
  readonly chosen: readonly string[];
  readonly by: ChosenBy;
  /** A person's name, the rule's text, or the model. */
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** A person's words, or the judge's. */
  readonly note?: string;
  /** What a rule or a judge gave each of `from`, in the same order; a higher number is better. */
  readonly scores?: readonly Score[];
}

export interface Score {
  readonly score: number;
  readonly words?: string;
}

/** `only`: there was one candidate. `flag`: an option of the command line said so beforehand. `promoted`: it was made in another profile. */
export type ChosenBy = 'person' | 'flag' | 'rule' | 'judge' | 'only' | 'promoted';

/**
 * A choice holds for everything that it was made from: what a person never saw is a new question, and what is gone from the candidates
 * cannot be taken.
 *
 * @param candidates Fingerprints of what there is now.
 */
export const holds = ({ from, chosen }: Choice, candidates: readonly string[]): boolean =>
  candidates.every(candidate => from.includes(candidate)) && chosen.every(one => candidates.includes(one));
