/**
 * Mistakes as SARIF, which code scanning and editors read: OASIS Static Analysis Results Interchange Format 2.1.0. Columns count UTF-16
 * code units (3.30.6), lines and columns from 1, and a region ends behind its last character (3.30.8).
 */
import type { Diagnostic, Source, Span } from '../model/diagnostic.ts';
import { fixesOf } from './diagnostic-json.ts';
import { lineAt } from './yaml/excerpt.ts';

interface SarifOptions {
  /** Of Shotlist. */
  readonly version: string;
  /** Where a file is in its repository, which the addresses start from. */
  readonly pathOf: (path: string) => string;
}

export function diagnosticsSarif(diagnostics: readonly Diagnostic[], { version, pathOf }: SarifOptions) {
  const rules = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'shotlist', version, rules: rules.map(id => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(diagnostic => resultOf(diagnostic, rules, source => uriOf(pathOf(source.path)))),
      },
    ],
  };
}

/** The levels of 3.27.10. */
const LEVELS = { error: 'error', warning: 'warning', hint: 'note' } as const;

function resultOf(diagnostic: Diagnostic, rules: readonly string[], uri: (source: Source) => string) {
  const placeOf = (source: Source, span: Span) => ({
    artifactLocation: { uri: uri(source) },
    region: regionOf(source, span),
  });
  const { source, span, severity, code, message, notes = [] } = diagnostic;
  const fixes = fixesOf(diagnostic);
  return {
    ...{ ruleId: code, ruleIndex: rules.indexOf(code), level: LEVELS[severity], message: { text: message } },
    locations: [{ physicalLocation: placeOf(source, span) }],
    ...(notes.length > 0 && {
      relatedLocations: notes.map((note, id) => ({
        ...{ id, message: { text: note.message } },
        physicalLocation: placeOf(note.source ?? source, note.span),
      })),
    }),
    ...(fixes.length > 0 && {
      fixes: fixes.map(fix => ({
        artifactChanges: [
          {
            artifactLocation: { uri: uri(source) },
            replacements: [{ deletedRegion: regionOf(source, fix.span), insertedContent: { text: fix.text } }],
          },
        ],
      })),
    }),
  };
}

/** A path as a relative reference (RFC 3986, 4.2). */
const uriOf = (path: string): string => path.split(/[\\/]/).map(encodeURIComponent).join('/');

function regionOf(source: Source, { start, end }: Span) {
  const [from, to] = [lineAt(source, start), lineAt(source, end)];
  return {
    ...{ startLine: from.line, startColumn: start - from.start + 1 },
    ...{ endLine: to.line, endColumn: end - to.start + 1 },
  };
}
