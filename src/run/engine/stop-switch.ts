/** Why and when a run starts nothing new any more. */

export type StopReason =
  | { readonly is: 'interrupted' }
  | { readonly is: 'unreachable'; readonly reason: string }
  /** The journal cannot be written, so what is paid for could not be recorded. */
  | { readonly is: 'unwritable'; readonly reason: string }
  | { readonly is: 'superseded'; readonly reason: string }
  | { readonly is: 'frozen'; readonly reason: string }
  | { readonly is: 'bug' };

export class StopSwitch {
  readonly #abort = new AbortController();
  readonly #hold = new AbortController();
  readonly #bugs: unknown[] = [];
  #onChange: () => void = () => {};

  /** Aborts when the run stops early: every wait ends, and nothing new is started. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): StopReason | undefined {
    return this.#abort.signal.aborted ? (this.#abort.signal.reason as StopReason) : undefined;
  }

  /** Aborts when nothing new shall begin any more: what is under way goes on to its end, unless the run stops as well. */
  readonly beginning: AbortSignal = AbortSignal.any([this.#abort.signal, this.#hold.signal]);

  /** Something has failed, and its author wants nothing new to begin then. */
  hold(): void {
    this.#hold.abort();
  }

  /** The first reason stays. */
  stop(reason: StopReason): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
    this.#onChange();
  }

  /** Stops the run over a bug of ours, because money is involved. The bug is thrown when the requests under way have ended. */
  reportBug(bug: unknown): void {
    this.#bugs.push(bug);
    this.stop({ is: 'bug' });
  }

  throwReportedBug(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }

  /** Called whenever something happened that may let the scheduler start or end something. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  changed(): void {
    this.#onChange();
  }
}
