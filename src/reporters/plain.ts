/**
 * A run as plain lines, where the output is no terminal or under CI: one line for each thing that changed, with the time since the
 * start, never rewritten. The last block is what the screen ends with, in the same words.
 */
import type { RecordedEvent, Reporter } from '../domain/event.ts';
import type { Clock } from '../host/clock.ts';
import { heldText } from '../telling/held-back.ts';
import { eventLines, type PlainWords, plainRow, reduceAndTell, settledLines } from '../telling/plain-lines.ts';
import { emptyRunView } from '../telling/run-view.ts';

export interface PlainOptions extends PlainWords {
  /** With it a sign of life is given while requests are held back: after a minute, and then ever more rarely, to one in an hour. */
  readonly clock?: Clock;
}

/** Milliseconds between two signs of life: doubled each time. */
const FIRST_BEAT = 60_000;
const LAST_BEAT = 3_600_000;
const BEGINS_TO_HOLD: ReadonlySet<RecordedEvent['type']> = new Set(['pace_changed', 'held_back']);

/** `write` is given one line at a time, without its line feed. */
export function plainReporter(write: (line: string) => void, options: PlainOptions = {}): Reporter {
  const run = emptyRunView();
  let written = 0;
  const closed = new AbortController();
  let beats = false;

  async function beatWhileHeld(clock: Clock): Promise<void> {
    if (beats || heldText(run, clock.now()) === null) return;
    beats = true;
    for (let ms = FIRST_BEAT; ; ms = Math.min(LAST_BEAT, 2 * ms)) {
      await clock.sleep(ms, closed.signal, 'in the background');
      const words = closed.signal.aborted ? null : heldText(run, clock.now());
      if (words === null) break;
      write(plainRow(run, clock.now(), '', words));
    }
    beats = false;
  }

  return {
    report(event: RecordedEvent): void {
      const reduced = reduceAndTell(run, event);
      if (options.clock && BEGINS_TO_HOLD.has(event.type)) void beatWhileHeld(options.clock);
      const over = run.settled.slice(written);
      written = run.settled.length;
      for (const entry of over) for (const line of settledLines(run, entry, options)) write(line);
      for (const line of eventLines(run, reduced)) write(line);
    },
    async close(): Promise<void> {
      closed.abort();
    },
  };
}
