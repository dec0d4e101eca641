/** What a screen is given, and what it gives. The screens are `screen.tsx` (a run) and `ask-screen.tsx` (questions without one). */

import type { Clock } from '../../machine/time/clock.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Decider } from '../../run/ports/decider.ts';
import type { PlainWords } from '../text/plain-lines.ts';
import type { LimitsShown } from '../text/step-tally.ts';
import type { PlannedWords } from './instance-in-full.ts';
import type { Pictures } from './pictures/pictures.ts';
import type { Keyboard } from './prompts/prompter.ts';

export interface ScreenOptions extends PlainWords {
  readonly terminal: ScreenTerminal;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  /** How much is done at once, as the settings have it. */
  readonly limits?: LimitsShown;
  /** The command that decides what waits for a person, as it is typed. */
  readonly deciding?: string;
  /** Another machine carries the run out: closing the screen does not end it. */
  readonly elsewhere?: true;
  /** The plan's words about an instance. */
  readonly planned?: (key: InstanceKey) => PlannedWords | undefined;
  /** Redacts secrets in a text before it is cut to length: half a secret would not be recognised. */
  readonly hide?: (text: string) => string;
  /** Calls back when the terminal is closed; the returned function stops listening. */
  readonly gone?: (leave: () => void) => () => void;
  /** Who answers questions; absent where the run is not interactive. */
  readonly person?: Person;
  /** Pictures of results: at the end, and beside an instance in full. Absent: none are shown. */
  readonly pictures?: Pictures;
}

/** A person at a keyboard. */
export interface Person {
  readonly keyboard: Keyboard;
  /** The name that answers bear. */
  readonly who: () => Promise<string>;
  /** Path of content on this machine as it is shown: relative to the current folder. */
  readonly fileOf: (sha256: string) => string | undefined;
  /** Opens content in a viewer. Resolves with the problem as a sentence, or undefined. */
  readonly open: (sha256: string) => Promise<string | undefined>;
  /** Opens the review page. Resolves with the outcome as a sentence. */
  readonly review?: () => Promise<string>;
}

export interface Screen extends Reporter {
  /** Asks the person; absent where the run is not interactive. */
  readonly decide?: NonNullable<Decider['decide']>;
}

export interface ScreenTerminal {
  /** Cells, read for each frame. */
  readonly columns: number;
  readonly rows: number;
  /** A line that is there already is broken in two, and put together again, when the terminal is made narrower or wider. */
  readonly reflows: boolean;
  write(text: string): void;
  /** Calls `changed` when `columns` or `rows` have changed. The returned function stops listening. */
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
