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
}

export interface Suspension {
  readonly suspending: () => void;
  readonly resumed: () => void;
}
