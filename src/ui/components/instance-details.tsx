/** One instance in full, with its small picture beside it where there is one and room for it. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { RunView } from '../../records/views/run-view.ts';
import { type AboutInstance, instanceLines, PICTURE_ROW, type Place } from '../instance-in-full.ts';
import type { PictureRoom } from '../picture-beside.ts';
import { Lines } from './lines.tsx';

interface InstanceDetailsProps {
  readonly run: RunView;
  /** Unix milliseconds. */
  readonly now: number;
  readonly over: Place;
  readonly columns: number;
  /** Rows that there are. */
  readonly lines: number;
  readonly about?: AboutInstance | undefined;
  readonly picture?: PictureRoom | undefined;
  /** Draws the picture. */
  readonly children?: ReactNode;
}

export function InstanceDetails({ run, now, over, children, ...room }: InstanceDetailsProps): ReactNode {
  const { columns, picture } = room;
  const words = <Lines lines={instanceLines(run, over, now, room)} />;
  if (!picture) return words;
  return (
    <Box>
      <Box flexDirection="column" width={columns - 1 - picture.columns}>
        {words}
      </Box>
      <Box marginTop={PICTURE_ROW}>{children}</Box>
    </Box>
  );
}
