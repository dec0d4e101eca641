import { safeJson } from '../../domain/clean.ts';

/** JSON for other programs, of which a terminal that happens to show it obeys nothing. */
export const indentedJson = (value: unknown): string => safeJson(value, 2);
