/** A step of many instances with its bar, or one instance: a row, and what is said below it. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { OverviewRow } from '../overview.ts';
import { Lines } from './lines.tsx';

export const StepRow = ({ lines }: Pick<OverviewRow, 'lines'>): ReactNode => (
  <Box flexDirection="column">
    <Lines lines={lines} />
  </Box>
);
