/**
 * The keys of the terminal, one by one. While somebody listens the terminal is in raw mode: it makes no signals of Ctrl-C, Ctrl-Z and
 * Ctrl-\ meanwhile, so they are sent to where the terminal would have sent them, to all that runs in the foreground here. In the
 * background nothing is read: the system would stop us.
 */
import { isInForeground } from '../../host/foreground.ts';
import type { Keyboard } from '../../ui/prompter.ts';
import { onSuspend, takeDown } from './suspension.ts';

/** Undefined where nobody can type: standard input is no terminal. */
export function terminalKeyboard(): Keyboard | undefined {
  const { stdin } = process;
  if (stdin.isTTY !== true) return undefined;
  return {
    listen(pressed) {
      let isOver = false;
      const read = (chunk: Buffer | string) => {
        const others = keysIn(String(chunk)).filter(key => !send(key));
        if (others.length > 0 && !isOver) pressed(others);
      };
      const raw = (isRaw: boolean) => {
        try {
          stdin.setRawMode(isRaw);
        } catch {
          // The terminal is gone; whoever waits for it hears that from its outlet.
        }
      };
      const broken = () => {};
      let isReading = false;
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

/** `\x1b[A` is one key; a lone escape is one, too. */
export const keysIn = (chunk: string): readonly string[] =>
  chunk.match(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[@-~])|\r\n|[\s\S]/gu)?.map(key => (key === '\r\n' ? '\r' : key)) ?? [];
