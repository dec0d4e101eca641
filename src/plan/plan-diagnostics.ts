/** Diagnostics, collected. A mistake that 10,000 instances share is told once. */
import type { Diagnostic, Source, Span } from '../domain/diagnostic.ts';

export class PlanDiagnostics {
  readonly #source: Source;
  readonly #found = new Map<string, Diagnostic>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Takes up diagnostics that were collected apart. */
  include(found: readonly Diagnostic[]): void {
    for (const { code, message, span, source } of found) this.error(code, message, span, source);
  }

  error(code: string, message: string, at: Span, source: Source = this.#source): void {
    const place = `${code} ${source.path} ${source.text === this.#source.text ? '' : source.text} ${at.start}:${at.end}`;
    if (!this.#found.has(place)) this.#found.set(place, { severity: 'error', code, message, source, span: at });
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  get all(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }
}
