/** What `shotlist store` tells. */
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatBytes } from '../../domain/format.ts';
import { nearest } from '../../domain/nearest.ts';
import { type Survey, type SurveyedContent, toSend } from '../../session/shared-survey.ts';

const DEEDS = ['check', 'push'] as const;
/** Instances that are named. */
const NAMED = 10;

export const storeMessages = {
  whichDeed: (given: string | undefined): string => {
    const near = given === undefined ? undefined : nearest(given, DEEDS);
    const instead = near ? `; did you mean ${asTyped(near)}?` : '';
    return `shotlist store check, or shotlist store push${instead}`;
  },
  unset: (): string =>
    'no store is set; write `store: s3://BUCKET/FOLDER`, or a folder that all of the team can reach, into shotlist.config.yaml',
  noLock: (path: string): string => `there is no ${cleanText(path)}: nothing of that film was made yet`,
  noLocks: (): string => 'this project has no lock file: nothing was made yet',
  readOnly: (where: string): string => `${where} says \`write: false\`: nothing is sent from here`,
  cannotTell: (to: string, why: string): string => `${to}: ${why}`,
} as const;

const files = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'file' : 'files'}`;
const sum = (contents: readonly SurveyedContent[]): number => contents.reduce((all, { bytes }) => all + bytes, 0);

export function surveyText(to: string, survey: Survey): readonly string[] {
  const { contents } = survey;
  const there = contents.filter(one => one.there === 'there');
  const up = toSend(survey);
  const gone = contents.filter(one => !one.here && (one.there === 'missing' || one.there === 'other'));
  const told = (what: readonly SurveyedContent[], words: string) =>
    what.length === 0 ? [] : [`${files(what.length)} (${formatBytes(sum(what))}) ${words}`];
  return [
    ...told(there, `${there.length === 1 ? 'is' : 'are'} in ${to}`),
    ...told(up, `${up.length === 1 ? 'is' : 'are'} here alone, and would go up`),
    ...named(up),
    ...told(
      gone,
      `${gone.length === 1 ? 'is' : 'are'} neither there nor here: whoever has made ${gone.length === 1 ? 'it' : 'them'} can push ${gone.length === 1 ? 'it' : 'them'}`,
    ),
    ...named(gone),
    ...(contents.length === 0 ? ['the lock names no file'] : []),
  ];
}

function named(contents: readonly SurveyedContent[]): readonly string[] {
  const lines = contents
    .slice(0, NAMED)
    .map(
      ({ of, bytes, there }) =>
        `  ${cleanText(of[0] ?? '')} (${formatBytes(bytes)}${there === 'other' ? '; something else is under its name' : ''})`,
    );
  return contents.length > NAMED
    ? [...lines, `  and ${(contents.length - NAMED).toLocaleString('en-US')} more`]
    : lines;
}
