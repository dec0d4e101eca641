/** The screen of a run: the scroll-back, and below it what is drawn in place. */
import { Box, type DOMElement, useWindowSize } from 'ink';
import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Option } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { factsIn } from '../candidate-facts.ts';
import { pictureRoom } from '../instance-in-full.ts';
import type { PictureBeside } from '../picture-beside.ts';
import { picturedMedia } from '../pictured-media.ts';
import { rowWidths } from '../row-widths.ts';
import type { RunStore } from '../run-store.ts';
import type { TerminalStream } from '../terminal-stream.ts';
import { useKeys, useSignals, useSuspension } from './hooks.ts';
import { PaperContext } from './lines.tsx';
import { Past } from './past.tsx';
import { Picture } from './picture.tsx';
import { RunView } from './run-view.tsx';

interface RunScreenProps {
  readonly store: RunStore;
  readonly output: TerminalStream;
  readonly pictures: PictureBeside | undefined;
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
          <RunView {...view} {...{ about, picture }}>
            {picture && <Picture {...{ picture, output, live, clear }} />}
          </RunView>
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
