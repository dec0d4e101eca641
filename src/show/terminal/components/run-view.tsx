/** What is drawn in place below the scroll-back: the live part, or what the person has opened over it. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { RunView } from '../../../records/views/run-view.ts';
import type { Browsing } from '../browsing.ts';
import { type AboutInstance, instanceLines, PICTURE_ROW, type Place } from '../instance-in-full.ts';
import { instanceList, keyLines } from '../instance-list.ts';
import { type LiveLayout, type LivePartShown, liveLayout } from '../live-layout.ts';
import type { PictureRoom } from '../pictures/side-picture.ts';
import { Blank, Lines } from './lines.tsx';

interface LiveViewProps extends LivePartShown {
  /** What is known of an instance beside its events. */
  readonly about?: AboutInstance | undefined;
  /** The picture beside an instance in full, once there is one. */
  readonly picture?: PictureRoom | undefined;
  /** Draws it. */
  readonly children?: ReactNode;
}

export function LiveView(props: LiveViewProps): ReactNode {
  const { run, now, size, question, browsing } = props;
  const room = { columns: size.columns, lines: Math.max(1, size.rows - 1) };
  const over = overOf(question, browsing);
  switch (over?.is) {
    case undefined:
      return <LivePart {...props} />;
    case 'help':
      return <Lines lines={keyLines(room)} />;
    case 'list':
      return <Lines lines={instanceList(run, over, now, room)} />;
    case 'one':
      return (
        <InstanceDetails {...room} {...{ run, now, over, about: props.about, picture: props.picture }}>
          {props.children}
        </InstanceDetails>
      );
  }
}

/** A question is shown before what the person has opened. */
const overOf = (question: LivePartShown['question'], browsing: Browsing | undefined) =>
  question ? undefined : browsing?.over;

function LivePart(props: LivePartShown): ReactNode {
  const { isAiry, above, question, notice, counts } = liveLayout(props);
  return (
    <Box flexDirection="column">
      {above && <Steps {...above} isAiry={isAiry} />}
      {question.length > 0 && <Lines lines={question} />}
      {question.length > 0 && <Blank />}
      <Lines lines={[...notice, ...counts]} />
    </Box>
  );
}

function Steps({ header, rows, isAiry }: NonNullable<LiveLayout['above']> & Pick<LiveLayout, 'isAiry'>): ReactNode {
  return (
    <>
      {isAiry && <Blank />}
      <Lines lines={[header]} />
      {isAiry && <Blank />}
      {rows.map(({ key, lines }) => (
        <Box key={key} flexDirection="column">
          <Lines lines={lines} />
        </Box>
      ))}
      {isAiry && rows.length > 0 && <Blank />}
    </>
  );
}

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

function InstanceDetails({ run, now, over, children, ...room }: InstanceDetailsProps): ReactNode {
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
