/**
 * What was picked in one profile of a film, for another one: by the coordinates of what was chosen, as its content is another. So the third
 * beat's second take is made in `final`, and the takes that lost are not.
 */

import { canonical, isObject, type JsonObject, recordIn } from '../text/json.ts';
import type { Choice } from './choice.ts';
import type { InstanceKey } from './key.ts';

export interface Promotion {
  /** The profile in which it was picked. */
  readonly from: string;
  readonly picks: readonly PromotedPick[];
}

export interface PromotedPick {
  readonly key: InstanceKey;
  /** Best first. */
  readonly chosen: readonly InstanceKey[];
  /** All that it was chosen from, each with what its coordinates stand for: another row under the same number is another question. */
  readonly among: { readonly [key: string]: string };
  /** The decider of then. */
  readonly who: string;
  /** As in `Choice`. */
  readonly login?: string;
  readonly note?: string;
}

/** What is known of a candidate that is chosen by its name. */
export interface NamedCandidate {
  readonly key: InstanceKey;
  readonly matrix: JsonObject;
  readonly fingerprint: string | undefined;
}

/** In the place of the fingerprint of a candidate that is not made, with an unknown request. */
export const NOT_MADE = 'not made';

export const rowOf = (matrix: JsonObject): string => canonical(matrix);

/** Candidates that were not there then make it a new question, and so does one that is gone. */
export function chosenIn(
  { chosen, among }: PromotedPick,
  candidates: readonly NamedCandidate[],
  count: number,
): readonly InstanceKey[] | undefined {
  const isKnown = candidates.every(({ key, matrix }) => among[key] === rowOf(matrix));
  const isThere = chosen.every(key => candidates.some(one => one.key === key));
  return isKnown && isThere && chosen.length === Math.min(count, candidates.length) ? chosen : undefined;
}

/** The same of a choice that was made by name and is kept: candidates with known fingerprints must still be the same. */
export function stillChosenIn(
  { by, called, from, chosen }: Choice,
  candidates: readonly NamedCandidate[],
  count: number,
): readonly InstanceKey[] | undefined {
  if (by !== 'promoted' && !from.includes(NOT_MADE)) return undefined;
  const isSame = candidates.every(({ key, fingerprint }) => {
    const was = from[called.indexOf(key)];
    return was !== undefined && (fingerprint === undefined || was === fingerprint);
  });
  const keys = chosen.flatMap(one => called[from.indexOf(one)] ?? []);
  const isThere = keys.every(key => candidates.some(one => one.key === key));
  return isSame && isThere && keys.length === Math.min(count, candidates.length) ? keys : undefined;
}

export const promotionText = (promotion: Promotion): string => JSON.stringify(promotion);

/** Undefined where the text is none. */
export function promotionIn(text: string | undefined): Promotion | undefined {
  if (!text) return undefined;
  const json = recordIn(text);
  return isObject(json) && typeof json.from === 'string' && Array.isArray(json.picks)
    ? (json as unknown as Promotion)
    : undefined;
}
