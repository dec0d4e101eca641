/**
 * What was sent to the service and is not brought home yet, folded from the journal of all earlier runs.
 * An entry opens with an intent and closes only when the result is owned, or it provably cost nothing, or the service
 * itself says that it failed. A deadline, a crash or a lost download on this side never closes one.
 */
import type { Call, Stamped } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { JsonObject } from '../domain/json.ts';
import type { GenerationId, InstanceKey, RunId } from '../domain/key.ts';
import type { JournalRow } from './journal.ts';

export interface OpenSubmission {
  readonly nonce: string;
  readonly key: InstanceKey;
  readonly fingerprint: string;
  readonly model: string;
  readonly request: JsonObject;
  readonly price: number | null;
  /** Unix milliseconds of the intent. */
  readonly at: number;
  /** A call that answers at once: it leaves no id. Absent: the queue. */
  readonly via?: Call;
  /** Of a call: where the service says the media is. */
  readonly url?: string;
  /** Absent: the POST's outcome is not known. */
  readonly id?: GenerationId;
}

export class Ledger {
  readonly #open = new Map<string, OpenSubmission>();
  /** The submission an instance is at, within one run. */
  readonly #current = new Map<string, string>();
  readonly #claimed = new Set<string>();

  static from(rows: Iterable<JournalRow>): Ledger {
    const ledger = new Ledger();
    for (const { run, event } of rows) ledger.apply(run, event);
    return ledger;
  }

  apply(run: RunId, event: Stamped): void {
    if (!('key' in event)) return;
    const at = `${run}\n${event.key}`;
    switch (event.type) {
      case 'submit_intended':
        this.#current.set(at, event.nonce);
        this.#open.set(event.nonce, { ...event, at: event.at });
        return;
      case 'submit_accepted':
      case 'taken_up': {
        this.#current.set(at, event.nonce);
        const id = event.generation_id;
        if (id === null) return;
        this.#claimed.add(id);
        const entry = this.#open.get(event.nonce);
        if (entry) this.#open.set(event.nonce, { ...entry, id });
        return;
      }
      case 'generated': {
        const entry = this.#open.get(this.#current.get(at) ?? '');
        if (entry?.via) this.#open.set(entry.nonce, { ...entry, url: event.result_url });
        return;
      }
      case 'submit_unknown':
        this.#current.set(at, event.nonce);
        return;
      case 'submit_refused':
      case 'submit_absent':
      case 'answer_unfit':
        this.#open.delete(event.nonce);
        return;
      case 'succeeded':
        this.#close(at);
        return;
      case 'failed':
        if (endsIt(event.failure)) this.#close(at);
        return;
      default:
        return;
    }
  }

  /** Oldest first. */
  get open(): readonly OpenSubmission[] {
    return [...this.#open.values()];
  }

  /** Whether a generation at the service is already some submission's of ours. */
  isClaimed(id: string): boolean {
    return this.#claimed.has(id);
  }

  #close(at: string): void {
    const nonce = this.#current.get(at);
    if (nonce) this.#open.delete(nonce);
  }
}

/** Whether a failure also ends the generation behind it. */
function endsIt(failure: Failure): boolean {
  switch (failure.code) {
    case 'generation_failed':
    case 'generation_cancelled':
    case 'request_refused':
      return true;
    case 'submit_unknown':
    case 'download_failed':
    case 'timed_out':
      return false;
    case 'deployment_failed':
    case 'request_invalid':
    case 'answer_invalid':
    case 'tokenize_failed':
    case 'command_failed':
    case 'expression_failed':
      return true;
  }
}
