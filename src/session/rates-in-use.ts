/** Each rate that a service's settings name, with what counts towards it at the moment. */
import { RATE_WINDOWS, type RateInUse, type ServiceRates, statedRates } from '../domain/request-rates.ts';
import type { Film } from './film/open-film.ts';

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
