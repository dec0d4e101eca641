/** Whether the service answers, recorded once when it changes, and when the run gives up on it. */

import type { HistoryRow } from '../../api/queue.ts';
import type { Answer } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import { type Deadline, deadline } from '../../machine/time/deadline.ts';
import type { Submission } from '../../records/views/ledger.ts';
import type { RunCore } from '../engine/run-core.ts';
import { CLOCK_SKEW } from './proof-of-absence.ts';

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'service' | 'settings' | 'stopping'>;

export class ServiceHealth {
  /** What it lists, for requests that look for the same. */
  readonly history: SharedHistory;
  readonly #run: Needs;
  /** Aborts when the service has not answered for `settings.patience`, counted while this machine was awake. */
  #deadline: Deadline | undefined;

  constructor(run: Needs) {
    this.#run = run;
    this.history = new SharedHistory(run, this);
  }

  well(): void {
    if (this.#deadline === undefined) return;
    this.#deadline.clear();
    this.#deadline = undefined;
    this.#run.recorder.record({ type: 'service_changed', reachable: true, reason: 'the service answers again' });
  }

  /** Stops the run when the trouble lasts longer than `settings.patience`; what is open at the service stays open. */
  trouble(reason: string): void {
    if (this.#deadline?.signal.aborted) this.#run.stopping.stop({ is: 'unreachable', reason });
    if (this.#deadline !== undefined) return;
    const { clock, settings } = this.#run;
    this.#deadline = deadline(settings.patience, { clock, where: 'in the background' });
    this.#run.recorder.record({ type: 'service_changed', reachable: false, reason });
  }

  refused(reason: string): void {
    this.#run.stopping.stop({ is: 'unreachable', reason: `the key is refused (${reason}); give one that may do this` });
  }
}

type Rows = readonly HistoryRow[];

type Looked =
  | {
      readonly is: 'ok';
      readonly reads: readonly Rows[];
      /** Milliseconds that were waited before the first of them, since the requests were first looked for. */
      readonly waited: number;
    }
  /** The history cannot be read, and will not be. */
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'stopped' };

/** Milliseconds between two tries of a history that cannot be read to its end, and between two looks that prove nothing. */
const AGAIN = 15_000;
/** Milliseconds for which one look serves all that were refused before it, and between two: many that are refused must not be many that look. */
const SHARED = 10_000;
/** How often a list that cannot be read is asked for after a refusal. */
const TRIES = 5;

/**
 * What a service lists, read once for many requests of a run: hundreds that may have been sent in a lost time, or were refused at the same
 * moment, are held against the same reads of its history.
 */
class SharedHistory {
  readonly #run: Needs;
  readonly #health: ServiceHealth;
  /** By the moment from which on a time was lost, and the number of the look. */
  readonly #looked = new Map<string, Promise<Looked>>();
  #last: { readonly began: number; readonly since: number; readonly rows: Promise<Rows> } | undefined;
  #isOffered = true;

  constructor(run: Needs, health: ServiceHealth) {
    this.#run = run;
    this.#health = health;
  }

  /**
   * Two reads, some time apart, for all requests that may have been sent in a lost time. A list may lag, and a gateway may carry out late what
   * was sent: while the two prove nothing, there is another look.
   * @param look its number, from 0 on. @param read of a history that goes back to before that time.
   */
  async inLostTime(lost: Submission, look: number, read: () => Promise<Answer<Rows>>): Promise<Looked> {
    const { clock, recorder, settings } = this.#run;
    const { settled, apart } = settings.proof;
    const name = `${lost.at} ${look}`;
    const wait = look === 0 ? settled : AGAIN;
    recorder.emit({ type: 'looking', key: lost.key, until: clock.now() + wait + apart });
    const looked = this.#looked.get(name) ?? this.#lookTwice(wait, settled + look * (AGAIN + apart), read);
    this.#looked.set(name, looked);
    return looked;
  }

  async #lookTwice(wait: number, waited: number, read: () => Promise<Answer<Rows>>): Promise<Looked> {
    const { clock, settings, stopping } = this.#run;
    const { settled, apart } = settings.proof;
    const reads: Rows[] = [];
    let untold = 0;
    await clock.sleep(wait, stopping.signal);
    for (let attempt = 0; reads.length < 2; attempt++) {
      if (stopping.signal.aborted) return { is: 'stopped' };
      const answer = await read();
      if (stopping.signal.aborted || this.#isRefused(answer)) return { is: 'stopped' };
      if (answer.is === 'absent') return { is: 'silent', why: 'this service does not list what it was given' };
      if (answer.is === 'ok') {
        reads.push(answer.value);
        if (reads.length < 2) await clock.sleep(apart, stopping.signal);
      } else if (answer.is === 'unavailable') {
        // The service answers, but its history cannot be read to its end. For a while that may get better.
        if (answer.incomplete && untold >= settled) return { is: 'silent', why: answer.message };
        if (answer.incomplete) untold += AGAIN;
        else this.#health.trouble(answer.message);
        await clock.sleep(answer.incomplete ? AGAIN : backoff(attempt, answer), stopping.signal);
      }
    }
    return { is: 'ok', reads, waited };
  }

  /**
   * One look for all requests that were refused because the service is asked too often; no rows where it lists nothing, or cannot be read.
   * @param refusedAt Unix milliseconds of the last refusal, `since` of the first.
   */
  async afterRefusal({ since, refusedAt }: { readonly since: number; readonly refusedAt: number }): Promise<Rows> {
    const { clock, stopping } = this.#run;
    while (this.#isOffered && !stopping.signal.aborted) {
      const last = this.#last;
      const age = last ? clock.now() - last.began : Number.POSITIVE_INFINITY;
      if (!last || age >= SHARED || age < 0) {
        const from = Math.min(since, last?.since ?? since);
        this.#last = { began: clock.now(), since: from, rows: this.#read(from) };
      } else if (last.began < refusedAt || last.since > since) await clock.sleep(SHARED - age, stopping.signal);
      else return await last.rows;
    }
    return [];
  }

  async #read(since: number): Promise<Rows> {
    const { clock, service, stopping } = this.#run;
    for (let [n, unread] = [0, 0]; unread < TRIES && !stopping.signal.aborted; n++) {
      const answer = await service.history(stopping.signal, { since: Math.floor(since / 1000) - CLOCK_SKEW });
      if (answer.is === 'absent') this.#isOffered = false;
      // Where the key is refused the run stops, and the next one looks before it sends.
      if (this.#isRefused(answer) || answer.is !== 'unavailable') return answer.is === 'ok' ? answer.value : [];
      // A service that answers 429 here too gives its list later.
      if (answer.busy) this.#health.trouble(answer.message);
      else unread += 1;
      await clock.sleep(backoff(n, answer), stopping.signal);
    }
    return [];
  }

  #isRefused(answer: Answer<Rows>): boolean {
    if (answer.is === 'ok') this.#health.well();
    if (answer.is === 'unauthenticated') this.#health.refused(answer.message);
    return answer.is === 'unauthenticated';
  }
}
