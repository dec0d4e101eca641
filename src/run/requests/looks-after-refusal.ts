/**
 * One look at a service's list for all requests of a run that it has refused because it was asked too often: many that are refused must not
 * be many that look.
 */
import type { HistoryRow } from '../../api/queue.ts';
import type { Answer, Service } from '../../api/service.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import { CLOCK_SKEW } from './proof.ts';

interface Needs {
  readonly clock: Clock;
  readonly service: Pick<Service, 'history'>;
  readonly stopping: { readonly signal: AbortSignal };
}
interface Health {
  well(): void;
  trouble(message: string): void;
  refused(message: string): void;
}

/** Milliseconds for which one look serves all that were refused before it, and between two: many that are refused must not be many that look. */
const SHARED = 10_000;
/** How often a list that cannot be read is asked for. */
const TRIES = 5;

/** What the service lists, for all requests of a run that were refused. */
export class LooksAfterRefusal {
  #last: { readonly began: number; readonly since: number; readonly rows: Promise<readonly HistoryRow[]> } | undefined;
  #isOffered = true;

  /** None where it lists nothing, or cannot be read. @param refusedAt Unix milliseconds of the last refusal, `since` of the first. */
  async rows(
    { since, refusedAt }: { readonly since: number; readonly refusedAt: number },
    run: Needs,
    health: Health,
  ): Promise<readonly HistoryRow[]> {
    const { clock, stopping } = run;
    while (this.#isOffered && !stopping.signal.aborted) {
      const last = this.#last;
      const age = last ? clock.now() - last.began : Number.POSITIVE_INFINITY;
      if (!last || age >= SHARED || age < 0) {
        const from = Math.min(since, last?.since ?? since);
        this.#last = { began: clock.now(), since: from, rows: this.#read(from, run, health) };
      } else if (last.began < refusedAt || last.since > since) await clock.sleep(SHARED - age, stopping.signal);
      else return await last.rows;
    }
    return [];
  }

  async #read(since: number, { clock, service, stopping }: Needs, health: Health): Promise<readonly HistoryRow[]> {
    for (let [n, unread] = [0, 0]; unread < TRIES && !stopping.signal.aborted; n++) {
      const from = Math.floor(since / 1000) - CLOCK_SKEW;
      const answer: Answer<readonly HistoryRow[]> = await service.history(stopping.signal, { since: from });
      if (answer.is === 'ok') {
        health.well();
        return answer.value;
      }
      if (answer.is === 'absent') this.#isOffered = false;
      // The run stops, and the next one looks before it sends.
      if (answer.is === 'unauthenticated') health.refused(answer.message);
      if (answer.is !== 'unavailable') return [];
      // A service that answers 429 here too gives its list later.
      if (answer.busy) health.trouble(answer.message);
      else unread += 1;
      await clock.sleep(backoff(n, answer), stopping.signal);
    }
    return [];
  }
}
