/** A model's text and what a service tells, as a terminal may be shown it. */
import { safeJson as oneLine, safeLines } from '../../domain/clean.ts';

export const shown = safeLines;

/** JSON for other programs, of which a terminal that happens to show it obeys nothing. */
export const safeJson = (value: unknown): string => oneLine(value, 2);
