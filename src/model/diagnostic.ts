/** An author's mistake, as a value with a place in the text. Diagnostics are collected, never thrown: `check` reports all it finds. */

/** Half-open range of UTF-16 offsets into the source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A file as its author wrote it. `path` is what the author typed: it is shown, not resolved. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface Diagnostic {
  /** An error stops everything; a warning is probably a mistake; a hint is advice. */
  readonly severity: 'error' | 'warning' | 'hint';
  /** Stable, for tools: `unknown-step`, `wrong-type`, `out-of-range`, … */
  readonly code: string;
  /** Lower-case, concrete, ends with what to do. */
  readonly message: string;
  readonly source: Source;
  readonly span: Span;
  /** What mends it, where one name or value is most likely meant: an editor puts `text` in the place of `at`, in the same source. */
  readonly fix?: Fix;
  /** Secondary places: "first declared here"; in the same text, unless another is named. */
  readonly notes?: readonly { readonly message: string; readonly span: Span; readonly source?: Source }[];
}

export interface Fix {
  readonly at: Span;
  readonly text: string;
}

export const isError = (diagnostic: Diagnostic): boolean => diagnostic.severity === 'error';
