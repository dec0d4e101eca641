/** Questions at a terminal without a run around them: the same lines, keys and words as while a run goes on. */
import { render } from 'ink';
import type { Option } from '../domain/event.ts';
import type { Clock } from '../host/clock.ts';
import type { Decider } from '../run/ports/decider.ts';
import { ScreenLines } from './components/screen-lines.tsx';
import { clipped, painted } from './line.ts';
import { type CandidateFacts, promptLines } from './prompt-lines.ts';
import { Prompter } from './prompter.ts';
import type { Person } from './screen.tsx';

export interface AskScreenOptions {
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  readonly person: Person;
  readonly factsOf: (option: Option) => CandidateFacts;
}

export interface AskScreen {
  readonly decide: NonNullable<Decider['decide']>;
  /** Resolves when nothing of it is left on the screen. */
  close(): Promise<void>;
}

/** Lines, where the terminal is taller. */
const MOST = 24;

export function startAsking({ stdout, clock, color, person, factsOf }: AskScreenOptions): AskScreen {
  const app = render(<ScreenLines past={[]} live={[]} />, {
    ...{ stdout, exitOnCtrlC: false, patchConsole: false, interactive: true, incrementalRendering: true },
  });
  const prompter = new Prompter({
    ...{ keyboard: person.keyboard, clock, who: person.who, changed: draw },
    open: async ({ sha256 }) => (sha256 === undefined ? 'there is no file to open' : person.open(sha256)),
  });
  function draw(): void {
    const columns = stdout.columns || 80;
    const lines = Math.min(MOST, Math.max(1, (stdout.rows || 24) - 1));
    const asked = prompter.current;
    const shown = asked ? promptLines({ ...asked, factsOf }, { columns, lines }) : [];
    app.rerender(<ScreenLines past={[]} live={shown.map(line => painted(clipped(line, columns), color))} />);
  }
  stdout.on('resize', draw);
  return {
    decide: prompter.decide,
    async close() {
      prompter.close();
      stdout.off('resize', draw);
      await app.waitUntilRenderFlush();
      app.unmount();
      await app.waitUntilExit();
    },
  };
}
