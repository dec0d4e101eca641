/** Questions at a terminal without a run: the same component, keys and words as during one. */
import { Box, type DOMElement, type Instance, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Clock } from '../../../machine/time/clock.ts';
import type { Option } from '../../../model/run/event.ts';
import type { Decider } from '../../../run/ports/decider.ts';
import { Lines, PaperContext } from '../components/lines.tsx';
import { rowWidths, useSuspension } from '../components/use-terminal.ts';
import type { Person, ScreenTerminal } from '../screen-options.ts';
import { startInk, TerminalStream } from '../terminal-stream.ts';
import { type CandidateFacts, promptLines } from './prompt-lines.ts';
import { Prompter } from './prompter.ts';

interface AskScreenOptions {
  readonly terminal: ScreenTerminal;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  readonly person: Person;
  readonly factsOf: (option: Option) => CandidateFacts;
}

interface AskScreen {
  readonly decide: NonNullable<Decider['decide']>;
  /** Erases the screen. */
  close(): void;
}

/** Rows of a question on a tall terminal. */
const MAX_ROWS = 24;

export function startAsking(options: AskScreenOptions): AskScreen {
  const { terminal, clock, person } = options;
  const output = new TerminalStream(terminal);
  const listeners = new Set<() => void>();
  let current: Prompter['current'];
  let ink: Instance | undefined;
  const prompter = new Prompter({
    ...{ keyboard: person.keyboard, clock, who: person.who },
    changed: () => {
      current = prompter.current;
      for (const listener of listeners) listener();
    },
    open: async ({ sha256 }) => (sha256 === undefined ? 'there is no file to open' : person.open(sha256)),
  });
  const store: QuestionStore = {
    subscribe: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    current: () => current,
  };
  ink = startInk(<AskScreenView {...{ options, store, output }} />, output);
  return {
    decide: prompter.decide,
    close() {
      prompter.close();
      ink.clear();
      ink.unmount();
      output.close();
    },
  };
}

interface QuestionStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly current: () => Prompter['current'];
}

interface ViewProps {
  readonly options: AskScreenOptions;
  readonly store: QuestionStore;
  readonly output: TerminalStream;
}

function AskScreenView({ options, store, output }: ViewProps): ReactNode {
  const { terminal, color, factsOf } = options;
  const { columns, rows } = useWindowSize();
  const question = useSyncExternalStore(store.subscribe, store.current);
  const box = useRef<DOMElement>(null);
  useSuspension(terminal, output);
  useEffect(() => {
    output.widths = () => rowWidths(box.current);
  }, [output]);
  const lines = question
    ? promptLines({ ...question, factsOf }, { columns, lines: Math.min(MAX_ROWS, Math.max(1, rows - 1)) })
    : [];
  return (
    <PaperContext value={{ columns, color }}>
      <Box ref={box} flexDirection="column">
        <Lines lines={lines} />
      </Box>
    </PaperContext>
  );
}
