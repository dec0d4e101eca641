import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics, position } from '../../src/language/yaml/excerpt.ts';
import type { Diagnostic, Source, Span } from '../../src/model/diagnostic.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';

/** What `check` finds in this text, a line for each mistake; empty where there is none. */
export const said = (text: string): string => linesOf(compile({ path: 'film.yaml', text }, modelLibrary).diagnostics);

/** The same of a film with these lines. */
export const told = (lines: string): string => said(film(lines));

/** In the order of the text: the place, what the caret marks, the words. How a person reads them: `excerpt.test.ts`. */
export const linesOf = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .toSorted(
      (a, b) => a.source.path.localeCompare(b.source.path) || a.span.start - b.span.start || a.span.end - b.span.end,
    )
    .map(({ severity, message, notes = [], source, span }) =>
      [
        `${placeOf(source, span)} ${severity === 'error' ? '' : `${severity}: `}${message}`,
        ...notes.map(note => `  note ${placeOf(note.source ?? source, note.span)} ${note.message}`),
      ].join('\n'),
    )
    .join('\n');

function placeOf(source: Source, { start, end }: Span): string {
  const { line, column } = position(source, start);
  const [marked = ''] = source.text.slice(start, end).split('\n', 1);
  const shown = (marked.length > 60 ? `${marked.slice(0, 40)}…` : marked).replaceAll(/\p{Cc}/gu, '�');
  return `${source.path === 'film.yaml' ? '' : `${source.path}:`}${line}:${column} ‹${shown}›`;
}

/** A file with these lines after the two that every file starts with. Leading blank line and common indentation are taken off. */
export function film(lines: string): string {
  return `shotlist: 1\nname: film\n${dedent(lines)}`;
}

export function dedent(lines: string): string {
  const rows = lines.replace(/^\n/, '').replace(/\n *$/, '\n').split('\n');
  const indent = Math.min(...rows.filter(row => row.trim() !== '').map(row => row.length - row.trimStart().length));
  return rows.map(row => row.slice(indent)).join('\n');
}

/** The pipeline of a text that has nothing wrong with it. */
export function compiled(text: string): Pipeline {
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
  if (!pipeline || diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
  return pipeline;
}
