/** Rows of the terminal: each a line of text that is painted and clipped before Ink lays it out. */
import { Box, Text } from 'ink';
import { createContext, memo, type ReactNode, use } from 'react';
import { safePainted } from '../../../model/text/clean.ts';
import { clipped, type Line, painted } from '../line.ts';

interface Paper {
  /** Cells of the terminal's width. */
  readonly columns: number;
  /** False: no colour at all (NO_COLOR). */
  readonly color: boolean;
}

export const PaperContext = createContext<Paper>({ columns: 80, color: true });

/** A row with the same words as before is not laid out again. */
const Row = memo(({ words }: { readonly words: string }) => <Text wrap="truncate">{words === '' ? ' ' : words}</Text>);

export function Lines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  const { columns, color } = use(PaperContext);
  const width = Math.max(1, columns - 1);
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
    <Row key={row} words={safePainted(painted(clipped(line, width), color))} />
  ));
}

export const Blank = (): ReactNode => <Box height={1} />;
