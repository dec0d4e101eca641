/**
 * The scroll-back: lines of what ended, written once above the live part. Ink's `<Static>` would bypass its limit of frames, lay the live
 * part out twice more, and break paths that are longer than a row.
 */
import { useStdout } from 'ink';
import { memo, type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { safePainted } from '../../domain/clean.ts';
import { type Line, painted } from '../line.ts';
import { PaperContext } from './lines.tsx';

interface PastProps {
  /** All lines so far. It only grows, and stays the same array until it does. */
  readonly lines: readonly Line[];
}

export const Past = memo(({ lines }: PastProps): ReactNode => {
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
