/**
 * The keys of the terminal, one by one, while something is asked. Only then is the terminal in raw mode: it makes no signals of Ctrl-C,
 * Ctrl-Z and Ctrl-\ meanwhile, so they are sent to where the terminal would have sent them, to all that runs in the foreground here.
 */
import type { Keyboard } from '../../ui/prompter.ts';

/** Undefined where nobody can type: standard input is no terminal. */
export function terminalKeyboard(): Keyboard | undefined {
  const { stdin } = process;
  if (stdin.isTTY !== true) return undefined;
  return {
    listen(pressed) {
      let isOver = false;
      const read = (chunk: Buffer | string) => {
        const keys = keysIn(String(chunk));
        const others = keys.filter(key => !send(key));
        if (others.length > 0 && !isOver) pressed(others);
      };
      const raw = (isRaw: boolean) => {
        try {
          stdin.setRawMode(isRaw);
        } catch {
          // The terminal is gone; whoever waits for it hears that from its outlet.
        }
      };
      const send = (key: string): boolean => {
        const signal = SIGNALS[key];
        if (signal === undefined) return false;
        if (signal === 'SIGTSTP') raw(false);
        process.kill(0, signal);
        return true;
      };
      const resumed = () => {
        if (!isOver) raw(true);
      };
      const broken = () => {};
      raw(true);
      stdin.setEncoding('utf8').on('data', read).on('error', broken).resume();
      process.on('SIGCONT', resumed);
      return () => {
        isOver = true;
        stdin.off('data', read).off('error', broken).pause();
        process.off('SIGCONT', resumed);
        raw(false);
      };
    },
  };
}

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' };

/** `\x1b[A` is one key; a lone escape is one, too. */
export const keysIn = (chunk: string): readonly string[] =>
  chunk.match(/\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[@-~])|\r\n|[\s\S]/gu)?.map(key => (key === '\r\n' ? '\r' : key)) ?? [];
