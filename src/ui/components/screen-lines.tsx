import { Box, Static, Text } from 'ink';
import type { ReactNode } from 'react';

export interface PaintedFrame {
  /** Every line of the scroll-back so far; only ever grows. */
  readonly past: readonly string[];
  readonly live: readonly string[];
}

/** Lines that are over are written once, above; live lines are drawn in place. Lines are painted already, and fit. */
export function ScreenLines({ past, live }: PaintedFrame): ReactNode {
  return (
    <>
      <Static items={past as string[]}>{(line, index) => <Text key={index}>{line === '' ? ' ' : line}</Text>}</Static>
      <Box flexDirection="column">
        {live
          .map((line, row) => ({ line, row }))
          .map(({ line, row }) => (
            // A terminal that was just made narrower must not wrap the last frame drawn for the wider one.
            <Text key={row} wrap="truncate">
              {line === '' ? ' ' : line}
            </Text>
          ))}
      </Box>
    </>
  );
}
