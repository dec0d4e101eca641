/** The name that the system, SQLite or a library gives an error: `ENOENT`. Undefined for what has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** For a log, and never for a person: where a bug happened, as far as it is known. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
