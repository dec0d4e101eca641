/** The budgets that bound a run of a film: its own, the project's, and what the command line allows this one run. */
import type { AppliedBudget, Budget } from '../model/budget.ts';
import { RATE_WINDOWS, type RateInUse, type ServiceRates, statedRates } from '../model/request-rates.ts';
import { JournalBudgets } from '../run/admission/journal-budgets.ts';
import type { Film } from './film/open-film.ts';

export interface SharedBudgets {
  /** Of the settings. */
  readonly project?: Budget | undefined;
  /** `--max-usd`. */
  readonly maxUsd?: number | undefined;
}

/** @param account who pays, and where: see `Service.account` */
export function budgetsOf(
  { journal, lock, pipeline }: Pick<Film, 'journal' | 'lock' | 'pipeline'>,
  account: string,
  { project, maxUsd }: SharedBudgets,
): JournalBudgets {
  const film = pipeline.budget?.limits;
  const budgets: readonly AppliedBudget[] = [
    ...(film ? [{ of: 'film', budget: film } as const] : []),
    ...(pipeline.profileBudget ? [{ of: 'profile', budget: pipeline.profileBudget.limits } as const] : []),
    ...(project ? [{ of: 'project', budget: project } as const] : []),
    // What has no price is a matter of the film's own budget.
    ...(maxUsd === undefined
      ? []
      : [{ of: 'run', budget: { usd: maxUsd, ...(film?.unpriced && { unpriced: film.unpriced }) } } as const]),
  ];
  // What a lock of ours holds is kept already, or is not asked for.
  const locked = () => (lock.isOurs && budgets.length === 0 ? [] : lock.charges());
  return new JournalBudgets({ journal, account, budgets, locked, profile: pipeline.profile });
}

/** @param account who pays, and where: see `Service.account`. @param now Unix milliseconds */
export function ratesInUse(
  { journal }: Pick<Film, 'journal'>,
  account: string,
  rates: ServiceRates | undefined,
  now: number,
): readonly RateInUse[] {
  if (!rates) return [];
  return statedRates(rates).map(stated => {
    const { rate, limit: most, model } = stated;
    if (rate === 'in_flight') return { ...stated, sentAgo: [] };
    const since = now - RATE_WINDOWS[rate];
    const sent = journal.views.sent.lastIntents(account, { most, since, model });
    // What a clock that was set back left in the future counts as sent now.
    return { ...stated, sentAgo: sent.map(at => Math.max(0, now - at)) };
  });
}
