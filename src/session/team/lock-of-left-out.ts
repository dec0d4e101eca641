/**
 * What was paid for and is no part of the film any more, as it lost a pick, or judged: the run that made it kept it in its lock, which stayed
 * with the worker. So it gets into the lock of whoever fetches the run: a pick that is taken back costs nothing, with the team or without it.
 */
import { isStored } from '../../domain/result.ts';
import { labelOf } from '../../plan/kinds/index.ts';
import type { ResultSink } from '../../run/run-environment.ts';
import type { Film } from '../film/open-film.ts';

export function lockLeftOut({ plan, journal }: Pick<Film, 'plan' | 'journal'>, lock: Pick<ResultSink, 'reuse'>): void {
  for (const { key, step, decision } of plan.instances) {
    if (decision.is !== 'left_out' && decision.is !== 'skip') continue;
    const event = journal.views.owned.resultsOf(key)[0]?.event;
    if (!event) continue;
    const { fingerprint } = event;
    // With what it came to in the end.
    const { result } = journal.views.owned.find(fingerprint) ?? event;
    const asked = event.type === 'succeeded' ? event.asked : undefined;
    if (isStored(result)) lock.reuse(key, labelOf(step), fingerprint, result, () => asked);
  }
}
