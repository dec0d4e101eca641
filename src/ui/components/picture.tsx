/** A small picture: an empty box of its size, over which the terminal draws it once the frame around it is written. */
import { Box, type DOMElement, measureElement, useApp } from 'ink';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { PlacedPicture } from '../pictures.ts';
import type { TerminalStream } from '../terminal-stream.ts';

interface PictureProps {
  readonly picture: PlacedPicture;
  readonly output: TerminalStream;
  /** The box around the whole live part. */
  readonly live: RefObject<DOMElement | null>;
  /** Erases the frame, so that the next one is written as a whole. */
  readonly clear: () => void;
}

export function Picture({ picture, output, live, clear }: PictureProps): ReactNode {
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
