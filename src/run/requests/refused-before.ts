/**
 * A service that answers "too many requests" may have taken the request all the same, behind a gateway that counts for itself. So before it is
 * sent again the service's list is looked at, where there is one: a row that can only be this request is this request. No such row proves
 * nothing, and it is sent again: what is refused is not taken, by the standard (RFC 6585, section 4).
 */
import type { HistoryRow } from '../../api/queue.ts';
import type { Answer } from '../../api/service.ts';
import type { Call } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { backoff } from '../../host/backoff.ts';
import { CLOCK_SKEW, judge } from './proof.ts';
import { DAY, evidenceOn, type ReconcileNeeds } from './reconcile.ts';
import type { ServiceHealth } from './service-health.ts';

/** Milliseconds for which one look serves all that were refused before it, and between two: many that are refused must not be many that look. */
const SHARED = 10_000;
/** How often a list that cannot be read is asked for. */
const TRIES = 5;
/** Milliseconds until the answer to an equal request may be there. */
const SOON = 2_000;

/** What the service lists, for all requests of a run that were refused. */
export class LooksAfterRefusal {
  #last: { readonly began: number; readonly since: number; readonly rows: Promise<readonly HistoryRow[]> } | undefined;
  #isOffered = true;
  /** Undefined: it lists nothing, or cannot be read. @param refusedAt Unix milliseconds of the last refusal, `since` of the first. */
  async rows(
    { since, refusedAt }: { readonly since: number; readonly refusedAt: number },
    run: Pick<ReconcileNeeds, 'clock' | 'service' | 'stopping'>,
    health: ServiceHealth,
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

  async #read(
    since: number,
    { clock, service, stopping }: Pick<ReconcileNeeds, 'clock' | 'service' | 'stopping'>,
    health: ServiceHealth,
  ): Promise<readonly HistoryRow[]> {
    for (let [n, unread] = [0, 0]; unread < TRIES && !stopping.signal.aborted; n++) {
      const from = Math.floor(since / 1000) - CLOCK_SKEW;
      const answer: Answer<readonly HistoryRow[]> = await service.history(stopping.signal, { since: from });
      if (answer.is === 'ok') {
        health.well();
        return answer.value;
      }
      if (answer.is === 'absent') this.#isOffered = false;
      if (answer.is !== 'unavailable') return [];
      // Whoever is asked too often tells its list when there are fewer questions.
      if (answer.busy) health.trouble(answer.message);
      else unread += 1;
      await clock.sleep(backoff(n, answer), stopping.signal);
    }
    return [];
  }
}

interface Asked {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  /** Absent: the queue. */
  readonly via?: Call;
  /** This run was refused before. */
  readonly again: boolean;
}

/** The row of what was refused, looked for before it is sent again; undefined where none can only be it. */
export async function lookAfterRefusal(
  asked: Asked,
  run: ReconcileNeeds,
  health: ServiceHealth,
): Promise<HistoryRow | undefined> {
  const { journal, clock, service, stopping, looksAfterRefusal } = run;
  // What a call was answered is in no list.
  if (asked.via !== undefined) return undefined;
  const { fingerprint, key } = asked;
  // The refusal is among the rows.
  if (asked.again && !(await run.recorder.durable())) return undefined;
  const refused = await journal.refusedAsBusy({ fingerprint, account: service.account }, clock.now() - DAY);
  const [first, last] = [refused[0], refused.at(-1)];
  if (!first || !last) return undefined;
  const rows = await looksAfterRefusal.rows({ since: first.at, refusedAt: last.at }, run, health);
  for (let n = 0; rows.length > 0 && n < TRIES && !stopping.signal.aborted; n++) {
    let isLater = false;
    for (const one of refused) {
      const verdict = judge(await evidenceOn({ ...one, key }, rows, true, run));
      if (verdict.is === 'found') return verdict.row;
      isLater ||= verdict.is === 'later';
    }
    if (!isLater) break;
    await clock.sleep(SOON, stopping.signal);
  }
  return undefined;
}
