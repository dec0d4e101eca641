/** What the YAML reader stumbled over, told once for each line and with what to write instead. */
import type { Document, YAMLParseError } from 'yaml';
import type { Span } from '../domain/diagnostic.ts';
import type { Words } from './findings.ts';
import { words } from './words.ts';

export interface YamlProblem {
  readonly words: Words;
  readonly at: Span;
}

export function yamlProblems(text: string, document: Document.Parsed): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const lines = new Set<number>();
  for (const error of [...document.errors, ...document.warnings] as YAMLParseError[]) {
    const start = lineStart(text, error.pos[0]);
    // One slip makes the reader stumble again and again to the end of the line: the first stumble is the true one.
    if (lines.has(start)) continue;
    lines.add(start);
    problems.push(unquotedExpression(text, start) ?? { words: explain(text, error), at: spanOf(text, error) });
  }
  return problems;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

function spanOf(text: string, error: YAMLParseError): Span {
  const [start, end] = error.pos;
  const lineEnd = text.indexOf('\n', start);
  return { start, end: Math.max(start, Math.min(end, lineEnd < 0 ? end : lineEnd)) };
}

/** Walks one line as YAML would and stops at a `${{` that stands inside `[ ]` or `{ }` without quotes. */
function unquotedExpression(text: string, start: number): YamlProblem | undefined {
  const newline = text.indexOf('\n', start);
  const line = text.slice(start, newline < 0 ? text.length : newline);
  let depth = 0;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote !== '') {
      if (character === '\\' && quote === '"') i++;
      else if (character === quote) quote = '';
    } else if (line.startsWith('${{', i)) {
      const close = line.indexOf('}}', i);
      const end = close < 0 ? line.length : close + 2;
      if (depth > 0)
        return { words: words.unquotedExpression(line.slice(i, end)), at: { start: start + i, end: start + end } };
      i = end - 1;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === '#' && /\s/.test(line[i - 1] ?? ' ')) break;
  }
  return undefined;
}

function explain(text: string, error: YAMLParseError): Words {
  const character = text[error.pos[0]] ?? '';
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return words.tab();
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const value = text.slice(error.pos[0]).split('\n', 1)[0]!.trim();
      return /^[^:]*\$\{\{/.test(value) ? words.colonInExpression(value) : words.colonInText();
    }
    case 'BAD_SCALAR_START':
      return words.reservedStart(character);
    case 'BAD_INDENT':
      return words.badIndent();
    case 'MULTILINE_IMPLICIT_KEY':
      return words.keyWithoutColon();
    case 'TAG_RESOLVE_FAILED':
      return words.unknownTag(text.slice(error.pos[0], error.pos[1]));
    case 'MISSING_CHAR':
      if (/quote/.test(error.message)) return words.openQuote();
      break;
    case 'UNEXPECTED_TOKEN': {
      const before = text.slice(lineStart(text, error.pos[0]), error.pos[0]);
      if (/:\s+\*\S*\s*$/.test(before)) return words.starInText();
      if (/[}\]"']\s*$/.test(before)) return words.textAfterEnd();
      break;
    }
  }
  return words.badYaml(error.message);
}
