import type { Diagnostic, Source, Span } from '../domain/diagnostic.ts';

/** What a mistake is called and how it is told: made in `messages/`. */
export interface Message {
  readonly code: string;
  readonly message: string;
  readonly severity?: 'warning';
}

type Note = NonNullable<Diagnostic['notes']>[number];

/** Collects what is wrong with one file. The same thing said twice about the same place is said once (defaults, aliases). */
export class Findings {
  readonly source: Source;
  readonly #list: Diagnostic[] = [];
  readonly #said = new Set<string>();

  constructor(source: Source) {
    this.source = source;
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  add(words: Message, span: Span, notes?: readonly Note[]): void {
    const said = `${span.start} ${span.end} ${words.code} ${words.message}`;
    if (this.#said.has(said)) return;
    this.#said.add(said);
    this.#list.push({
      severity: words.severity ?? 'error',
      code: words.code,
      message: words.message,
      source: this.source,
      span,
      ...(notes ? { notes } : {}),
    });
  }
}
