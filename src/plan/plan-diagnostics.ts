/** Diagnostics, collected. A mistake that 10,000 instances share is told once. */
import type { Diagnostic, Source, Span } from '../domain/diagnostic.ts';

export class PlanDiagnostics {
  readonly #source: Source;
  readonly #found: Map<string, Diagnostic>;

  constructor(source: Source, found = new Map<string, Diagnostic>()) {
    this.#source = source;
    this.#found = found;
  }

  /** The same list, for what stands in another file. */
  in(source: Source): PlanDiagnostics {
    return source === this.#source ? this : new PlanDiagnostics(source, this.#found);
  }

  /** Takes up diagnostics that were collected apart. */
  include(found: readonly Diagnostic[]): void {
    for (const { code, message, span, source } of found) this.error(code, message, span, source);
  }

  error(code: string, message: string, at: Span, source: Source = this.#source): void {
    const place = `${code} ${source.path} ${source.path === '--param' ? source.text : ''} ${at.start}:${at.end}`;
    if (!this.#found.has(place)) this.#found.set(place, { severity: 'error', code, message, source, span: at });
  }

  get any(): boolean {
    return this.#found.size > 0;
  }

  get all(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }
}

/** The same, found in two ways: at the same place, or in the same words. */
export const isSameMistake = (one: Diagnostic, other: Diagnostic): boolean =>
  isSameDiagnostic(one, other) || (one.message === other.message && one.source.path === other.source.path);

/** The same mistake at the same place, whatever values its message names. */
export const isSameDiagnostic = (one: Diagnostic, other: Diagnostic): boolean =>
  one.code === other.code &&
  one.source.path === other.source.path &&
  one.source.text === other.source.text &&
  one.span.start === other.span.start &&
  one.span.end === other.span.end;
