/** What a person has said against one candidate of a pick. It decides nothing: the others stay to be chosen from. */
import { deciderName } from './choice.ts';
import { cleanText, safeLines } from './clean.ts';
import type { InstanceKey } from './key.ts';

export interface KeptRejection {
  /** The candidate, as it was called then. Absent: said before this was kept. */
  readonly key?: InstanceKey;
  /** The name that the person gave. */
  readonly who: string;
  /** The person's login at the team's database. Absent: said outside of a team. */
  readonly login?: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Null: no word was said with it. */
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
