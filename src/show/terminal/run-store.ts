/**
 * The state of the screen of a run, and its pace: at most four frames a second for events, one a second while only time passes, one at once
 * for a key. It knows nothing of Ink.
 */

import type { RecordedEvent } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { phase } from '../../records/views/instance-state.ts';
import { flushAlike } from '../../records/views/reduce.ts';
import { emptyRunView } from '../../records/views/run-view.ts';
import { eventLines, type PlainWords, type Reduced, reduceToLines, settledLines } from '../text/plain-lines.ts';
import { stepTallies } from '../text/step-tally.ts';
import { type Browsing, type BrowsingAct, browsed, NOT_BROWSING } from './browsing.ts';
import type { Happened } from './instance-in-full.ts';
import { type Line, text } from './line.ts';
import { Prompter } from './prompts/prompter.ts';
import { pastLines } from './rows.ts';
import type { ScreenOptions } from './screen-options.ts';

/** Milliseconds between two frames, at least. */
const SHORTEST_FRAME = 250;
/** Events that are kept of each instance. */
const MAX_EVENTS_KEPT = 60;

/** What one frame shows beside the run itself. A new object for each frame. */
interface Shown {
  /** Unix milliseconds. */
  readonly now: number;
  /** Every line of the scroll-back. It only grows, and stays the same array until it does. */
  readonly past: readonly Line[];
  readonly browsing: Browsing;
  /** The question on the screen. */
  readonly question: Prompter['current'];
  /** Keys are read. */
  readonly isListening: boolean;
}

export class RunStore {
  readonly run = emptyRunView();
  readonly options: ScreenOptions;
  readonly prompter: Prompter | undefined;
  readonly happened = new Map<InstanceKey, Happened[]>();
  /** Aborts when the screen is closed, or the terminal. */
  readonly over = new AbortController();
  readonly #words: PlainWords;
  readonly #listeners = new Set<() => void>();
  #shown: Shown = { now: 0, past: [], browsing: NOT_BROWSING, question: undefined, isListening: true };
  /** Entries of `run.settled` that the scroll-back holds. */
  #settled = 0;
  /** Lines for the scroll-back that are not of `run.settled`. */
  readonly #notices: Line[] = [];
  #browsing: Browsing = NOT_BROWSING;
  #isAsked = false;
  /** Questions that the person has put aside. */
  readonly #aside = new Set<InstanceKey>();
  #isListening = true;
  #toQuestion: ((keys: readonly string[]) => void) | undefined;
  #isDue = false;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(options: ScreenOptions) {
    this.options = options;
    const { person, clock, command, film, reviewCommand } = options;
    this.#words = {
      ...(command !== undefined && { command }),
      ...(film !== undefined && { film }),
      ...(reviewCommand !== undefined && { reviewCommand }),
    };
    // Keys go to the question on the screen, and otherwise to the person's way through the run.
    const keyboard = {
      listen: (pressed: (keys: readonly string[]) => void) => {
        this.#toQuestion = pressed;
        return () => {
          this.#toQuestion = undefined;
        };
      },
    };
    this.prompter =
      person &&
      new Prompter({
        ...{ keyboard, clock, who: person.who, review: person.review, changed: () => void this.drawSoon() },
        open: async ({ sha256 }) => (sha256 === undefined ? NO_FILE : person.open(sha256)),
      });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly shown = (): Shown => this.#shown;

  report(event: RecordedEvent): void {
    const isFirst = this.run.startedAt === 0;
    const reduced = reduceToLines(this.run, event);
    this.#remember(reduced);
    if (this.#browsing.mode === 'stream') {
      this.#streamSettled();
      this.#notices.push(...eventLines(this.run, reduced).map(line => [text(line)]));
    }
    if (isFirst) void this.#tick();
    void this.drawSoon();
  }

  /** @param keys pressed at once: more than one where something was pasted. */
  readonly press = (keys: readonly string[]): void => {
    const asked = this.prompter?.current?.prompt;
    if (this.#isAsked && asked && this.#toQuestion) {
      if (keys.length !== 1 || keys[0] !== ESC || asked.writing !== 'nothing') {
        this.#toQuestion(keys);
        return;
      }
      this.#isAsked = false;
      this.#aside.add(asked.asked.key);
    } else if (this.run.startedAt > 0 && !this.over.signal.aborted) {
      for (const key of keys) {
        const { browsing, act } = browsed(this.#browsing, key, () => this.#among());
        if (browsing.mode !== this.#browsing.mode) this.#turnOver(browsing.mode);
        this.#browsing = browsing;
        if (act) void this.#act(act);
      }
    }
    if (!this.over.signal.aborted) this.draw();
  };

  /** Draws a frame now. */
  draw(): void {
    const { run, options } = this;
    const now = options.clock.now();
    // Results that existed before arrive in a burst: instances that ended alike are gathered until it is over.
    if (now - run.lastEventAt > SHORTEST_FRAME) flushAlike(run);
    if (this.#browsing.mode === 'stream') this.#streamSettled();
    const question = this.#questionNow();
    const more = [...pastLines(run, this.#settled, options.terminal.columns, this.#words), ...this.#notices.splice(0)];
    this.#settled = run.settled.length;
    this.#drawnAt = now;
    const past = more.length > 0 ? [...this.#shown.past, ...more] : this.#shown.past;
    this.#shown = { now, past, browsing: this.#browsing, question, isListening: this.#isListening };
    for (const listener of this.#listeners) listener();
  }

  async drawSoon(): Promise<void> {
    if (this.#isDue) return;
    this.#isDue = true;
    const { clock } = this.options;
    await clock.sleep(Math.max(0, this.#drawnAt + SHORTEST_FRAME - clock.now()), this.over.signal);
    this.#isDue = false;
    if (!this.over.signal.aborted) this.draw();
  }

  /** No frame follows but the last. */
  close(): void {
    this.over.abort();
    this.prompter?.close();
    flushAlike(this.run);
    this.#browsing = { ...this.#browsing, over: undefined };
  }

  /** What is typed from now on is for the shell. */
  stopListening(): void {
    this.#isListening = false;
    this.#shown = { ...this.#shown, isListening: false };
    for (const listener of this.#listeners) listener();
  }

  /** A question comes up by itself where nothing is under way, and at a key before that. */
  #questionNow(): Shown['question'] {
    const asked = this.prompter?.current;
    if (!asked) this.#isAsked = false;
    else if (!this.#isAsked && !this.#browsing.over && !this.#aside.has(asked.prompt.asked.key) && this.#isIdle()) {
      this.#isAsked = true;
      this.prompter?.settle();
    }
    return this.#isAsked ? asked : undefined;
  }

  #isIdle(): boolean {
    return stepTallies(this.run).every(({ atWork, queued, next, retrying }) => atWork + queued + next + retrying === 0);
  }

  async #tick(): Promise<void> {
    const { clock } = this.options;
    while (!this.over.signal.aborted) {
      await clock.sleep(1000 - ((clock.now() - this.run.startedAt) % 1000), this.over.signal);
      if (!this.over.signal.aborted) void this.drawSoon();
    }
  }

  #streamSettled(): void {
    for (const entry of this.run.settled.slice(this.#settled))
      this.#notices.push(...settledLines(this.run, entry, this.#words).map(line => [text(line)]));
    this.#settled = this.run.settled.length;
  }

  #turnOver(mode: Browsing['mode']): void {
    flushAlike(this.run);
    if (mode === 'live') this.#streamSettled();
    else if (this.#settled < this.run.settled.length) this.draw();
  }

  async #act(act: BrowsingAct): Promise<void> {
    const { person, deciding } = this.options;
    if (act === 'review') {
      const outcome = person?.review ? await person.review() : (deciding ?? 'there is nothing to review');
      this.#browsing = { ...this.#browsing, notice: cleanText(outcome) };
      if (!this.over.signal.aborted) this.draw();
    } else if (this.prompter?.openNext(act)) {
      this.#isAsked = true;
      this.#aside.delete(this.prompter.current?.prompt.asked.key as InstanceKey);
    } else {
      const notice = act === 'pick' ? 'nothing waits to be picked' : 'nothing waits to be approved';
      this.#browsing = { ...this.#browsing, notice };
    }
  }

  #among() {
    const keys = [...this.run.instances.keys()];
    const find = (is: 'under-way' | 'ahead') =>
      keys.find(key => phase(this.run.instances.get(key)?.state ?? { is: 'waiting' }) === is);
    return { keys, first: find('under-way') ?? find('ahead') ?? keys[0] };
  }

  #remember({ event, words }: Reduced): void {
    if (!this.options.person || words === null || !('key' in event)) return;
    const all = this.happened.get(event.key) ?? [];
    if (all.length < MAX_EVENTS_KEPT) this.happened.set(event.key, [...all, { at: event.at, words }]);
  }
}

const NO_FILE = 'there is no file to open: it is a text';
const ESC = '\x1b';
