/** A service's catalog for whoever plans a film again every second: it is asked for now and then. */
import type { Clock } from '../../host/clock.ts';
import type { HostedCatalog } from '../models-of-service.ts';

/** Milliseconds. */
const FRESH = 10 * 60_000;

type Models = Awaited<ReturnType<HostedCatalog['models']>>;

export function catalogNowAndThen(service: HostedCatalog, clock: Clock): HostedCatalog {
  let known: { readonly at: number; readonly answer: Models } | undefined;
  return {
    ...service,
    models: async signal => {
      if (known && clock.now() - known.at < FRESH) return known.answer;
      const answer = await service.models(signal);
      // A catalog of before is better than none.
      if (answer.is !== 'ok') return known?.answer ?? answer;
      known = { at: clock.now(), answer };
      return answer;
    },
  };
}
