/** What a team allows with the key that a film is for, as a plan of it tells it. */
import { limitsHere } from '../../cluster/runs/cluster-limits.ts';
import type { BudgetStatus } from '../../domain/budget.ts';
import type { RateInUse } from '../../domain/request-rates.ts';
import type { Team } from './open-team.ts';

export interface TeamAllows {
  readonly rates: readonly RateInUse[];
  /** Dollars of a day; absent: nobody bounds them. */
  readonly day?: BudgetStatus;
}

/** @param account absent: the key is not on this machine. */
export async function teamAllows(
  { database }: Pick<Team, 'database'>,
  key: { readonly account: string | undefined; readonly name: string },
): Promise<TeamAllows> {
  const found = await limitsHere(database, key);
  if (!found) return { rates: [] };
  const { in_flight, per_second, usd_per_day: limit, models, spent, in_flight_usd: flying } = found;
  const rate = (name: 'in_flight' | 'per_second', most: number | null, model?: string): readonly RateInUse[] =>
    most === null ? [] : [{ rate: name, limit: most, ...(model !== undefined && { model }), by: 'team', sentAgo: [] }];
  return {
    rates: [
      ...rate('in_flight', in_flight),
      ...rate('per_second', per_second),
      ...Object.entries(models).flatMap(([model, most]) => rate('in_flight', most, model)),
    ],
    ...(limit !== null && { day: { of: 'team_day', measure: 'usd', limit, spent, in_flight: flying } }),
  };
}
