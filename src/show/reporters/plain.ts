/**
 * A run as plain lines, where the output is no terminal or under CI: one line for each thing that changed, with the time since the
 * start, never rewritten. The last block is what the screen ends with, in the same words.
 */

import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { emptyRunView } from '../../records/views/run-view.ts';
import { signOfLife } from '../text/held-requests-text.ts';
import { eventLines, type PlainWords, plainRow, reduceToLines, settledLines } from '../text/plain-lines.ts';

interface PlainOptions extends PlainWords {
  /** With it a sign of life follows each minute without a line; while all requests are held back ever more rarely, down to one in an hour. */
  readonly clock?: Clock;
}

/** Milliseconds between two signs of life, doubled each time while everything waits. */
const FIRST_BEAT = 60_000;
const LAST_BEAT = 3_600_000;

/** `write` is given one line at a time, without its line feed. */
export function plainReporter(write: (line: string) => void, options: PlainOptions = {}): Reporter {
  const { clock } = options;
  const run = emptyRunView();
  const closed = new AbortController();
  let written = 0;
  let isBeating = false;
  /** Unix milliseconds. */
  let lastPrinted = 0;

  function printLine(line: string): void {
    lastPrinted = clock?.now() ?? 0;
    write(line);
  }

  async function beat(clock: Clock): Promise<void> {
    let every = FIRST_BEAT;
    let wait = every;
    for (;;) {
      await clock.sleep(wait, closed.signal, 'in the background');
      if (closed.signal.aborted) return;
      const sign = signOfLife(run, clock.now());
      if (sign === null) break;
      const silent = clock.now() - lastPrinted;
      wait = FIRST_BEAT - silent;
      if (wait > 0) continue;
      printLine(plainRow(run, clock.now(), '', sign.text));
      every = sign.isUnderWay ? FIRST_BEAT : Math.min(LAST_BEAT, 2 * every);
      wait = every;
    }
    isBeating = false;
  }

  return {
    report(event: RecordedEvent): void {
      const reduced = reduceToLines(run, event);
      const over = run.settled.slice(written);
      written = run.settled.length;
      for (const entry of over) for (const line of settledLines(run, entry, options)) printLine(line);
      for (const line of eventLines(run, reduced)) printLine(line);
      if (clock === undefined || isBeating || run.finished !== null) return;
      isBeating = true;
      void beat(clock);
    },
    async close(): Promise<void> {
      closed.abort();
    },
  };
}
