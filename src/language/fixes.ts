/**
 * What would mend a mistake, where its message names the right word and its place is that of the wrong one: `prompt` for `promt`. Nothing
 * is offered where the place holds more than the wrong word: a program that follows blindly must never lose an author's text.
 */
import type { Diagnostic, Span } from '../domain/diagnostic.ts';

export interface Fix {
  readonly span: Span;
  /** Stands there instead. */
  readonly text: string;
}

export function fixesOf(diagnostic: Pick<Diagnostic, 'source' | 'span' | 'message' | 'fix'>): readonly Fix[] {
  const { source, span, message, fix } = diagnostic;
  if (fix) return [{ span: fix.at, text: fix.text }];
  const meant = /did you mean `([^`]+)`\?/.exec(message)?.[1];
  if (meant === undefined) return [];
  const written = source.text.slice(span.start, span.end);
  const [, quote = '', word = ''] = /^(['"]?)(.*)\1$/s.exec(written) ?? [];
  // The message says which word is wrong: alone, or as the end of a way to it, `steps.shoot`.
  const before = message.slice(0, message.lastIndexOf('did you mean'));
  const named = [...before.matchAll(/`([^`]+)`|"([^"]+)"/g)].map(([, name, path]) => name ?? path ?? '');
  const isNamed = word !== '' && named.some(name => name === word || name.endsWith(`.${word}`) || name === `${word}()`);
  // Letters that need no quotes in YAML stay without them.
  return isNamed && /^[\w.:/-]+$/.test(meant) && word !== meant ? [{ span, text: `${quote}${meant}${quote}` }] : [];
}
