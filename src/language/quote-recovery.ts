/**
 * Recovery from the commonest slip, `[${{ a }}]` without quotes: YAML cannot read such a file, but what was meant is
 * certain. The repaired text is compiled only to find the file's other mistakes; the file itself stays refused.
 */
import type { Diagnostic } from '../domain/diagnostic.ts';

/**
 * The text with quotes in the place of the blanks inside `${{ … }}`, so that every offset stays true.
 * Undefined where quotes are not all that is missing.
 */
export function quoteExpressions(text: string, found: readonly Diagnostic[]): string | undefined {
  if (found.length === 0) return undefined;
  let quoted = text;
  for (const { code, span } of found) {
    const written = text.slice(span.start, span.end);
    const inside = /^\$\{\{ ([^"\n]*) \}\}$/.exec(written)?.[1];
    if (code !== 'unquoted-expression' || inside === undefined) return undefined;
    quoted = `${quoted.slice(0, span.start)}"\${{${inside}}}"${quoted.slice(span.end)}`;
  }
  return quoted;
}
