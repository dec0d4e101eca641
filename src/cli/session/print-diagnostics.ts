/** Mistakes as a person reads them, on stderr. A file without any is checked without this: measuring words takes 20 ms to load. */
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { formatDiagnostics } from '../../language/excerpt.ts';
import { sayPainted } from '../outlets.ts';

export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  sayPainted(formatDiagnostics(diagnostics, { color }));
}
