/** Mistakes as `schema/diagnostics.schema.json` describes them: for editors, bots, and agents that mend a file. Version 1: fields are added, never renamed. */
import type { Diagnostic, Source, Span } from '../model/diagnostic.ts';
import { position } from './yaml/excerpt.ts';

/** In the order of the text. */
export const diagnosticsJson = (diagnostics: readonly Diagnostic[]) =>
  diagnostics
    .toSorted((a, b) => compare(a.source.path, b.source.path) || a.span.start - b.span.start || a.span.end - b.span.end)
    .map(diagnosticJson);

function diagnosticJson(diagnostic: Diagnostic) {
  const { source, span, severity, code, message, notes = [] } = diagnostic;
  const advice = adviceOf(message);
  const fixes = fixesOf(diagnostic);
  return {
    file: source.path,
    ...placed(source, span),
    ...{ severity, code, message },
    ...(advice !== undefined && { advice }),
    ...(notes.length > 0 && {
      notes: notes.map(note => ({
        file: (note.source ?? source).path,
        ...placed(note.source ?? source, note.span),
        message: note.message,
      })),
    }),
    ...(fixes.length > 0 && { fixes: fixes.map(fix => ({ ...placed(source, fix.span), text: fix.text })) }),
  };
}

/** Lines and columns from 1, which count characters as a reader does; the end is behind the last character. */
const placed = (source: Source, { start, end }: Span) => ({ ...position(source, start), end: position(source, end) });

/** Every message ends with what to do; where nothing precedes it, the message is the advice. */
function adviceOf(message: string): string | undefined {
  const at = message.lastIndexOf('; ');
  return at < 0 ? undefined : message.slice(at + 2);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * What would mend a mistake, where its message names the right word and its place is that of the wrong one: `prompt` for `promt`. Nothing
 * is offered where the place holds more than the wrong word: a program that follows blindly must never lose an author's text.
 */
export interface Fix {
  readonly span: Span;
  /** The replacement. */
  readonly text: string;
}

export function fixesOf(diagnostic: Pick<Diagnostic, 'source' | 'span' | 'message' | 'fix'>): readonly Fix[] {
  const { source, span, message, fix } = diagnostic;
  if (fix) return [{ span: fix.at, text: fix.text }];
  const meant = /did you mean `([^`]+)`\?/.exec(message)?.[1];
  if (meant === undefined) return [];
  const written = source.text.slice(span.start, span.end);
  const [, quote = '', word = ''] = /^(['"]?)(.*)\1$/s.exec(written) ?? [];
  // The message names the word that is wrong: alone, or as the end of a way to it, `steps.shoot`.
  const before = message.slice(0, message.lastIndexOf('did you mean'));
  const named = [...before.matchAll(/`([^`]+)`|"([^"]+)"/g)].map(([, name, path]) => name ?? path ?? '');
  const isNamed = word !== '' && named.some(name => name === word || name.endsWith(`.${word}`) || name === `${word}()`);
  // Letters that need no quotes in YAML stay without them.
  return isNamed && /^[\w.:/-]+$/.test(meant) && word !== meant ? [{ span, text: `${quote}${meant}${quote}` }] : [];
}
