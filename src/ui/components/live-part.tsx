/** The live part: a rule with the film's name, the steps under way, the question, a line of counts. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { type LiveLayout, type LivePartShown, liveLayout } from '../live-layout.ts';
import { Blank, Lines } from './lines.tsx';
import { Question } from './question.tsx';
import { StepRow } from './step-row.tsx';

export function LivePart(props: LivePartShown): ReactNode {
  const { isAiry, above, question, notice, counts } = liveLayout(props);
  return (
    <Box flexDirection="column">
      {above && <Steps {...above} isAiry={isAiry} />}
      <Question lines={question} />
      <Footer {...{ notice, counts }} />
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
        <StepRow key={key} lines={lines} />
      ))}
      {isAiry && rows.length > 0 && <Blank />}
    </>
  );
}

/** What holds requests back; how many are done, what is spent, how the service does, and the keys. */
const Footer = ({ notice, counts }: Pick<LiveLayout, 'notice' | 'counts'>): ReactNode => (
  <Lines lines={[...notice, ...counts]} />
);
