/** A run that stopped before it began, for readers of its reports: what stopped it, as JUnit's XML and as Markdown. */

import { formatDiagnostic, position } from '../../language/yaml/excerpt.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { markdownBlock as block, markdownCode as code, markdownText as text } from '../../model/text/markup.ts';
import { type JunitCase, junitXml } from './junit-xml.ts';

export interface NotBegun {
  /** The film's file as a person typed it. */
  readonly file: string;
  /** Unix milliseconds: when it stopped. */
  readonly at: number;
  /** Of the command; absent where a program ran it. */
  readonly exit?: number;
  /** What that exit code means: `a budget is reached`. */
  readonly brief: string;
  /** The same for programs: `budget`. */
  readonly type: string;
  /** The command's last words; empty where the mistakes are enough. */
  readonly message: string;
  /** In the file: errors alone. */
  readonly mistakes: readonly Diagnostic[];
}

export const notBegunTitle = ({ file, brief }: NotBegun): string => `${file} was not begun: ${brief}`;

/** `films/spot.yaml:9:23` */
function placeOfMistake({ source, span }: Diagnostic): string {
  const { line, column } = position(source, span.start);
  return `${source.path}:${line}:${column}`;
}

export function notBegunJunit(stopped: NotBegun): string {
  const { file, at, exit, type } = stopped;
  const properties = { pipeline: file, outcome: type, ...(exit !== undefined && { exit: String(exit) }) };
  return junitXml({
    ...{ name: file, began: at, ended: at, properties },
    cases: [...stopped.mistakes.map(mistake => caseOf(file, mistake)), ...caseOfRun(stopped)],
    systemOut: [notBegunTitle(stopped)],
  });
}

const caseOf = (file: string, mistake: Diagnostic): JunitCase => ({
  ...{ name: `${placeOfMistake(mistake)} ${mistake.code}`, of: `${file}.check`, took: 0, is: 'error' },
  ...{ type: mistake.code, message: mistake.message, text: formatDiagnostic(mistake) },
});

function caseOfRun(stopped: NotBegun): readonly JunitCase[] {
  const { file, type, message, mistakes } = stopped;
  if (message === '' && mistakes.length > 0) return [];
  const words = message === '' ? notBegunTitle(stopped) : message;
  return [{ name: 'run', of: `${file}.run`, took: 0, is: 'error', type, message: words, text: words }];
}

/** The line with the mistake and the marks below it. */
const excerpt = ({ notes: _, ...mistake }: Diagnostic): string =>
  formatDiagnostic(mistake).split('\n').slice(1).join('\n');

/** For the summary of a job, and for a comment under a pull request. */
export function notBegunMarkdown({ message, mistakes }: Pick<NotBegun, 'message' | 'mistakes'>, title: string): string {
  const rows = mistakes.map(
    mistake =>
      `| ${code(placeOfMistake(mistake))} | ${text(mistake.message).replaceAll('\n', '<br>')}${block(excerpt(mistake))} |`,
  );
  return [
    `### ❌ ${text(title)}`,
    ...(rows.length > 0 ? ['', '| Place | Mistake |', '| --- | --- |', ...rows] : []),
    ...(message === '' ? [] : ['', message.split('\n').map(text).join('<br>')]),
  ].join('\n');
}
