/** A step of several instances as one row: what becomes of how many, each reason once, and what they cost together. */

import { addUsd } from '../../model/money.ts';
import { type Decision, type Instance, isToBeMade, shownAs } from '../../model/plan.ts';
import { calledAs, coordinatesIn, fanText } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, number } from '../../model/text/format.ts';
import { memoized } from '../../model/text/json.ts';
import { isPaid } from '../../plan/kinds/index.ts';
import { sentAs } from '../../plan/owned/owned-result.ts';
import { messages } from '../../plan/plan-messages.ts';
import { countsText, withoutCoordinates } from './plan-page.ts';

interface FoldedStep {
  /** The decision that the row is headed by. */
  readonly is: Decision['is'];
  /** `shot × 36 (12 × 3)` */
  readonly name: string;
  /** The first instance with the decision of the row. */
  readonly lead: Instance;
  /** Those that are to be made. */
  readonly made: readonly Instance[];
  /** `24 hit, 12 run` */
  readonly counts: string;
  /** The reason that all instances share; `reasons` is empty then. */
  readonly why: string | undefined;
  /** The first few, and how many more there are. */
  readonly reasons: readonly Reason[];
  readonly moreReasons: number;
}

/** Instances with one decision and one reason. */
export interface Reason {
  /** `2 run` */
  readonly count: string;
  /** `its prompt changed (beat=3)` */
  readonly why: string;
}

/** Different reasons that are shown of one step. */
const MOST_REASONS = 6;

/** By which decision the row of a step is headed: the first of these that it has. */
const LEADING = ['run', 'maybe', 'sent', 'fetch', 'hit', 'skip', 'left_out'] as const;

/** @param instances of one step, at least one */
export function foldStep(instances: readonly Instance[], { isFree }: { readonly isFree: boolean }): FoldedStep {
  const groups = Map.groupBy(instances, ({ decision }) => shownAs(decision));
  const is = LEADING.find(one => groups.has(one)) ?? 'run';
  const lead = groups.get(is)?.[0];
  if (!lead) throw new Error('a step that is folded has instances');
  const alike = LEADING.flatMap(one => reasonsOf(one, groups.get(one) ?? [], instances, isFree));
  const [only] = alike;
  const isOne = only?.group.length === instances.length;
  const few = isOne ? [] : alike.slice(0, MOST_REASONS);
  return {
    ...{ is, name: nameOf(instances, lead), lead, made: toBeMade(instances) },
    counts: countsText(Object.fromEntries([...groups].map(([decision, group]) => [decision, group.length]))),
    why: isOne ? only.why : undefined,
    reasons: few.map(one => ({ count: countsText({ [one.is]: one.group.length }), why: whyOf(one, instances) })),
    moreReasons: isOne ? 0 : alike.length - few.length,
  };
}

export const toBeMade = memoized((instances: readonly Instance[]) =>
  instances.filter(({ decision }) => isToBeMade(decision)),
);

/** `shot × 36 (12 × 3)` */
function nameOf(instances: readonly Instance[], lead: Instance): string {
  const axes = new Map([...placeOf(lead).keys()].map(axis => [axis, new Set<string>()]));
  // With one axis there is nothing to tell.
  for (const one of axes.size > 1 ? instances : [])
    for (const [axis, value] of placeOf(one)) axes.get(axis)?.add(value);
  const fan = fanText(axes, instances.length);
  return cleanText(`${calledAs(lead.step.name)} × ${number(instances.length)}${fan === null ? '' : ` (${fan})`}`);
}

interface Alike {
  readonly is: Decision['is'];
  readonly why: string;
  readonly group: readonly Instance[];
}

/** Instances with a question to the journal each: why it is owned. */
const MOST_HITS = 200;

/** Reasons that differ only by the instance they name are one. Of instances that are owned beside others, what is unchanged needs no words. */
function reasonsOf(
  is: Decision['is'],
  group: readonly Instance[],
  { length }: readonly Instance[],
  isFree: boolean,
): readonly Alike[] {
  const isGrouped = is === 'hit' && group.length < length;
  if (isGrouped && group.length > MOST_HITS) return [];
  const reason = ({ decision }: Instance): string => {
    if (decision.is !== 'sent') return onceEach(withoutCoordinates(cleanText(decision.why)));
    const { usd, film } = decision.sent;
    return cleanText(messages.sentBefore(sentAs(decision.sent), null, isFree ? 'free' : usd, film));
  };
  const reasons = [...Map.groupBy(group, reason)].map(([why, alike]) => ({
    ...{ is, group: alike },
    why: sentTogether(alike, isFree) ?? why,
  }));
  return isGrouped ? reasons.filter(({ why }) => why !== messages.unchanged() && why !== messages.gathered()) : reasons;
}

/**
 * Of several requests that were sent at one price: the price of each, and none of their ids. Undefined for anything else, and for one request of
 * several instances.
 */
export function sentTogether(instances: readonly Instance[], isFree: boolean): string | undefined {
  const all = instances.flatMap(({ decision }) => (decision.is === 'sent' ? [decision.sent] : []));
  const ids = new Set(all.map(({ generation }, index) => generation ?? index));
  const [first] = all;
  if (!first || all.length < instances.length || ids.size < 2) return undefined;
  return cleanText(messages.sentBefore(sentAs(first), null, isFree ? 'free' : first.usd, first.film, true));
}

/** `its prompt changed (beat=3)` */
function whyOf({ why: shared, group }: Alike, all: readonly Instance[]): string {
  const which = whichOf(group, all);
  const own = cleanText(group[0]?.decision.why ?? '');
  const why = group.length === 1 && !own.includes(which) ? own : shared;
  return which === '' ? why : `${why} (${which})`;
}

/** `waits for shot, shot and shot` → `waits for shot` */
const onceEach = (text: string): string => text.replaceAll(/(?<![\w/-])([\w/-]+)(?:(?:,| and) \1(?![\w/-]))+/g, '$1');

/** What distinguishes these instances from the others of their step: `beat=3`; empty where that is more than two of their keys. */
export function whichOf(group: readonly Instance[], all: readonly Instance[]): string {
  const shared = placeShared(group, all);
  if (shared) return placeText(shared);
  return group.length > 2 ? '' : group.map(one => placeText(placeOf(one))).join(' and ');
}

/** The coordinates that these instances have and no other; undefined where there are none. */
export function placeShared(group: readonly Instance[], all: readonly Instance[]): Coordinates | undefined {
  const [first, ...others] = group;
  const has = (one: Instance, [axis, value]: readonly [string, string]) => placeOf(one).get(axis) === value;
  const shared = [...(first ? placeOf(first) : [])].filter(part => others.every(one => has(one, part)));
  // Of a single one that is its whole key.
  const isTheirs =
    group.length === 1 || all.filter(one => shared.every(part => has(one, part))).length === group.length;
  return isTheirs && shared.length > 0 ? new Map(shared) : undefined;
}

type Coordinates = ReadonlyMap<string, string>;

const placeOf = memoized(({ key }: Instance): Coordinates => new Map(coordinatesIn(key)));
const placeText = (place: Coordinates): string =>
  cleanText([...place].map(([axis, value]) => `${axis}=${value}`).join(','));

/** Asked for the width of a column, and for the row. */
export const sumOf = memoized((made: readonly Instance[]): { readonly usd: string; readonly basis: string } => {
  const [first] = made;
  if (!first || !isPaid(first.step)) return { usd: 'free', basis: '' };
  const known = made.flatMap(({ price }) => price ?? []);
  if (known.length === 0) return { usd: 'price not known', basis: '' };
  const unknown = made.length - known.length;
  return {
    usd: formatUsd(known.reduce(addUsd, 0)),
    basis: unknown > 0 ? `and ${number(unknown)} of unknown price` : basisOf(made.filter(({ price }) => price !== 0)),
  };
});

/** `36 × 5 s × $0.10`, `4 × $0.48 to $0.79`, `each at most, without max_tokens` */
function basisOf(paid: readonly Instance[]): string {
  const prices = paid.map(({ price }) => price ?? 0).toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [prices[0], prices.at(-1)];
  const bases = new Set(paid.map(({ priceBasis }) => priceBasis));
  const [basis = ''] = bases;
  const each = least === most && bases.size === 1 ? basis : `${formatUsd(least)} to ${formatUsd(most)}`;
  if (each === '' || paid.length < 2) return each;
  return /^[$\d]/.test(each) ? `${number(paid.length)} × ${each}` : `each ${each}`;
}
