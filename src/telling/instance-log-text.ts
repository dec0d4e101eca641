/** What happened to one instance, a line for each event: when, and in the words that the run itself said it. */
import { safeLines } from '../domain/clean.ts';
import type { RecordedEvent } from '../domain/event.ts';
import { formatUsd } from '../domain/format.ts';
import { type InstanceState, isOver } from '../records/views/instance-state.ts';
import { reduce } from '../records/views/reduce.ts';
import { emptyRunView, type RunView } from '../records/views/run-view.ts';
import { eventText } from './event-text.ts';
import { endText } from './state-text.ts';

/** Told as it goes: each line once. */
export class InstanceLogText {
  readonly #run: RunView = emptyRunView();
  #told = 0;

  constructor(started: RecordedEvent & { readonly type: 'run_started' }) {
    reduce(this.#run, started);
  }

  /** @param events all that were kept so far. */
  lines(events: readonly RecordedEvent[]): readonly { readonly at: number; readonly text: string }[] {
    const fresh = events.slice(this.#told);
    this.#told = events.length;
    return fresh.flatMap(event => {
      const key = 'key' in event ? event.key : undefined;
      const before = (key && this.#run.instances.get(key)?.state) || null;
      reduce(this.#run, event);
      const instance = key && this.#run.instances.get(key);
      const text = this.#textOf(event, before, instance?.state);
      return text === null ? [] : [{ at: event.at, text: safeLines(text) }];
    });
  }

  #textOf(event: RecordedEvent, before: InstanceState | null, after: InstanceState | undefined): string | null {
    const told = eventText(event, before, this.#run);
    if (told !== null) return told;
    if (event.type === 'submit_intended') {
      const price = event.price ? `, ${formatUsd(event.price)}` : '';
      return `sent to ${event.model}${price}`;
    }
    return after && isOver(after) ? endText(after) : null;
  }
}
