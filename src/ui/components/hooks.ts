/** The terminal's keys, size and suspension, as the components use them. */
import { useApp } from 'ink';
import { useEffect } from 'react';
import type { Keyboard } from '../prompter.ts';
import type { ScreenTerminal } from '../screen-terminal.ts';
import type { TerminalStream } from '../terminal-stream.ts';

/**
 * Listens to the keyboard while `isActive`. Not Ink's `useInput`: our keyboard reads bytes already, sends Ctrl-C as a signal, and knows the
 * terminal's own answers from keys. Read once more by Ink, Esc would be held for 20 ms.
 */
export function useKeys(
  keyboard: Keyboard | undefined,
  isActive: boolean,
  pressed: (keys: readonly string[]) => void,
): void {
  useEffect(() => (isActive ? keyboard?.listen(pressed) : undefined), [keyboard, isActive, pressed]);
}

/** Ctrl-Z erases the live part before the process stops; `fg` draws it again. */
export function useSuspension(terminal: ScreenTerminal, output: TerminalStream): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    let suspended: ReturnType<typeof suspendTerminal> | undefined;
    const suspending = () => {
      suspended ??= suspendTerminal();
    };
    return terminal.onSuspend({
      suspending,
      resumed: () => {
        // After SIGSTOP, which no process sees coming, others have written below the live part: it stays where it is.
        output.muted(suspending);
        void suspended?.then(({ resume }) => resume());
        suspended = undefined;
      },
    });
  }, [terminal, output, suspendTerminal]);
}
