/**
 * The keys of the terminal, one by one. While somebody listens the terminal is in raw mode: it makes no signals of Ctrl-C, Ctrl-Z and
 * Ctrl-\ meanwhile, so they are sent to where the terminal would have sent them, to all that runs in the foreground here. In the
 * background nothing is read: the system would stop us.
 */
import { systemClock } from '../../host/clock.ts';
import { isInForeground } from '../../host/foreground.ts';
import type { Keyboard } from '../../ui/prompter.ts';
import { draw } from '../outlets.ts';
import { KeyReader } from './key-reader.ts';
import { onSuspend, takeDown } from './suspension.ts';

export interface TerminalKeyboard extends Keyboard {
  /**
   * Asks the terminal itself. Resolves with all that it answers, one behind the other, up to the answer that `isLast`; undefined where
   * nobody reads its keys at the moment, or it does not answer in time.
   */
  ask(question: string, isLast: (answer: string) => boolean): Promise<string | undefined>;
}

/** Milliseconds: a terminal at the other end of a slow line answers within them. */
const PATIENCE = 1_000;

/** Undefined where nobody can type: standard input is no terminal. */
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
      const raw = (isRaw: boolean) => {
        try {
          stdin.setRawMode(isRaw);
        } catch {
          // The terminal is gone; whoever waits for it hears that from its outlet.
        }
      };
      const broken = () => {};
      const begin = async () => {
        if (!(await isInForeground(process.pid, process.env)) || isOver || isReading) return;
        isReading = true;
        raw(true);
        stdin.setEncoding('utf8').on('data', read).on('error', broken).resume();
      };
      const end = () => {
        if (!isReading) return;
        isReading = false;
        stdin.off('data', read).off('error', broken).pause();
        raw(false);
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
      let said = '';
      let isAnswered = false;
      answered = answer => {
        said += answer;
        if (!isLast(answer)) return;
        isAnswered = true;
        over.abort();
      };
      draw(question);
      await systemClock.sleep(PATIENCE, over.signal);
      answered = undefined;
      return isAnswered ? said : undefined;
    },
  };
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
