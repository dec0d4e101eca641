/** Questions at a terminal without a run around them: the same lines, keys and words as while a run goes on. */
import type { Option } from '../domain/event.ts';
import type { Clock } from '../host/clock.ts';
import type { Decider } from '../run/ports/decider.ts';
import { clipped, painted } from './line.ts';
import { LiveLines } from './live-lines.ts';
import { type CandidateFacts, promptLines } from './prompt-lines.ts';
import { Prompter } from './prompter.ts';
import type { Person } from './screen.ts';
import type { ScreenTerminal } from './screen-terminal.ts';

export interface AskScreenOptions {
  readonly terminal: ScreenTerminal;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  readonly person: Person;
  readonly factsOf: (option: Option) => CandidateFacts;
}

export interface AskScreen {
  readonly decide: NonNullable<Decider['decide']>;
  /** Nothing of it is left on the screen. */
  close(): void;
}

/** Lines, where the terminal is taller. */
const MOST = 24;

export function startAsking({ terminal, clock, color, person, factsOf }: AskScreenOptions): AskScreen {
  const screen = new LiveLines(terminal);
  const prompter = new Prompter({
    ...{ keyboard: person.keyboard, clock, who: person.who, changed: draw },
    open: async ({ sha256 }) => (sha256 === undefined ? 'there is no file to open' : person.open(sha256)),
  });
  function draw(): void {
    const { columns, rows } = terminal;
    const asked = prompter.current;
    if (!asked) {
      screen.clear();
      return;
    }
    const shown = promptLines({ ...asked, factsOf }, { columns, lines: Math.min(MOST, Math.max(1, rows - 1)) });
    screen.draw(
      [],
      shown.map(line => painted(clipped(line, Math.max(1, columns - 1)), color)),
    );
  }
  const unsize = terminal.onResize(draw);
  const unsuspend = terminal.onSuspend({
    suspending: () => screen.clear(),
    resumed: () => {
      screen.forget();
      draw();
    },
  });
  return {
    decide: prompter.decide,
    close() {
      prompter.close();
      unsize();
      unsuspend();
      screen.clear();
    },
  };
}
