/** Our values in the words of the Language Server Protocol. */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  type DocumentSymbol,
  type Diagnostic as LspDiagnostic,
  MarkupKind,
  type Range,
  SymbolKind,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Fix, Source, Span } from '../model/diagnostic.ts';
import type { Offered } from './complete/completion-offer.ts';
import { fixTitle } from './hover-texts.ts';
import type { Outlined } from './symbols.ts';

/** Absolute; undefined for what is no file. */
export function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

export const uriOf = (file: string): string => pathToFileURL(file).href;

const positioned = new WeakMap<Source, TextDocument>();

/** Offsets in a text as lines and characters. */
export function rangeIn(source: Source, { start, end }: Span): Range {
  let text = positioned.get(source);
  if (!text) {
    text = TextDocument.create('', 'yaml', 0, source.text);
    positioned.set(source, text);
  }
  return { start: text.positionAt(start), end: text.positionAt(Math.max(start, end)) };
}

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const;

/** What a quick fix needs travels with the diagnostic: an editor gives it back. */
interface FixData {
  readonly range: Range;
  readonly text: string;
  readonly was: string;
}

/** @param uriOfSource a source is named by the path that its author typed. */
export function diagnosticOf(one: Diagnostic, uriOfSource: (source: Source) => string): LspDiagnostic {
  const related = (one.notes ?? []).map(({ message, span, source = one.source }) => ({
    message,
    location: { uri: uriOfSource(source), range: rangeIn(source, span) },
  }));
  return {
    range: rangeIn(one.source, one.span),
    severity: SEVERITIES[one.severity],
    code: one.code,
    source: 'shotlist',
    message: one.message,
    ...(related.length > 0 && { relatedInformation: related }),
    ...(one.fix && { data: fixData(one.fix, one.source) }),
  };
}

const fixData = ({ at, text }: Fix, source: Source): FixData => ({
  range: rangeIn(source, at),
  text,
  was: source.text.slice(at.start, at.end),
});

export const isFix = (data: unknown): data is FixData =>
  typeof data === 'object' && data !== null && 'range' in data && 'text' in data && 'was' in data;

export const fixAction = (uri: string, diagnostic: LspDiagnostic, { range, text, was }: FixData): CodeAction => ({
  title: fixTitle(was, text),
  kind: CodeActionKind.QuickFix,
  diagnostics: [diagnostic],
  isPreferred: true,
  edit: { changes: { [uri]: [{ range, newText: text }] } },
});

const KINDS: { readonly [what in Offered['what']]: CompletionItemKind } = {
  key: CompletionItemKind.Property,
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  model: CompletionItemKind.Class,
  step: CompletionItemKind.Module,
  function: CompletionItemKind.Function,
  root: CompletionItemKind.Keyword,
  variable: CompletionItemKind.Variable,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
};

export const completionOf = (offered: Offered, source: Source, index: number): CompletionItem => ({
  label: offered.label,
  kind: KINDS[offered.what],
  ...(offered.detail !== undefined && { detail: offered.detail }),
  ...(offered.about !== undefined && { documentation: { kind: MarkupKind.Markdown, value: offered.about } }),
  // Editors sort by this text.
  sortText: `${offered.isFirst ? 0 : 1}${String(index).padStart(4, '0')}`,
  filterText: source.text[offered.at.start - 1] === '"' ? offered.label : (offered.text ?? offered.label),
  textEdit: { range: rangeIn(source, offered.at), newText: offered.text ?? offered.label },
});

const SYMBOLS = { section: SymbolKind.Namespace, step: SymbolKind.Function, name: SymbolKind.Variable } as const;

export const symbolOf = (one: Outlined, source: Source): DocumentSymbol => ({
  name: one.name === '' ? '?' : one.name,
  detail: one.detail,
  kind: SYMBOLS[one.is],
  range: rangeIn(source, one.span),
  selectionRange: rangeIn(source, one.nameAt),
  children: one.children.map(child => symbolOf(child, source)),
});

/** The file of a source: its path is relative to the working directory. */
export const uriOfPath = ({ path }: Source): string => uriOf(resolve(path));
