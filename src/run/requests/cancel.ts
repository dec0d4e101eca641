/**
 * Ends what is under way at a service. Cancelling is observed, not promised: where it is not offered the generation goes on and is
 * billed, and the message says so. Whatever the service answers, its record decides: only a generation that it
 * calls cancelled or failed is closed, one that has succeeded meanwhile stays owned.
 */
import { isTerminal } from '../../api/queue.ts';
import type { Answer, Service } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Event } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { GenerationId, RunId } from '../../model/run/key.ts';
import { isAt, type Submission } from '../../records/views/ledger.ts';
import type { RunCore } from '../engine/run-core.ts';

type Needs = Pick<RunCore, 'clock' | 'journal' | 'recorder' | 'service' | 'state'>;

export type Cancelled =
  /** It is over and made nothing: cancelled by us, or it had failed by itself. */
  | { readonly is: 'ended'; readonly failure: Failure }
  | {
      readonly is: 'open';
      readonly why: Extract<Event, { readonly type: 'cancel_failed' }>['why'];
      readonly message: string;
    };

/** Reads of the record after a cancel was accepted: a service may take a moment to carry it out. */
const LOOKS = 6;
/** Times that a service which is too busy to answer is asked. */
const TRIES = 4;

export async function cancelAt(
  service: Service,
  open: Pick<Submission, 'id' | 'url' | 'via'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Cancelled> {
  const { id, url, via } = open;
  if (url !== undefined) return { is: 'open', why: 'finished', message: 'it had finished already' };
  if (id === undefined) {
    const lost = 'its request may have arrived, and the service never answered with an id for it';
    const called = 'a call that answers at once leaves nothing that could be cancelled';
    return { is: 'open', why: 'no_id', message: via === undefined ? lost : called };
  }
  const asked = await askToCancel(service, id, clock, signal);
  let message = asked.is === 'ok' ? 'the service has not stopped it yet' : asked.message;
  for (let look = 0; look < LOOKS && !signal.aborted; look++) {
    const record = await service.generation(id, signal);
    if (record.is === 'ok') {
      const { status, error_message } = record.value;
      const reason = error_message?.trim() || 'the service gave no reason';
      if (status === 'succeeded') return { is: 'open', why: 'finished', message: 'it had finished already' };
      if (isTerminal(status)) {
        const code = status === 'cancelled' ? 'generation_cancelled' : 'generation_failed';
        return { is: 'ended', failure: { code, generation_id: id, message: reason } };
      }
      // The generation is known and under way, and the cancel endpoint is absent: this service does not offer it.
      if (asked.is === 'absent') return { is: 'open', why: 'not_offered', message };
      if (asked.is !== 'ok') break;
    } else {
      if (asked.is === 'ok') message = record.message;
      if (record.is !== 'unavailable') break;
    }
    await clock.sleep(backoff(look, record.is === 'unavailable' ? record : {}), signal);
  }
  return { is: 'open', why: 'no_answer', message };
}

/** Closes a submission that was ended outside of any run of its film, under an id of its own. It is durable once the journal is. */
export function appendEnd(
  journal: Pick<RunCore['journal'], 'append'>,
  { key, nonce, fingerprint, id }: Submission,
  failure: Failure,
  run: RunId,
): void {
  if (id !== undefined) journal.append(run, [{ type: 'taken_up', key, nonce, fingerprint, generation_id: id }]);
  journal.append(run, [{ type: 'failed', key, failure }]);
}

/** Asking again is safe; "too many requests" is the one answer that gets better by waiting. */
async function askToCancel(
  service: Service,
  id: GenerationId,
  clock: Clock,
  signal: AbortSignal,
): Promise<Answer<null>> {
  for (let attempt = 1; ; attempt++) {
    const asked = await service.cancel(id, signal);
    const wanted = asked.is === 'unavailable' ? asked.retryAfter : undefined;
    if (wanted === undefined || attempt === TRIES || signal.aborted) return asked;
    await clock.sleep(backoff(attempt, { retryAfter: wanted }), signal);
  }
}

/** Cancels the generations of a run. Each of them is cancelled once at most. */
export class Cancellations {
  readonly #run: Needs;
  readonly #asked = new Set<string>();

  constructor(run: Needs) {
    this.#run = run;
  }

  /** Everything of this film that is open at the service. */
  all(): Promise<void> {
    return this.#each(() => true);
  }

  ofModel(model: string): Promise<void> {
    return this.#each(open => open.model === model);
  }

  async #each(matches: (open: Submission) => boolean): Promise<void> {
    const { journal, service } = this.#run;
    const found = journal.views.ledger.open.filter(open => !this.#asked.has(open.nonce) && matches(open));
    if (found.length === 0) return;
    // Submissions of an earlier run on another service cannot be cancelled here.
    const here = found.filter(open => isAt(open, service) && !this.#isMade(open));
    for (const { nonce } of here) this.#asked.add(nonce);
    await Promise.all(here.map(open => this.#cancel(open)));
  }

  async #cancel(open: Submission): Promise<void> {
    const run = this.#run;
    const { key, nonce, fingerprint, id } = open;
    if (id !== undefined && this.#isAt(open)) run.recorder.emit({ type: 'cancel_asked', key, generation_id: id });
    const { service, clock } = run;
    // The run's own signal would cut this off, because the run has stopped already.
    const cancelled = await cancelAt(service, open, clock, new AbortController().signal);
    if (cancelled.is === 'open') {
      const { why, message } = cancelled;
      run.recorder.emit({ type: 'cancel_failed', key, generation_id: id ?? null, why, message });
      return;
    }
    const failed = { type: 'failed', key, failure: cancelled.failure } as const;
    if (this.#isAt(open)) return run.recorder.record(failed);
    // It is of an earlier run, or was given up: no instance of this plan works on it.
    if (id !== undefined)
      run.recorder.append({ type: 'taken_up', key, nonce, fingerprint, generation_id: id, leftover: true });
    run.recorder.append({ ...failed, leftover: true });
  }

  #isAt({ key, nonce }: Submission): boolean {
    if (!this.#run.state.instances.has(key)) return false;
    const state = this.#run.state.get(key);
    return state.stage === 'generating' && state.sent?.nonce === nonce;
  }

  /** It is made, and only its download is left: there is nothing to cancel. */
  #isMade({ key, id, url }: Submission): boolean {
    if (url !== undefined) return true;
    if (!this.#run.state.instances.has(key)) return false;
    const state = this.#run.state.get(key);
    return state.stage === 'generated' && state.sent?.id === id;
  }
}
