import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';

/** What `shotlist check` would print about this text, without the count behind it; empty when there is nothing to say. */
export const said = (text: string): string =>
  excerptsOf(compile({ path: 'film.yaml', text }, modelLibrary).diagnostics);

/** The same of a film with these lines. */
export const told = (lines: string): string => said(film(lines));

export const excerptsOf = (diagnostics: readonly Diagnostic[]): string =>
  formatDiagnostics(diagnostics).replace(/\n\n\d+ (error|warning|hint)[^\n]*$/, '');

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
