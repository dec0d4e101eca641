/**
 * Asks the person at the terminal, one question after the other, while the rest goes on. A question is taken away when it is answered
 * somewhere else.
 *
 *     decide ─▶ queued ─▶ shown ─┬─ a key answers ──────▶ the verdict
 *                                ├─ `l`: later ─────────▶ undefined
 *                                └─ its signal aborts ──▶ undefined, and it is gone
 */

import type { Clock } from '../../../machine/time/clock.ts';
import type { Option } from '../../../model/run/event.ts';
import type { OpenQuestion, Verdict } from '../../../run/ports/decider.ts';
import { type Act, type Prompt, pressed, promptOf, withAsked } from './question-prompt.ts';

/** The keys that are typed, one by one. A port: `cli/terminal/keyboard.ts` reads the terminal. */
export interface Keyboard {
  /** Each call of `pressed` gets the keys that came at once: more than one where something was pasted. */
  listen(pressed: (keys: readonly string[]) => void): () => void;
}

interface PrompterOptions {
  readonly keyboard: Keyboard;
  readonly clock: Pick<Clock, 'now'>;
  /** The name that answers bear. */
  readonly who: () => Promise<string>;
  /** Shows the file of a candidate; gives what is the matter, as a sentence, or undefined. */
  readonly open: (option: Option) => Promise<string | undefined>;
  /** Opens the review page, and resolves with the outcome as a sentence. Absent: there is none. */
  readonly review?: (() => Promise<string>) | undefined;
  /** It looks different now. */
  readonly changed: () => void;
}

/** Milliseconds in which a question that has just come up takes no key: it was meant for the one before. */
const SETTLE = 250;

interface Waiting {
  prompt: Prompt;
  readonly answer: (verdict: Verdict | undefined) => void;
}

export class Prompter {
  readonly #options: PrompterOptions;
  readonly #queue: Waiting[] = [];
  #shown: Waiting | undefined;
  #shownAt = 0;
  #silence: (() => void) | undefined;
  constructor(options: PrompterOptions) {
    this.#options = options;
  }

  /** What is asked now, and how many come after it. */
  get current(): { readonly prompt: Prompt; readonly more: number } | undefined {
    const [first] = this.#queue;
    return first && { prompt: first.prompt, more: this.#queue.length - 1 };
  }

  readonly decide = (question: OpenQuestion, signal: AbortSignal): Promise<Verdict | undefined> => {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise(resolve => {
      const waiting: Waiting = {
        prompt: promptOf(question),
        answer: verdict => {
          forget();
          this.#remove(waiting);
          resolve(verdict);
        },
      };
      const changed = () => {
        waiting.prompt = withAsked(waiting.prompt, question);
        this.#options.changed();
      };
      const gone = () => waiting.answer(undefined);
      const unlisten = question.onChange(changed);
      signal.addEventListener('abort', gone, { once: true });
      const forget = () => {
        unlisten();
        signal.removeEventListener('abort', gone);
      };
      this.#queue.push(waiting);
      this.#look();
    });
  };

  /** What is asked now has come up by itself: for a moment it takes no key. */
  settle(): void {
    this.#shownAt = this.#options.clock.now();
  }

  /** Asks the first question of this kind before all others; false where there is none. */
  openNext(is: OpenQuestion['is']): boolean {
    const place = this.#queue.findIndex(({ prompt }) => prompt.asked.is === is);
    const [found] = place < 0 ? [] : this.#queue.splice(place, 1);
    if (!found) return false;
    this.#queue.unshift(found);
    this.#shown = found;
    this.#shownAt = Number.NEGATIVE_INFINITY;
    return true;
  }

  /** Withdraws all questions. */
  close(): void {
    for (const waiting of [...this.#queue]) waiting.answer(undefined);
  }

  #remove(waiting: Waiting): void {
    const place = this.#queue.indexOf(waiting);
    if (place >= 0) this.#queue.splice(place, 1);
    this.#look();
  }

  #look(): void {
    const [first] = this.#queue;
    if (first !== this.#shown) this.#shownAt = this.#options.clock.now();
    this.#shown = first;
    // Only as long as something is asked keys are read.
    if (first) this.#silence ??= this.#options.keyboard.listen(keys => this.#press(keys));
    else {
      this.#silence?.();
      this.#silence = undefined;
    }
    this.#options.changed();
  }

  #press(keys: readonly string[]): void {
    const asked = this.#shown;
    if (!asked || this.#options.clock.now() - this.#shownAt < SETTLE) return;
    // What is pasted is a note, or nothing: a text that begins with a digit is no choice.
    if (keys.length > 1 && asked.prompt.writing === 'nothing') return;
    for (const key of keys) {
      const { prompt, act } = pressed(asked.prompt, key);
      asked.prompt = prompt;
      if (act) {
        void this.#act(asked, act);
        break;
      }
    }
    this.#options.changed();
  }

  #notify(asked: Waiting, notice: string): void {
    asked.prompt = { ...asked.prompt, notice };
    this.#options.changed();
  }

  async #act(asked: Waiting, act: Act): Promise<void> {
    switch (act.is) {
      case 'later':
        return asked.answer(undefined);
      case 'open': {
        const problem = await this.#options.open(act.option);
        return this.#notify(asked, problem ?? `opened ${act.option.key}`);
      }
      case 'review': {
        const outcome = await this.#options.review?.();
        return outcome === undefined ? undefined : this.#notify(asked, outcome);
      }
      case 'answer': {
        const { chosen, note } = act;
        const who = await this.#options.who();
        return asked.answer({ chosen, by: 'person', who, ...(note !== '' && { note }) });
      }
    }
  }
}
