/** Mistakes as a person reads them, on stderr. A file without any is checked without this: measuring words takes 20 ms to load. */

import { formatDiagnostics } from '../../language/yaml/excerpt.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sayPainted } from '../outlets.ts';

export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  sayPainted(formatDiagnostics(diagnostics, { color }));
}
