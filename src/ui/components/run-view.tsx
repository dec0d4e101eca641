/** What is drawn in place below the scroll-back: the live part, or what the person has opened over it. */
import type { ReactNode } from 'react';
import type { Browsing } from '../browsing.ts';
import type { AboutInstance } from '../instance-in-full.ts';
import { instanceList } from '../instance-list.ts';
import { keyLines } from '../key-help.ts';
import type { LivePartShown } from '../live-layout.ts';
import type { PictureRoom } from '../picture-beside.ts';
import { InstanceDetails } from './instance-details.tsx';
import { Lines } from './lines.tsx';
import { LivePart } from './live-part.tsx';

export interface RunViewProps extends LivePartShown {
  /** What is known of an instance beside its events. */
  readonly about?: AboutInstance | undefined;
  /** The picture beside an instance in full, once there is one. */
  readonly picture?: PictureRoom | undefined;
  /** Draws it. */
  readonly children?: ReactNode;
}

export function RunView(props: RunViewProps): ReactNode {
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
