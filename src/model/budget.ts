/**
 * What a film may come to: hard stops, asked right before every paid call, on what is spent, what is in flight, and what comes next.
 * An unknown amount is never taken for nothing, unless the author says so.
 */
import { addUsd } from './money.ts';

/** In the order in which they are checked and shown. */
export const MEASURES = ['usd', 'video_seconds', 'images', 'generations', 'tokens'] as const;
export type Measure = (typeof MEASURES)[number];

/** Every number is for the film as a whole, over all of its runs. */
export interface Budget {
  /** US dollars. */
  readonly usd?: number;
  /** Seconds of video that are made. */
  readonly video_seconds?: number;
  readonly images?: number;
  /** Requests to models, chat among them. */
  readonly generations?: number;
  /** Of chat models, read and written. */
  readonly tokens?: number;
  /** A request of unknown price is refused, unless its author allows it. */
  readonly unpriced?: 'allow';
}

/** What a request comes to, as far as that is known before it is sent: never too low; null where unknown. */
export interface Demand {
  readonly usd: number | null;
  readonly video_seconds: number | null;
  readonly images: number | null;
  readonly generations: number;
  readonly tokens: number | null;
  /** Of these it may turn out to be less. */
  readonly atMost?: readonly Measure[];
}

/** What several requests come to. */
export type Amounts = { readonly [measure in Measure]: Amount };
interface Amount {
  readonly known: number;
  /** Requests of unknown price. */
  readonly unknown: number;
}

export interface Spending {
  /** Made, or at its end, whatever that was. */
  readonly settled: Amounts;
  /** Sent, not made and not at its end: counted in full, until its end or a proof that it never arrived. */
  readonly inFlight: Amounts;
}

/**
 * What a budget bounds: the money of the film in all profiles, of the film in one, of all films of the project, of this run alone, or of all runs
 * of a team with one key in a day.
 */
export type BudgetOf = 'film' | 'profile' | 'project' | 'run' | 'team_day';

export interface AppliedBudget {
  readonly of: BudgetOf;
  readonly budget: Budget;
}

/** One number of a budget, and how much of it is used. */
export interface BudgetStatus {
  readonly of: BudgetOf;
  readonly measure: Measure;
  readonly limit: number;
  readonly spent: number;
  /** Reserved for requests that go on or have lost answers. */
  readonly in_flight: number;
  /** Requests of unknown price are sent. */
  readonly allows_unpriced?: true;
  /** Earlier requests of unknown cost; absent: none. */
  readonly unknown?: number;
}

/** Why a request is not sent. `next`: what it would come to; null where unknown. */
export interface BudgetStop extends BudgetStatus {
  /** It does not fit; or whether it would is unknown, for want of its own price, or of an earlier one's. */
  readonly why: 'exceeds' | 'unpriced' | 'unpriced_before';
  readonly next: number | null;
}

export const NO_AMOUNTS: Amounts = amounts(() => ({ known: 0, unknown: 0 }));
export const NO_SPENDING: Spending = { settled: NO_AMOUNTS, inFlight: NO_AMOUNTS };
/** Nothing is paid for it. */
export const NO_DEMAND: Demand = { usd: 0, video_seconds: 0, images: 0, generations: 0, tokens: 0 };
/** All of it is unknown. */
export const UNKNOWN_DEMAND: Demand = { usd: null, video_seconds: null, images: null, generations: 1, tokens: null };

export function amounts(of: (measure: Measure) => Amount): Amounts {
  return Object.fromEntries(MEASURES.map(measure => [measure, of(measure)])) as unknown as Amounts;
}

export const addAmounts = (one: Amounts, other: Amounts): Amounts =>
  amounts(measure => ({
    known: addUsd(one[measure].known, other[measure].known),
    unknown: one[measure].unknown + other[measure].unknown,
  }));

/** One more request, or `times` of them. */
export const addDemand = (sum: Amounts, demand: Demand, times = 1): Amounts =>
  amounts(measure => {
    const more = demand[measure];
    const { known, unknown } = sum[measure];
    return more === null
      ? { known, unknown: unknown + times }
      : { known: addUsd(known, addUsd(0, more * times)), unknown };
  });

/** What is certain of it: the rest may turn out to be less. An unknown amount is not certain. */
export const certainOf = (demand: Demand): Demand => ({
  ...demand,
  ...Object.fromEntries((demand.atMost ?? []).flatMap(measure => (demand[measure] === null ? [] : [[measure, 0]]))),
});

/** The first number of this budget that a request does not fit into; undefined where it may be sent. */
export function stopFor(
  applied: AppliedBudget,
  spending: Spending,
  next: Pick<Demand, Measure>,
): BudgetStop | undefined {
  const isAllowed = applied.budget.unpriced === 'allow';
  for (const status of statusOf(applied, spending)) {
    const { measure, limit, spent, in_flight, unknown = 0 } = status;
    const more = next[measure];
    // What a request has nothing of is no reason to hold it back.
    if (more === 0) continue;
    const stop = (why: BudgetStop['why']): BudgetStop => ({ ...status, why, next: more });
    const before = addUsd(spent, in_flight);
    if (more === null ? before >= limit : addUsd(before, more) > limit) return stop('exceeds');
    if (isAllowed) continue;
    if (more === null) return stop('unpriced');
    if (unknown > 0) return stop('unpriced_before');
  }
  return undefined;
}

/** Each number that the budget has. */
export function statusOf({ of, budget }: AppliedBudget, { settled, inFlight }: Spending): readonly BudgetStatus[] {
  return MEASURES.flatMap((measure): readonly BudgetStatus[] => {
    const limit = budget[measure];
    if (limit === undefined) return [];
    const unknown = settled[measure].unknown + inFlight[measure].unknown;
    return [
      {
        ...{ of, measure, limit, spent: settled[measure].known, in_flight: inFlight[measure].known },
        ...(budget.unpriced === 'allow' && { allows_unpriced: true }),
        ...(unknown > 0 && { unknown }),
      },
    ];
  });
}
