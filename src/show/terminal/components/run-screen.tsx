/** The screen of a run: the scroll-back, and below it what is drawn in place. */
import { Box, type DOMElement, measureElement, useApp, useStdout, useWindowSize } from 'ink';
import {
  memo,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { Option } from '../../../model/run/event.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import { pieceOf } from '../../../model/run/result.ts';
import { isFree } from '../../../model/run/run-money.ts';
import { safePainted } from '../../../model/text/clean.ts';
import type { RunView } from '../../../records/views/run-view.ts';
import { resultText } from '../../text/result-text.ts';
import { pictureRoom } from '../instance-in-full.ts';
import { type Line, painted } from '../line.ts';
import type { PlacedPicture } from '../pictures/pictures.ts';
import { picturedMedia, type SidePicture } from '../pictures/side-picture.ts';
import type { CandidateFacts } from '../prompts/prompt-lines.ts';
import type { RunStore } from '../run-store.ts';
import type { TerminalStream } from '../terminal-stream.ts';
import { PaperContext } from './lines.tsx';
import { LiveView } from './run-view.tsx';
import { rowWidths, useKeys, useSignals, useSuspension } from './use-terminal.ts';

interface RunScreenProps {
  readonly store: RunStore;
  readonly output: TerminalStream;
  readonly pictures: SidePicture | undefined;
  /** Erases the frame, so that the next one is written as a whole. */
  readonly clear: () => void;
}

export function RunScreen({ store, output, pictures, clear }: RunScreenProps): ReactNode {
  const { run, options } = store;
  const { terminal, person, color, limits, deciding, elsewhere } = options;
  const { now, past, browsing, question, isListening } = useSyncExternalStore(store.subscribe, store.shown);
  const size = useWindowSize();
  const live = useRef<DOMElement>(null);
  useKeys(person?.keyboard, isListening, store.press);
  useSuspension(terminal, output);
  useSignals(terminal.signals, run, question?.prompt.asked.key);
  useEffect(() => {
    output.widths = () => rowWidths(live.current);
  }, [output]);
  const about = useMemo(
    () => ({
      planned: (key: InstanceKey) => options.planned?.(key),
      fileOf: (sha256: string) => person?.fileOf(sha256),
      happened: (key: InstanceKey) => store.happened.get(key) ?? [],
      hide: options.hide ?? ((words: string) => words),
    }),
    [options, person, store],
  );
  const asked = question &&
    person && {
      ...question,
      ...{ canFold: true, canReview: person.review !== undefined },
      factsOf: (option: Option) => factsIn(run, option),
    };
  const picture = pictureOf(browsing.over);
  const view = { run, now, size, question: asked, browsing: person && browsing, limits, deciding, elsewhere };
  return (
    <PaperContext value={{ columns: size.columns, color }}>
      <Past lines={past} />
      <Box ref={live} flexDirection="column">
        {run.startedAt > 0 && run.finished === null && (
          <LiveView {...view} {...{ about, picture }}>
            {picture && <Picture {...{ picture, output, live, clear }} />}
          </LiveView>
        )}
      </Box>
    </PaperContext>
  );

  /** Of the instance that is looked at, where it has one and there is room. */
  function pictureOf(over: typeof browsing.over) {
    const room = pictureRoom({ columns: size.columns, lines: size.rows - 1 });
    const media = over?.is === 'one' ? picturedMedia(run.instances.get(over.at)) : undefined;
    return media && room && !question ? pictures?.of(media, room) : undefined;
  }
}

interface PastProps {
  /** All lines so far. It only grows, and stays the same array until it does. */
  readonly lines: readonly Line[];
}

/**
 * The scroll-back: lines of what ended, written once above the live part. Ink's `<Static>` would bypass its limit of frames, lay the live
 * part out twice more, and break paths that are longer than a row.
 */
const Past = memo(({ lines }: PastProps): ReactNode => {
  const { color } = use(PaperContext);
  const { write } = useStdout();
  const written = useRef(0);
  useLayoutEffect(() => {
    const more = lines.slice(written.current);
    written.current = lines.length;
    if (more.length > 0) write(more.map(line => `${safePainted(painted(line, color))}\n`).join(''));
  }, [lines, color, write]);
  return null;
});

interface PictureProps {
  readonly picture: PlacedPicture;
  readonly output: TerminalStream;
  /** The box around the whole live part. */
  readonly live: RefObject<DOMElement | null>;
  /** Erases the frame, so that the next one is written as a whole. */
  readonly clear: () => void;
}

/** A small picture: an empty box of its size, over which the terminal draws it once the frame around it is written. */
function Picture({ picture, output, live, clear }: PictureProps): ReactNode {
  const box = useRef<DOMElement>(null);
  const { waitUntilRenderFlush } = useApp();
  useEffect(() => {
    let isGone = false;
    const place = async () => {
      await waitUntilRenderFlush();
      if (isGone || !box.current || !live.current) return;
      const { x, y } = measureElement(box.current);
      output.place({ up: measureElement(live.current).height - y, column: x, picture });
    };
    void place();
    return () => {
      isGone = true;
    };
  }, [picture, output, live, waitUntilRenderFlush]);
  // Before the next frame is written: rows that it leaves alone would keep a piece of the picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one picture in the place of another is taken away as well
  useLayoutEffect(
    () => () => {
      output.takeAway();
      clear();
    },
    [picture, output, clear],
  );
  return <Box ref={box} width={picture.columns} height={picture.rows} flexShrink={0} />;
}

function factsIn(run: Pick<RunView, 'instances' | 'service' | 'outputs'>, { key }: Option): CandidateFacts {
  const instance = run.instances.get(key);
  let state = instance?.state;
  while (state?.is === 'skipped' && state.standIn !== undefined) state = run.instances.get(state.standIn)?.state;
  const piece = state?.is === 'succeeded' || state?.is === 'reused' ? pieceOf(state.result) : undefined;
  return {
    facts: piece ? resultText(piece) : '',
    // Where nothing is paid, a take shows no dollar figure.
    usd: isFree(run) ? null : piece && 'cost' in piece ? piece.cost : (instance?.paidUsd ?? null),
    output: run.outputs.find(written => written.key === key)?.path,
  };
}
