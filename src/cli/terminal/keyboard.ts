/**
 * The keys of the terminal, one by one. While there is a listener the terminal is in raw mode: it makes no signals of Ctrl-C, Ctrl-Z and
 * Ctrl-\ meanwhile, so they are sent to where the terminal would have sent them, to all that runs in the foreground here. In the
 * background nothing is read: the system would stop us.
 */

import { relative } from 'node:path';
import { isInForeground, openFile } from '../../machine/process/small-program.ts';
import { type Clock, systemClock } from '../../machine/time/clock.ts';
import type { Keyboard } from '../../show/terminal/prompts/prompter.ts';
import type { Person } from '../../show/terminal/screen-options.ts';
import { draw } from '../outlets.ts';
import { onSuspend, takeDown } from './suspension.ts';

export interface TerminalKeyboard extends Keyboard {
  /**
   * Asks the terminal itself. Resolves with all that it answers, one behind the other, up to the answer that `isLast`; undefined where
   * its keys are not read at the moment, or it does not answer in time.
   */
  ask(question: string, isLast: (answer: string) => boolean): Promise<string | undefined>;
}

/** Milliseconds: a terminal at the other end of a slow line answers within them. */
const PATIENCE = 1_000;

/** Undefined where standard input is no terminal. */
export function terminalKeyboard(): TerminalKeyboard | undefined {
  const { stdin } = process;
  if (stdin.isTTY !== true) return undefined;
  let isReading = false;
  let answered: ((answer: string) => void) | undefined;
  return {
    listen(pressed) {
      let isOver = false;
      const reader = new KeyReader({
        clock: systemClock,
        keys(all) {
          const others = all.filter(key => !send(key));
          if (others.length > 0 && !isOver) pressed(others);
        },
        answer: answer => answered?.(answer),
      });
      const read = (chunk: Buffer | string) => reader.read(String(chunk));
      const broken = () => {};
      const begin = async () => {
        if (!(await isInForeground(process.pid, process.env)) || isOver || isReading) return;
        isReading = true;
        setRaw(true);
        stdin.setEncoding('utf8').on('data', read).on('error', broken).resume();
      };
      const end = () => {
        if (!isReading) return;
        isReading = false;
        stdin.off('data', read).off('error', broken).pause();
        setRaw(false);
      };
      void begin();
      const unsuspend = onSuspend({ suspending: end, resumed: () => void begin() });
      return () => {
        isOver = true;
        unsuspend();
        end();
      };
    },
    async ask(question, isLast) {
      if (!isReading || answered) return undefined;
      const over = new AbortController();
      let answers = '';
      let isAnswered = false;
      answered = answer => {
        answers += answer;
        if (!isLast(answer)) return;
        isAnswered = true;
        over.abort();
      };
      draw(question);
      await systemClock.sleep(PATIENCE, over.signal);
      answered = undefined;
      return isAnswered ? answers : undefined;
    },
  };
}

function setRaw(isRaw: boolean): void {
  try {
    process.stdin.setRawMode(isRaw);
  } catch {
    // The terminal is gone; its outlet reports that.
  }
}

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' };

/** Whether the key is one that a terminal makes a signal of. */
function send(key: string): boolean {
  const signal = SIGNALS[key];
  if (signal === undefined) return false;
  if (signal === 'SIGQUIT') takeDown();
  process.kill(0, signal);
  return true;
}

interface KeyReaderOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Keys that came at once: more than one where something was pasted. */
  readonly keys: (keys: readonly string[]) => void;
  /** One answer, whole. */
  readonly answer: (answer: string) => void;
}

/** Milliseconds in which a terminal sends the rest of what it has begun. */
const REST = 50;
/** An escape, and what may be between it and the letter that ends its sequence. */
const BEGUN = /\x1b(?:\[[0-9;?]*|O)?$/;
/** What a terminal is (DA1), how large a character and a picture may be: no key looks like that, whenever it comes. */
const ANSWER = /^\x1b\[(?:\?[\d;]*[cS]|6;\d+;\d+t)$/;

export class KeyReader {
  readonly #options: KeyReaderOptions;
  #held = '';
  #patience: AbortController | undefined;

  constructor(options: KeyReaderOptions) {
    this.#options = options;
  }

  read(chunk: string): void {
    this.#patience?.abort();
    this.#patience = undefined;
    const text = this.#held + chunk;
    this.#held = BEGUN.exec(text)?.[0] ?? '';
    this.#dispatch(text.slice(0, text.length - this.#held.length));
    if (this.#held !== '') void this.#wait();
  }

  async #wait(): Promise<void> {
    const patience = new AbortController();
    this.#patience = patience;
    await this.#options.clock.sleep(REST, patience.signal);
    if (patience.signal.aborted) return;
    const held = this.#held;
    this.#held = '';
    this.#dispatch(held);
  }

  #dispatch(text: string): void {
    const keys: string[] = [];
    for (const key of keysIn(text)) {
      if (ANSWER.test(key)) this.#options.answer(key);
      else keys.push(key);
    }
    if (keys.length > 0) this.#options.keys(keys);
  }
}

/** `\x1b[A` is one key; a lone escape is one, too. */
const keysIn = (chunk: string): readonly string[] =>
  chunk.match(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[@-~])|\r\n|[\s\S]/gu)?.map(key => (key === '\r\n' ? '\r' : key)) ?? [];

/** Empty where standard input is no terminal. */
export function personAtTerminal({ fileOf, who, review }: Pick<Person, 'fileOf' | 'who' | 'review'>): {
  readonly person?: Person;
  /** Theirs, which the terminal itself can be asked through. */
  readonly keyboard?: TerminalKeyboard;
} {
  const keyboard = terminalKeyboard();
  if (!keyboard) return {};
  const person: Person = {
    ...{ keyboard, who, ...(review && { review }) },
    fileOf: sha256 => {
      const path = fileOf(sha256);
      return path && relative(process.cwd(), path);
    },
    open: async sha256 => {
      const path = fileOf(sha256);
      return path === undefined ? 'its file is not on this machine' : openFile(path, process.env);
    },
  };
  return { person, keyboard };
}
