/**
 * Orders that a GitHub runner reads in a job's output. Between them it reads none (`stop-commands`): the same output holds words of services,
 * models and commands, and `::set-env` or `::error` in it must stay words.
 */
import { safeLines } from '../../model/text/clean.ts';

type AnnotationKind = 'error' | 'warning' | 'notice';

/** Where in the author's file; lines and columns count from 1. */
export interface PlaceInFile {
  /** From the root of the repository, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Behind the last character. */
  readonly end?: { readonly line: number; readonly column: number } | undefined;
}

export interface Annotation {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
  readonly place?: PlaceInFile | undefined;
}

/** Characters of one annotation; more than that is in the log. */
const MOST = 4_000;

/** `::error file=films/teaser.yaml,line=7,col=3,endColumn=9,title=shot failed::out of memory` */
export function annotation({ kind, title, message, place }: Annotation): string {
  const fields = [...(place ? [`file=${property(place.file)}`, ...range(place)] : []), `title=${property(title)}`];
  return `::${kind} ${fields.join(',')}::${data(clipped(message))}`;
}

/** A runner drops columns of a range that ends on another line than it starts on. */
const range = ({ line, column, end }: PlaceInFile): readonly string[] =>
  end && end.line !== line
    ? [`line=${line}`, `endLine=${end.line}`]
    : [`line=${line}`, `col=${column}`, ...(end ? [`endColumn=${end.column}`] : [])];

export const group = (title: string): string => `::group::${data(title)}`;
export const END_OF_GROUP = '::endgroup::';
/** No order is obeyed until the same token appears between two pairs of colons. */
export const stopCommands = (token: string): string => `::stop-commands::${token}`;
export const resumeCommands = (token: string): string => `::${token}::`;

/** As the toolkit of GitHub Actions escapes them. */
const data = (text: string): string =>
  safeLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const clipped = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`);

/** At most this many of a kind are shown for a step of a job: the rest is dropped without a word. */
const MOST_OF_A_KIND = 10;

/** What fits: the last of a kind counts the rest. `inLog`: where the rest is shown. */
export function fitting(annotations: readonly Annotation[], inLog: string): readonly Annotation[] {
  return [...Map.groupBy(annotations, ({ kind }) => kind)].flatMap(([kind, all]) => {
    if (all.length <= MOST_OF_A_KIND) return all;
    const rest = all.slice(MOST_OF_A_KIND - 1);
    const titles = rest.slice(0, 20).map(({ title }) => title);
    const more = rest.length > titles.length ? [`and ${rest.length - titles.length} more`] : [];
    return [
      ...all.slice(0, MOST_OF_A_KIND - 1),
      { kind, title: `${rest.length} more`, message: [...titles, ...more, inLog].join('\n') },
    ];
  });
}
