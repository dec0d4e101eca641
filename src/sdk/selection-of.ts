/** Which part of a film a program asks for. */
import type { Diagnostic, Source } from '../domain/diagnostic.ts';
import { NO_SELECTION, type Selection } from '../domain/selection.ts';
import type { PlanOptions } from './film-options.ts';

export const selectionOf = ({ selection }: Pick<PlanOptions, 'selection'>): Selection | undefined =>
  selection && { ...NO_SELECTION, ...selection };

/** The selection is the program's, and stands nowhere in the file: its mistakes point at the file's beginning. */
export const unselectable = (message: string, source: Source): Diagnostic => ({
  ...{ severity: 'error', code: 'selection', message, source },
  span: { start: 0, end: 0 },
});
