/**
 * What a service lists of a time that the journal has lost, for all requests of a run that may have been sent then: two reads of its
 * history, some time apart, so that hundreds of requests are held against the same two. A list may lag, and a gateway may carry out late
 * what was sent: while the two prove nothing, there is another look.
 */
import type { HistoryRow } from '../../api/queue.ts';
import type { Answer } from '../../api/service.ts';
import type { Event } from '../../domain/event.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import type { Submission } from '../../records/views/ledger.ts';
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
  | {
      readonly is: 'ok';
      readonly reads: readonly (readonly HistoryRow[])[];
      /** Milliseconds that were waited before the first of them, since the requests were first looked for. */
      readonly waited: number;
    }
  /** The history cannot be read, and will not be. */
  | { readonly is: 'silent'; readonly why: string }
  | { readonly is: 'stopped' };

/** Milliseconds between two tries of a history that cannot be read to its end. */
const AGAIN = 15_000;

/** Milliseconds between two looks that prove nothing. */
const NEXT_LOOK = 15_000;

export class LostTimeReads {
  /** By the moment from which on a time was lost, and the number of the look. */
  readonly #looked = new Map<string, Promise<Looked>>();

  /** @param look its number, from 0 on. @param read of a history that goes back to before that time. */
  async looked(lost: Submission, look: number, read: Read, run: Needs, health: Health): Promise<Looked> {
    const { settled, apart } = run.settings.proof;
    const name = `${lost.at} ${look}`;
    const wait = look === 0 ? settled : NEXT_LOOK;
    run.recorder.emit({ type: 'looking', key: lost.key, until: run.clock.now() + wait + apart });
    const looked = this.#looked.get(name) ?? lookTwice(wait, settled + look * (NEXT_LOOK + apart), read, run, health);
    this.#looked.set(name, looked);
    return looked;
  }
}

async function lookTwice(wait: number, waited: number, read: Read, run: Needs, health: Health): Promise<Looked> {
  const { clock, settings, stopping } = run;
  const { settled, apart } = settings.proof;
  const reads: (readonly HistoryRow[])[] = [];
  let untold = 0;
  await clock.sleep(wait, stopping.signal);
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
  return { is: 'ok', reads, waited };
}
