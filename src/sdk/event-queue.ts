/** Events of a run, kept until they are asked for: whoever begins late misses none. For one reader. */
import type { RecordedEvent, Reporter } from '../domain/event.ts';

export class EventQueue implements Reporter {
  readonly #events: RecordedEvent[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  report(event: RecordedEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.end();
  }

  /** Nothing more comes; `error` is thrown to the reader behind the last event. */
  end(error?: { readonly error: unknown }): void {
    this.#end ??= error ?? {};
    this.#wake?.();
  }

  /** @param left called when the reader leaves before the end, and awaited. */
  async *read(left: () => Promise<void>): AsyncGenerator<RecordedEvent, void, undefined> {
    let isOver = false;
    try {
      for (;;) {
        yield* this.#events.splice(0);
        if (this.#events.length > 0) continue;
        if (this.#end) break;
        await new Promise<void>(wake => {
          this.#wake = wake;
        });
      }
      isOver = true;
    } finally {
      if (!isOver) await left();
    }
    if (this.#end && 'error' in this.#end) throw this.#end.error;
  }
}
