/** The loop in which one writes a film, as lines: each save, what it asks for, the first picture, each end, with the time since the save. */
import { basename } from 'node:path';
import { padStart } from '../domain/cells.ts';
import { cleanText } from '../domain/clean.ts';
import type { RecordedEvent } from '../domain/event.ts';
import { formatSeconds } from '../domain/format.ts';
import { listed } from '../domain/listed.ts';
import type { Plan } from '../domain/plan.ts';
import { count } from '../telling/count.ts';
import { outcomeLine } from '../telling/opening-and-outcome.ts';
import { reduce } from '../telling/reduce.ts';
import { emptyRunView, type RunView } from '../telling/run-view.ts';
import { endText } from '../telling/state-text.ts';

/** Names that are told one by one. */
const MOST = 4;

export class WatchLines {
  readonly #write: (line: string) => void;
  #run: RunView = emptyRunView();
  #written = 0;
  /** Unix milliseconds. */
  #savedAt = 0;

  /** @param write is given one line at a time, without its line feed. */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  saved(at: number, files: readonly string[]): void {
    this.#savedAt = at;
    if (files.length === 0) return;
    const names = files.slice(0, MOST).map(file => cleanText(basename(file)));
    const more = files.length > MOST ? [count(files.length - MOST, 'more file')] : [];
    this.#write('');
    this.#write(`saved ${listed([...names, ...more])}`);
  }

  planned({ instances }: Plan, cancelled: readonly string[], at: number): void {
    const all = [...instances];
    const asked = all.filter(({ decision: { is } }) => is !== 'hit' && is !== 'skip' && is !== 'left_out');
    const kept = all.filter(({ decision: { is } }) => is === 'hit').length;
    const names = asked.slice(0, MOST).map(({ key }) => cleanText(key));
    const more = asked.length > MOST ? [count(asked.length - MOST, 'more')] : [];
    const drawn = asked.length === 0 ? 'nothing to draw' : `to draw: ${listed([...names, ...more])}`;
    this.#row(at, `${drawn}${kept > 0 ? `; ${kept} as they were` : ''}`);
    if (cancelled.length > 0) this.#row(at, `not drawn any more: ${listed(cancelled.map(cleanText))}`);
  }

  same(at: number): void {
    this.#row(at, 'the film asks for the same: what is being drawn goes on');
  }

  mistaken(at: number, goesOn: boolean): void {
    this.#row(
      at,
      goesOn ? 'what is being drawn goes on; the next save is tried' : 'what was made stays; the next save is tried',
    );
  }

  firstFrame(key: string, at: number): void {
    this.#row(at, `${cleanText(key)}  first frame`);
  }

  event(event: RecordedEvent): void {
    if (event.type === 'run_started') {
      this.#run = emptyRunView();
      this.#written = 0;
    }
    reduce(this.#run, event);
    const over = this.#run.settled.slice(this.#written);
    this.#written = this.#run.settled.length;
    for (const entry of over) {
      if (entry.is !== 'instance' || entry.instance.state.is === 'reused') continue;
      this.#row(event.at, `${entry.instance.label}  ${endText(entry.instance.state)}`);
    }
    if (event.type === 'waiting_for')
      this.#row(event.at, `${cleanText(event.key)}  waits for you: ${cleanText(event.ask)}`);
    if (event.type === 'output_written') this.#row(event.at, `wrote ${cleanText(event.path)}`);
    if (event.type === 'output_failed') this.#row(event.at, `${cleanText(event.path)}: ${cleanText(event.reason)}`);
    // One that was saved over says nothing: what comes next does.
    if (event.type === 'run_finished' && event.outcome !== 'interrupted') this.#row(event.at, outcomeLine(this.#run));
  }

  #row(at: number, words: string): void {
    this.#write(`${padStart(`+${formatSeconds(Math.max(0, at - this.#savedAt) / 1000)}`, 8)}  ${words}`);
  }
}
