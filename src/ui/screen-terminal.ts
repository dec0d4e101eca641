/** The terminal that a screen draws on. A port: `cli/terminal/real-terminal.ts` is the one that a person sits at. */

export interface ScreenTerminal {
  /** Cells, read for each frame. */
  readonly columns: number;
  readonly rows: number;
  /** A line that is there already is broken in two, and put together again, when the terminal is made narrower or wider. */
  readonly reflows: boolean;
  write(text: string): void;
  /** Each call of `changed` tells that `columns` or `rows` have changed. The returned function stops listening. */
  onResize(changed: () => void): () => void;
  /** `suspending` comes before the process is stopped (Ctrl-Z), `resumed` when it goes on: others have written meanwhile. */
  onSuspend(listener: Suspension): () => void;
  /** Absent where they are switched off. */
  readonly signals?: TerminalSignals;
}

/** The bell, and what the terminal's window shows beside the text. Each does nothing where the terminal does not know it. */
export interface TerminalSignals {
  /** @param words without control characters. */
  title(words: string): void;
  /** @param share of the work that is done, 0 to 1. */
  progress(state: 'running' | 'waiting' | 'failed', share: number): void;
  bell(): void;
  /** The title of before, and no progress. */
  reset(): void;
}

export interface Suspension {
  readonly suspending: () => void;
  readonly resumed: () => void;
}
