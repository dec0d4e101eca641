/** Why and when a run starts nothing new any more. */

export type StopReason =
  | { readonly is: 'interrupted' }
  | { readonly is: 'unreachable'; readonly reason: string }
  /** The journal cannot be written: what was paid for could not be kept. */
  | { readonly is: 'unwritable'; readonly reason: string }
  | { readonly is: 'frozen'; readonly reason: string }
  /** A belief of ours broke. */
  | { readonly is: 'bug' };

export class StopSwitch {
  readonly #abort = new AbortController();
  readonly #bugs: unknown[] = [];
  #onChange: () => void = () => {};

  /** Aborts when the run stops early: everything that waits lets go, and nothing new is started. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): StopReason | undefined {
    return this.#abort.signal.aborted ? (this.#abort.signal.reason as StopReason) : undefined;
  }

  /** The first reason stays. */
  stop(reason: StopReason): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
    this.#onChange();
  }

  /** A belief of ours broke: with money it is better to stop. It is thrown when what is on the wire has ended. */
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
