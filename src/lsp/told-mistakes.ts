/** Mistakes as an editor is told them: each in the file where it is, which may be one that an open file uses. */
import type { Diagnostic as LspDiagnostic, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import type { Diagnostic, Source } from '../domain/diagnostic.ts';
import type { Document } from './document.ts';
import { diagnosticOf, uriOfPath } from './protocol.ts';

export class ToldMistakes {
  readonly #publish: (told: PublishDiagnosticsParams) => void;
  readonly #versionOf: (uri: string) => number | undefined;
  /** What each open file makes known of which file. */
  readonly #told = new Map<string, ReadonlyMap<string, readonly LspDiagnostic[]>>();

  constructor(publish: (told: PublishDiagnosticsParams) => void, versionOf: (uri: string) => number | undefined) {
    this.#publish = publish;
    this.#versionOf = versionOf;
  }

  tell(document: Document, found: readonly Diagnostic[]): void {
    const uriOfSource = (source: Source): string =>
      source.path === document.source.path ? document.uri : uriOfPath(source);
    const byUri = new Map<string, LspDiagnostic[]>([[document.uri, []]]);
    for (const one of found) {
      const uri = uriOfSource(one.source);
      byUri.set(uri, [...(byUri.get(uri) ?? []), diagnosticOf(one, uriOfSource)]);
    }
    const before = this.#told.get(document.uri) ?? new Map();
    this.#told.set(document.uri, byUri);
    for (const uri of new Set([...before.keys(), ...byUri.keys()])) this.#tellOf(uri);
  }

  /** It makes nothing known any more. */
  forget(uri: string): void {
    const before = this.#told.get(uri);
    this.#told.delete(uri);
    for (const one of before?.keys() ?? []) this.#tellOf(one);
  }

  /** What several open files find in one is told once. */
  #tellOf(uri: string): void {
    const all = [...this.#told.values()].flatMap(byUri => byUri.get(uri) ?? []);
    const diagnostics = [
      ...new Map(all.map(one => [JSON.stringify([one.range, one.code, one.message]), one])).values(),
    ];
    const version = this.#versionOf(uri);
    this.#publish({ uri, diagnostics, ...(version !== undefined && { version }) });
  }
}
