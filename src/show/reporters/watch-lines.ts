/** The loop in which one writes a film, as lines: each save, what it asks for, the first picture, each end, with the time since the save. */
import { basename } from 'node:path';
import { type Decision, isDrawnAgain, isKnown, type Plan } from '../../model/plan.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { padStart } from '../../model/text/cells.ts';
import { cleanText, messageText } from '../../model/text/clean.ts';
import { counted, formatSeconds, listed } from '../../model/text/format.ts';
import { reduce } from '../../records/views/reduce.ts';
import { emptyRunView, type RunView } from '../../records/views/run-view.ts';
import { reviewCommand } from '../text/choice-text.ts';
import { outcomeLine } from '../text/opening-and-outcome.ts';
import { endText } from '../text/state-text.ts';

/** Names with a line each. */
const MOST = 4;

const some = (keys: readonly string[]): string =>
  listed([...keys.slice(0, MOST).map(cleanText), ...(keys.length > MOST ? [`${keys.length - MOST} more`] : [])]);

const isMade = (decision: Decision): boolean =>
  decision.is === 'run'
    ? !isKnown(decision) || isDrawnAgain(decision)
    : decision.is === 'maybe' || decision.is === 'sent';

export class WatchLines {
  readonly #write: (line: string) => void;
  readonly #film: string;
  #run: RunView = emptyRunView();
  #written = 0;
  /** Unix milliseconds. */
  #savedAt = 0;

  /**
   * @param write is given one line at a time, without its line feed.
   * @param film options that say which film is meant, as they are typed: `--draft`.
   */
  constructor(write: (line: string) => void, film: string) {
    this.#write = write;
    this.#film = film;
  }

  saved(at: number, files: readonly string[]): void {
    this.#savedAt = at;
    if (files.length === 0) return;
    const names = files.slice(0, MOST).map(file => cleanText(basename(file)));
    const more = files.length > MOST ? [counted(files.length - MOST, 'more file')] : [];
    this.#write('');
    this.#write(`saved ${listed([...names, ...more])}`);
  }

  planned({ instances }: Plan, cancelled: readonly string[], at: number): void {
    const all = [...instances];
    const asked = all.filter(({ decision }) => isMade(decision));
    const kept = all.filter(({ decision: { is } }) => is === 'hit').length;
    const fetched = all.filter(({ decision: { is } }) => is === 'fetch').length;
    const drawn = asked.length === 0 ? 'nothing to draw' : `to draw: ${some(asked.map(({ key }) => key))}`;
    const others = [
      kept > 0 ? `${kept} as ${kept === 1 ? 'it was' : 'they were'}` : '',
      fetched > 0 ? `${fetched} made before, to be fetched` : '',
    ];
    this.#row(at, [drawn, ...others].filter(words => words !== '').join('; '));
    if (cancelled.length > 0) this.#row(at, `not drawn any more: ${some(cancelled)}`);
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

  held(at: number): void {
    this.#row(at, 'it is tried again until that has ended');
  }

  firstFrame(key: string, at: number): void {
    this.#row(at, `${cleanText(key)}  first frame`);
  }

  event(event: RecordedEvent): void {
    if (event.type === 'run_started') {
      this.#run = emptyRunView();
      this.#written = 0;
    }
    const wasAsking = 'key' in event && this.#run.instances.get(event.key)?.state.is === 'asking';
    reduce(this.#run, event);
    const over = this.#run.settled.slice(this.#written);
    this.#written = this.#run.settled.length;
    for (const entry of over) {
      if (entry.is !== 'instance' || entry.instance.ended.is === 'reused') continue;
      this.#row(event.at, `${entry.instance.label}  ${endText(entry.instance.ended)}`);
    }
    // With each candidate that comes it is asked anew.
    if (event.type === 'waiting_for' && !wasAsking) this.#asked(event.key, event.at);
    if (event.type === 'output_written' && !event.unchanged) this.#row(event.at, `wrote ${cleanText(event.path)}`);
    if (event.type === 'output_failed') this.#row(event.at, `${cleanText(event.path)}: ${cleanText(event.reason)}`);
    // One that was saved over has no line: what comes next does.
    if (event.type === 'run_finished' && event.outcome !== 'interrupted') this.#row(event.at, outcomeLine(this.#run));
  }

  #asked(key: InstanceKey, at: number): void {
    const { label = cleanText(key), state } = this.#run.instances.get(key) ?? {};
    if (state?.is !== 'asking') return;
    this.#row(at, `${label}  waits for you: ${messageText(state.ask)}`);
    this.#write(`${' '.repeat(10)}${reviewCommand(this.#run, this.#film)}`);
  }

  #row(at: number, words: string): void {
    this.#write(`${padStart(`+${formatSeconds(Math.max(0, at - this.#savedAt) / 1000)}`, 8)}  ${words}`);
  }
}
