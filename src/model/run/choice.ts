/**
 * What a person, a rule or a model has decided: which of several results goes on, or whether one may. It is kept in the lock, in git:
 * what, who, when and why; a run that finds it there asks no one.
 */
import { cleanText, safeLines } from '../text/clean.ts';
import type { InstanceKey } from './key.ts';

export interface Choice {
  /** The instance of the `pick` or `approve` step, as it was called then. */
  readonly key: InstanceKey;
  /**
   * Fingerprints of everything that was to be chosen from, made or not, in order. Of an approval: digests of the content that was shown.
   * It holds while nothing else is asked about.
   */
  readonly from: readonly string[];
  /** What each of `from` was called then. */
  readonly called: readonly InstanceKey[];
  /** Of these, what was chosen, best first. Empty where it was not approved. */
  readonly chosen: readonly string[];
  readonly by: ChosenBy;
  /** A person's name, the rule's text, or the model. */
  readonly who: string;
  /** The person's login at the team's database; `who` is the name that they gave. Absent: decided outside of a team. */
  readonly login?: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** A person's words, or the judge's. */
  readonly note?: string;
  /** What a rule or a judge gave each of `from`, in the same order; a higher number is better. */
  readonly scores?: readonly Score[];
  /** Digest of what a rule, a judge or a person was asked. Absent where there is nothing to ask but "which?". */
  readonly asked?: string;
}

export interface Score {
  readonly score: number;
  readonly words?: string;
}

/** `only`: there was one candidate. `flag`: an option of the command line decided beforehand. `promoted`: it was made in another profile. */
export const CHOSEN_BY = ['person', 'flag', 'rule', 'judge', 'only', 'promoted'] as const;
export type ChosenBy = (typeof CHOSEN_BY)[number];

/** What is to be decided, as far as a choice depends on it. */
export interface Asking {
  readonly is: 'pick' | 'approve';
  readonly key: InstanceKey;
  /** As in `Choice`. */
  readonly from: readonly string[];
  readonly called: readonly InstanceKey[];
  /** How many are to be chosen. */
  readonly count: number;
  /** Who decides, where it is open: `asked` as in `Choice`. */
  readonly by: 'person' | 'rule' | 'judge';
  readonly asked?: string;
}

/**
 * A choice holds for everything that it was made from: what a person never saw is a new question, and what is gone from the candidates
 * cannot be taken.
 *
 * @param candidates Fingerprints of what there is now.
 */
const holds = ({ from, chosen }: Choice, candidates: readonly string[]): boolean =>
  candidates.every(candidate => from.includes(candidate)) && chosen.every(one => candidates.includes(one));

/**
 * Whether a choice answers what is asked. A person's word outranks a rule and a judge; theirs is asked for again where the rule, or what
 * the judge was asked, has changed.
 */
export function answers(choice: Choice, { is, from, count, by, asked }: Asking): boolean {
  if (is === 'approve') return choice.asked === asked && isSame(choice.from, from) && holds(choice, from);
  if (!holds(choice, from) || choice.chosen.length !== Math.min(count, from.length)) return false;
  switch (choice.by) {
    case 'rule':
    case 'judge':
      return choice.by === by && choice.asked === asked;
    case 'only':
      return from.length <= count;
    default:
      return true;
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.every(one => others.includes(one)) && others.every(one => some.includes(one));

/** The same decision, wherever it is recorded: in the journal, in the lock, in a result. */
export const isSameChoice = (a: Choice, b: Choice): boolean =>
  a.key === b.key &&
  a.by === b.by &&
  a.who === b.who &&
  a.at === b.at &&
  a.chosen.join() === b.chosen.join() &&
  [...a.from].sort().join() === [...b.from].sort().join();

/** Who decided, for a reader: `anna`, or `anna (as: "Anna B.")` where a team's login gave another name. */
export const deciderName = ({ who, login }: Pick<Choice, 'who' | 'login'>): string =>
  login === undefined || login === who ? who : `${login} (as: "${who}")`;

/** `2026-11-22T11:27:47.000Z`: when it was made, as results and the lock record it. */
export const chosenAt = ({ at }: Pick<Choice, 'at'>): string => new Date(at).toISOString();

// What a person has said against one candidate of a pick. It decides nothing: the others stay to be chosen from.

export interface KeptRejection {
  /** The candidate, as it was called then. Absent: from before this was kept. */
  readonly key?: InstanceKey;
  /** The name that the person gave. */
  readonly who: string;
  /** The person's login at the team's database. Absent: outside of a team. */
  readonly login?: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Null: there is no note. */
  readonly note: string | null;
}

/** By the id of the candidate, as a choice names it. */
export type Rejections = ReadonlyMap<string, KeptRejection>;

/** The rejection of an instance. A step with rounds, and one that uses a file, send no request: they are known by their name alone. */
export function rejectionOf(
  all: Rejections | undefined,
  { key, fingerprint }: { readonly key: InstanceKey; readonly fingerprint?: string | undefined },
): KeptRejection | undefined {
  if (!all?.size) return undefined;
  return fingerprint === undefined ? [...all.values()].find(one => one.key === key) : all.get(fingerprint);
}

/** For a reader: `who` names the login too. */
export const shownRejection = ({ at, note, ...by }: KeptRejection) => ({
  ...{ who: cleanText(deciderName(by)), at, note: note === null ? null : safeLines(note) },
});
