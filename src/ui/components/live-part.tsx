/** The live part: a rule with the film's name, the steps under way, the question, a line of counts. Never taller than the terminal less one row. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { clipEnd } from '../../domain/cells.ts';
import { heldText } from '../../telling/held-back.ts';
import type { LimitsTold } from '../../telling/limit-text.ts';
import type { RunView } from '../../telling/run-view.ts';
import type { Browsing } from '../browsing.ts';
import { columnsFor } from '../columns.ts';
import { footer, header } from '../frame-edges.ts';
import { type Line, text } from '../line.ts';
import { overviewLines } from '../overview.ts';
import { type PromptShown, promptLines } from '../prompt-lines.ts';
import { Blank, Lines } from './lines.tsx';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface LivePartProps {
  readonly run: RunView;
  /** Unix milliseconds. */
  readonly now: number;
  readonly size: Size;
  readonly question?: PromptShown | undefined;
  /** Where the person is; absent where the run is not interactive. */
  readonly browsing?: Browsing | undefined;
  readonly limits?: LimitsTold | undefined;
  readonly deciding?: string | undefined;
  readonly elsewhere?: true | undefined;
}

export function LivePart(props: LivePartProps): ReactNode {
  const { run, now, size, question, browsing, limits, deciding, elsewhere } = props;
  const { columns, rows } = size;
  const whole = Math.max(1, rows - 1);
  const layout = columnsFor(run, columns);
  const asked = question ? promptLines(question, { columns, lines: roomOfQuestion(whole) - 1 }) : [];
  const room = Math.max(1, Math.min(whole, tallest(rows)) - (asked.length > 0 ? asked.length + 1 : 0));
  // Blank rows are the first to go on a low terminal.
  const isAiry = room >= 10;
  const counts = footer(run, layout, {
    ...{ columns, browsing: question ? undefined : browsing, isTall: isAiry, elsewhere },
  });
  const held = heldText(run, now);
  const notice: readonly Line[] = held === null ? [] : [[text('  '), text(clipEnd(held, layout.width - 2), 'accent')]];
  const isLow = room < 4;
  if (isLow || browsing?.mode === 'stream') {
    const below = [...asked, ...(asked.length > 0 ? [[]] : []), ...(isLow ? [] : notice), ...counts];
    return <Lines lines={below.slice(-whole)} />;
  }
  const steps = overviewLines(run, now, {
    ...{ columns, limits, hasKeys: browsing !== undefined, deciding },
    lines: room - (isAiry ? 4 : 1) - counts.length - notice.length,
  });
  return (
    <Box flexDirection="column">
      {isAiry && <Blank />}
      <Lines lines={[header(run, now, layout)]} />
      {isAiry && <Blank />}
      <Lines lines={steps} />
      {isAiry && steps.length > 0 && <Blank />}
      <Lines lines={asked} />
      {asked.length > 0 && <Blank />}
      <Lines lines={[...notice, ...counts]} />
    </Box>
  );
}

/** Two thirds of the rows, or all but one where that would leave nothing to see. */
const roomOfQuestion = (rows: number): number => (rows < 10 ? rows - 1 : Math.max(8, Math.floor((rows * 2) / 3)));

/** A terminal that is made narrower wraps lines: what does not fit then is in the scroll-back, and cannot be erased. */
const tallest = (rows: number): number => Math.max(12, Math.floor(rows * 0.75));
