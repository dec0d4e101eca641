/** The name that the system, SQLite or a library gives an error: `ENOENT`. Undefined for what has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
