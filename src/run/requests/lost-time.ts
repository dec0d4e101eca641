/**
 * What a service lists of a time that the journal has lost, for all requests of a run that may have been sent then: two reads of its
 * history, once what was sent in that time must be listed, and some time apart. Nothing more of that time is to come afterwards, so that
 * hundreds of requests are held against the same two.
 */
import type { HistoryRow } from '../../api/queue.ts';
import type { Answer } from '../../api/service.ts';
import type { Event } from '../../domain/event.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import type { Submission } from './ledger.ts';
import type { Proof } from './proof.ts';

interface Needs {
  readonly clock: Clock;
  readonly settings: { readonly proof: Proof };
  readonly recorder: { emit(event: Event): void };
  readonly stopping: { readonly signal: AbortSignal };
}
interface Health {
  well(): void;
  trouble(message: string): void;
  refused(message: string): void;
}
type Read = () => Promise<Answer<readonly HistoryRow[]>>;

export type Looked =
  | { readonly is: 'ok'; readonly reads: readonly (readonly HistoryRow[])[] }
  /** The history cannot be read, and will not be. */
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'stopped' };

/** Milliseconds between two tries of a history that cannot be read to its end. */
const AGAIN = 15_000;

export class LostTimeReads {
  /** By the moment from which on a time was lost. */
  readonly #looked = new Map<number, Promise<Looked>>();

  /** @param read of a history that goes back to before that time. */
  async looked(lost: Submission, read: Read, run: Needs, health: Health): Promise<Looked> {
    const before = this.#looked.get(lost.at);
    const until = run.clock.now() + run.settings.proof.settled + run.settings.proof.apart;
    run.recorder.emit({ type: 'looking', key: lost.key, until });
    const looked = before ?? look(read, run, health);
    this.#looked.set(lost.at, looked);
    return looked;
  }
}

async function look(read: Read, run: Needs, health: Health): Promise<Looked> {
  const { clock, settings, stopping } = run;
  const { settled, apart } = settings.proof;
  const reads: (readonly HistoryRow[])[] = [];
  let untold = 0;
  await clock.sleep(settled, stopping.signal);
  for (let attempt = 0; reads.length < 2; attempt++) {
    if (stopping.signal.aborted) return { is: 'stopped' };
    const answer = await read();
    if (stopping.signal.aborted) return { is: 'stopped' };
    switch (answer.is) {
      case 'ok':
        health.well();
        reads.push(answer.value);
        if (reads.length < 2) await clock.sleep(apart, stopping.signal);
        break;
      case 'absent':
        return { is: 'silent', why: 'this service does not list what it was given' };
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        // The service answers, but its history cannot be read to its end. For a while that may get better.
        if (answer.incomplete && untold >= settled) return { is: 'silent', why: answer.message };
        if (!answer.incomplete) health.trouble(answer.message);
        untold += answer.incomplete ? AGAIN : 0;
        await clock.sleep(answer.incomplete ? AGAIN : backoff(attempt, answer), stopping.signal);
        break;
    }
  }
  return { is: 'ok', reads };
}
