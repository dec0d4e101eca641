/**
 * The terminal while a run goes on. At most four frames a second, one a second while only time passes, and none when a frame would look
 * like the last. What a person is to decide comes up by itself where nothing else goes on, and with a key before that.
 */
import { cleanText } from '../domain/clean.ts';
import type { Option, RecordedEvent, Reporter } from '../domain/event.ts';
import type { InstanceKey } from '../domain/key.ts';
import { pieceOf } from '../domain/result.ts';
import type { Clock } from '../host/clock.ts';
import type { Decider } from '../run/ports/decider.ts';
import { phase } from '../telling/instance-state.ts';
import type { LimitsTold } from '../telling/limit-text.ts';
import { eventLines, type PlainWords, type Reduced, reduceAndTell, settledLines } from '../telling/plain-lines.ts';
import { choiceText } from '../telling/result-text.ts';
import { emptyRunView, type InstanceView } from '../telling/run-view.ts';
import { flushAlike } from '../telling/settle.ts';
import { stepTallies } from '../telling/step-tally.ts';
import { type Browsing, type BrowsingAct, browsed, NOT_BROWSING } from './browsing.ts';
import { factsIn } from './candidate-facts.ts';
import { frameOf } from './frame.ts';
import { type Happened, type PlannedWords, pictureRoom } from './instance-in-full.ts';
import { type Line, painted, wrapped } from './line.ts';
import { LiveLines, type Overlay } from './live-lines.ts';
import { PictureBeside } from './picture-beside.ts';
import { type PicturedMedia, type Pictures, type PlacedPicture, pastExtent, pictureText } from './pictures.ts';
import { type Keyboard, Prompter } from './prompter.ts';
import type { ScreenTerminal } from './screen-terminal.ts';

const SHORTEST_FRAME = 250;
/** Milliseconds that the end of a run waits for a picture. */
const PICTURE_PATIENCE = 4_000;
/** Events of one instance that are kept to be told. */
const MOST_HAPPENED = 60;

export interface ScreenOptions extends PlainWords {
  readonly terminal: ScreenTerminal;
  readonly clock: Clock;
  /** False writes no colour at all (NO_COLOR). */
  readonly color: boolean;
  /** How much is done at once, as the settings have it. */
  readonly limits?: LimitsTold;
  /** The command that decides what waits for a person, as it is typed. */
  readonly deciding?: string;
  /** It is carried out elsewhere: who ends looking at it leaves it alone. */
  readonly elsewhere?: true;
  /** What the plan says of an instance. */
  readonly planned?: (key: InstanceKey) => PlannedWords | undefined;
  /** Takes secrets out of a text that is to be shown: half a secret would not be found any more. */
  readonly hide?: (text: string) => string;
  /** Calls back when nobody looks at the terminal any more; the returned function stops listening. */
  readonly gone?: (leave: () => void) => () => void;
  /** Who sits there and decides; absent: nobody. */
  readonly person?: Person;
  /** Of what was made: at the end, and beside an instance that is looked at; absent: none is to be shown. */
  readonly pictures?: Pictures;
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
  /** Opens the review page, or tells how; gives what came of it, as a sentence. */
  readonly review?: () => Promise<string>;
}

export interface Screen extends Reporter {
  /** Asks the person; absent where nobody is there. */
  readonly decide?: NonNullable<Decider['decide']>;
}

export function startScreen(options: ScreenOptions): Screen {
  const { terminal, clock, color, command, film, gone, person, limits, deciding, elsewhere } = options;
  const run = emptyRunView();
  const lines = new LiveLines(terminal);
  const over = new AbortController();
  const paint = (line: Line) => painted(line, color);
  const words: PlainWords = { ...(command !== undefined && { command }), ...(film !== undefined && { film }) };
  let live: readonly string[] = [];
  let overlay: Overlay | undefined;
  let size = { columns: 0, rows: 0 };
  /** Entries of `run.settled` that the scroll-back holds. */
  let shown = 0;
  /** Lines for the scroll-back: what a row of the table has no room for, and the plain stream. */
  const notices: string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let browsing: Browsing = NOT_BROWSING;
  let isAsked = false;
  /** Questions that the person has put aside. */
  const aside = new Set<InstanceKey>();
  const happened = new Map<InstanceKey, Happened[]>();
  const about = {
    planned: (key: InstanceKey) => options.planned?.(key),
    fileOf: (sha256: string) => person?.fileOf(sha256),
    happened: (key: InstanceKey) => happened.get(key) ?? [],
    hide: options.hide ?? ((text: string) => text),
  };

  function draw(): void {
    const now = clock.now();
    // Results that were there already come in a burst: instances that ended alike are gathered until it is quiet.
    if (now - run.lastEventAt > SHORTEST_FRAME) flushAlike(run);
    if (browsing.mode === 'stream') streamSettled();
    const before = size;
    size = { columns: terminal.columns, rows: terminal.rows };
    const prompt = promptNow();
    const picture = pictureNow();
    const beside = { prompt, limits, deciding, elsewhere, about, picture, browsing: person && browsing };
    const frame = frameOf(run, now, size, { ...words, ...beside, from: shown });
    const over = picture && frame.picture && { ...frame.picture, picture };
    const next = frame.live.map(paint);
    const past = [...frame.past.map(paint), ...notices.splice(0)];
    const isSameSize = before.columns === size.columns && before.rows === size.rows;
    shown = run.settled.length;
    const isSamePicture = over?.picture === overlay?.picture;
    if (isSameSize && past.length === 0 && isSamePicture && isSame(next, live)) return;
    live = next;
    overlay = over;
    drawnAt = now;
    lines.draw(past, live, overlay);
  }

  /** Of the instance that is looked at, where it was made and there is room. */
  function pictureNow(): PlacedPicture | undefined {
    const { over: looked } = browsing;
    const room = pictureRoom({ columns: size.columns, lines: size.rows - 1 });
    const media = looked?.is === 'one' ? picturedMedia(run.instances.get(looked.at)) : undefined;
    return media && room && pictureBeside?.of(media, room);
  }

  /** What is asked, where the person has come to it. */
  function promptNow() {
    const asked = prompter?.current;
    if (!asked || !person) {
      isAsked = false;
      return undefined;
    }
    if (!isAsked && browsing.over === undefined && !aside.has(asked.prompt.asked.key) && isIdle()) {
      isAsked = true;
      prompter?.settle();
    }
    if (!isAsked) return undefined;
    return {
      ...asked,
      canFold: true,
      canReview: person.review !== undefined,
      factsOf: (option: Option) => factsIn(run, option, person.fileOf),
    };
  }

  /** Nothing goes on, and nothing is about to: all waits for a person. */
  const isIdle = (): boolean =>
    stepTallies(run).every(({ atWork, queued, next, retrying }) => atWork + queued + next + retrying === 0);

  function streamSettled(): void {
    for (const entry of run.settled.slice(shown)) notices.push(...settledLines(run, entry, words));
    shown = run.settled.length;
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

  /** Keys go to the question that is shown, and otherwise to the person's way through the run. */
  let toQuestion: ((keys: readonly string[]) => void) | undefined;
  const prompter =
    person &&
    new Prompter({
      keyboard: {
        listen(pressed) {
          toQuestion = pressed;
          return () => {
            toQuestion = undefined;
          };
        },
      },
      ...{ clock, who: person.who, changed: () => void drawSoon() },
      open: async ({ sha256 }) => (sha256 === undefined ? NO_FILE : person.open(sha256)),
      review: person.review,
    });
  const silence = person?.keyboard.listen(pressed);

  function pressed(keys: readonly string[]): void {
    const asked = prompter?.current?.prompt;
    if (isAsked && asked && toQuestion) {
      if (keys.length !== 1 || keys[0] !== ESC || asked.writing !== 'nothing') {
        toQuestion(keys);
        return;
      }
      isAsked = false;
      aside.add(asked.asked.key);
    } else if (run.startedAt > 0 && !over.signal.aborted) {
      for (const key of keys) {
        const { browsing: next, act } = browsed(browsing, key, among);
        if (next.mode !== browsing.mode) turnOver(next.mode);
        browsing = next;
        if (act) void acted(act);
      }
    }
    // A key is answered at once.
    if (!over.signal.aborted) draw();
  }

  function turnOver(mode: Browsing['mode']): void {
    flushAlike(run);
    if (mode === 'live') streamSettled();
    else if (shown < run.settled.length) draw();
  }

  async function acted(act: BrowsingAct): Promise<void> {
    switch (act) {
      case 'pick':
      case 'approve': {
        if (prompter?.bring(act)) {
          isAsked = true;
          aside.delete(prompter.current?.prompt.asked.key as InstanceKey);
          return;
        }
        browsing = {
          ...browsing,
          told: act === 'pick' ? 'nothing waits to be picked' : 'nothing waits to be approved',
        };
        return;
      }
      case 'review': {
        const told = person?.review ? await person.review() : (deciding ?? 'there is nothing to review');
        browsing = { ...browsing, told: cleanText(told) };
        if (!over.signal.aborted) draw();
      }
    }
  }

  function among() {
    const keys = [...run.instances.keys()];
    const found = (is: 'under-way' | 'ahead') =>
      keys.find(key => phase(run.instances.get(key)?.state ?? { is: 'waiting' }) === is);
    return { keys, first: found('under-way') ?? found('ahead') ?? keys[0] };
  }

  function remember({ event, words: told }: Reduced): void {
    if (!person || told === null || !('key' in event)) return;
    const all = happened.get(event.key) ?? [];
    if (all.length < MOST_HAPPENED) happened.set(event.key, [...all, { at: event.at, words: told }]);
  }

  const pictureBeside =
    person &&
    options.pictures &&
    new PictureBeside({ pictures: options.pictures, changed: () => void drawSoon(), signal: over.signal });

  // A closed terminal takes no more frames.
  const stay = gone?.(() => {
    over.abort();
    prompter?.close();
    silence?.();
  });
  const unsize = terminal.onResize(() => void drawSoon());
  const unsuspend = terminal.onSuspend({
    suspending: () => lines.clear(),
    resumed: () => {
      if (over.signal.aborted) return;
      lines.forget();
      live = [];
      size = { columns: 0, rows: 0 };
      draw();
    },
  });

  return {
    ...(prompter && { decide: prompter.decide }),
    report(event: RecordedEvent): void {
      const isFirst = run.startedAt === 0;
      const reduced = reduceAndTell(run, event);
      remember(reduced);
      if (event.type === 'chosen' && prompter?.wasTaken(event.key)) notices.push(...elsewhereLines(event).map(paint));
      if (browsing.mode === 'stream') {
        streamSettled();
        notices.push(...eventLines(run, reduced));
      }
      if (isFirst) void tick();
      void drawSoon();
    },
    async close(): Promise<void> {
      const isWatched = !over.signal.aborted;
      over.abort();
      prompter?.close();
      stay?.();
      unsize();
      unsuspend();
      flushAlike(run);
      browsing = { ...browsing, over: undefined };
      if (isWatched) {
        draw();
        lines.leave();
        await showPicture();
      }
      silence?.();
      await pictureBeside?.settled();
    },
  };

  /** Of the last film that was placed; a run that did not come to its end has better things to say. */
  async function showPicture(): Promise<void> {
    const { pictures } = options;
    if (!pictures || run.finished?.outcome !== 'done') return;
    const made = run.outputs.toReversed().map(({ key }) => picturedMedia(run.instances.get(key)));
    const media = made.find(one => one !== undefined);
    if (!media) return;
    // It answers through the keyboard, which is let go right afterwards: what is typed meanwhile is for the shell.
    const shows = await pictures.terminal();
    silence?.();
    if (!shows) return;
    try {
      const picture = await pictures.of(media, pastExtent(shows), AbortSignal.timeout(PICTURE_PATIENCE));
      if (picture) terminal.write(await pictureText(shows, picture));
    } catch {
      // A picture is an ornament: a run says nothing about one that is not there.
    }
  }

  /** The prompt is gone, and a person wonders why. */
  function elsewhereLines({ key, choice }: Extract<RecordedEvent, { readonly type: 'chosen' }>): readonly Line[] {
    const told = `${cleanText(key)} was decided elsewhere: ${choiceText(choice)}`;
    return wrapped(told, terminal.columns, 2, 'strong');
  }
}

const NO_FILE = 'there is no file to open: it is a text';
const ESC = '\x1b';

/** Undefined for what is not made, or cannot be seen. */
function picturedMedia(instance: InstanceView | undefined): PicturedMedia | undefined {
  const state = instance?.state;
  const made = state?.is === 'succeeded' || state?.is === 'reused' ? pieceOf(state.result) : undefined;
  if (made?.is !== 'media' || (made.media.kind !== 'image' && made.media.kind !== 'video')) return undefined;
  return { sha256: made.sha256, kind: made.media.kind, seconds: made.media.duration ?? 0 };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);
