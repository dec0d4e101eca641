/**
 * The terminal while a run goes on. At most four frames a second, one a second while only time passes, and none when a frame would look
 * like the last. What a person is to decide is asked below the rows, and only then are keys read; else the terminal is asked for
 * nothing: no raw mode, so that Ctrl-C stays a signal and belongs to the command line.
 */
import { render } from 'ink';
import { cleanText } from '../domain/clean.ts';
import type { Option, RecordedEvent, Reporter } from '../domain/event.ts';
import type { Clock } from '../host/clock.ts';
import type { Decider } from '../run/ports/decider.ts';
import { reduce } from '../telling/reduce.ts';
import { choiceText } from '../telling/result-text.ts';
import { emptyRunView } from '../telling/run-view.ts';
import { flushAlike } from '../telling/settle.ts';
import { factsIn } from './candidate-facts.ts';
import { ScreenLines } from './components/screen-lines.tsx';
import { frameOf } from './frame.ts';
import { type Line, painted, wrapped } from './line.ts';
import { type Keyboard, Prompter } from './prompter.ts';

const SHORTEST_FRAME = 250;

export interface ScreenOptions {
  /** The terminal: its `columns` and `rows` are read for each frame. */
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  /** The command that runs this film again, for the summary; made from the file's name when absent. */
  readonly command?: string;
  /** Options that say which film is meant, as they are typed. */
  readonly film?: string;
  /** Calls back when nobody looks at the terminal any more; the returned function stops listening. */
  readonly gone?: (leave: () => void) => () => void;
  /** Who sits there and decides; absent: nobody. */
  readonly person?: Person;
}

/** Somebody at a keyboard. */
export interface Person {
  readonly keyboard: Keyboard;
  /** The name that answers bear. */
  readonly who: () => Promise<string>;
  /** Where content lies on this machine, as it is shown: relative to the current folder. */
  readonly fileOf: (sha256: string) => string | undefined;
  /** Shows content to the person; gives what is the matter, as a sentence, or undefined. */
  readonly open: (sha256: string) => Promise<string | undefined>;
}

export interface Screen extends Reporter {
  /** Asks the person; absent where nobody is there. */
  readonly decide?: NonNullable<Decider['decide']>;
}

export function startScreen({ stdout, clock, color, command, film, gone, person }: ScreenOptions): Screen {
  const run = emptyRunView();
  const over = new AbortController();
  const paint = (line: Line) => painted(line, color);
  let past: readonly string[] = [];
  let live: readonly string[] = [];
  let shown = 0;
  /** What a row of the table has no room for, for the scroll-back. */
  const notices: Line[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDue = false;

  // The caller has decided that this is a terminal to draw on; Ink would think again, and refuse under CI.
  const app = render(<ScreenLines past={past} live={live} />, {
    ...{ stdout, exitOnCtrlC: false, patchConsole: false, interactive: true, incrementalRendering: true },
  });

  function draw(): void {
    const now = clock.now();
    // Results that were there already come in a burst: instances that ended alike are gathered until it is quiet.
    if (now - run.lastEventAt > SHORTEST_FRAME) flushAlike(run);
    const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
    const asked = prompter?.current;
    const prompt = asked && person && { ...asked, factsOf: (option: Option) => factsIn(run, option, person.fileOf) };
    const frame = frameOf(run, now, size, { from: shown, command, film, prompt });
    const next = frame.live.map(paint);
    const over = [...frame.past, ...notices.splice(0)];
    if (over.length === 0 && next.length === live.length && next.every((line, index) => line === live[index])) return;
    if (over.length > 0) past = [...past, ...over.map(paint)];
    live = next;
    shown = run.settled.length;
    drawnAt = now;
    app.rerender(<ScreenLines past={past} live={live} />);
  }

  async function drawSoon(): Promise<void> {
    if (isDue) return;
    isDue = true;
    await clock.sleep(Math.max(0, drawnAt + SHORTEST_FRAME - clock.now()), over.signal);
    isDue = false;
    if (!over.signal.aborted) draw();
  }

  async function tick(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleep(1000 - ((clock.now() - run.startedAt) % 1000), over.signal);
      if (!over.signal.aborted) void drawSoon();
    }
  }

  const prompter =
    person &&
    new Prompter({
      ...{ keyboard: person.keyboard, clock, who: person.who, changed: () => void drawSoon() },
      open: async ({ sha256 }) => (sha256 === undefined ? NO_FILE : person.open(sha256)),
    });

  // A closed terminal takes no more frames; Ink would write its last ones again and again.
  const stay = gone?.(() => {
    over.abort();
    prompter?.close();
  });

  const resized = () => void drawSoon();
  // Ink listens first and clears what it drew for the old width.
  stdout.on('resize', resized);

  return {
    ...(prompter && { decide: prompter.decide }),
    report(event: RecordedEvent): void {
      const isFirst = run.startedAt === 0;
      reduce(run, event);
      if (event.type === 'chosen' && prompter?.wasTaken(event.key)) notices.push(...elsewhereLines(event));
      if (isFirst) void tick();
      void drawSoon();
    },
    async close(): Promise<void> {
      const isWatched = !over.signal.aborted;
      over.abort();
      prompter?.close();
      stay?.();
      stdout.off('resize', resized);
      flushAlike(run);
      if (isWatched) draw();
      await app.waitUntilRenderFlush();
      app.unmount();
      await app.waitUntilExit();
    },
  };

  /** The prompt is gone, and a person wonders why. */
  function elsewhereLines({ key, choice }: Extract<RecordedEvent, { readonly type: 'chosen' }>): readonly Line[] {
    const words = `${cleanText(key)} was decided elsewhere: ${choiceText(choice)}`;
    return wrapped(words, stdout.columns || 80, 2, 'strong');
  }
}

const NO_FILE = 'there is no file to open: it is a text';
