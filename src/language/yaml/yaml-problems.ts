/** The errors of the YAML reader in our words: one for each line, with what to write instead. */
import { type Document, visit, type YAMLParseError } from 'yaml';
import type { Span } from '../../model/diagnostic.ts';
import { MAX_DEPTH } from '../../model/text/json.ts';
import type { Message } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';

interface YamlProblem {
  readonly message: Message;
  readonly at: Span;
}

export function yamlProblems(text: string, document: Document.Parsed): YamlProblem[] {
  const problems: YamlProblem[] = [];
  let vague: YamlProblem | undefined;
  const lines = new Set<number>();
  for (const error of [...document.errors, ...document.warnings] as YAMLParseError[]) {
    const start = lineStart(text, error.pos[0]);
    // One mistake gives several errors up to the end of the line: the first is the true one.
    if (lines.has(start) || problems.some(({ at }) => error.pos[0] > at.start && error.pos[0] < at.end)) continue;
    lines.add(start);
    // A key without its colon makes the next line deeper than its neighbours.
    const isBelow = problems.some(
      ({ message, at }) => message.code === 'missing-colon' && text.indexOf('\n', at.end) + 1 === start,
    );
    if (isBelow) continue;
    const problem =
      unquotedExpression(text, start) ??
      colonInExpression(text, start) ??
      bracesAtStart(text, start) ??
      problemOf(text, document, error);
    if (problem) problems.push(problem);
    else vague ??= { message: messages.badYaml(error.message), at: spanOf(text, error) };
  }
  // Where a cause is known, an "unexpected token" further down only follows from it.
  return problems.length === 0 && vague ? [vague] : problems;
}

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

function spanOf(text: string, error: YAMLParseError): Span {
  const [from, end] = error.pos.map(offset => Math.min(offset, text.length)) as [number, number];
  const start = from + /^ */.exec(text.slice(from, from + 100))![0].length;
  const lineEnd = text.indexOf('\n', start);
  return { start, end: Math.max(start, Math.min(end, lineEnd < 0 ? end : lineEnd)) };
}

/** Walks one line as YAML would and stops at a `${{` inside `[ ]` or `{ }` without quotes. */
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
        return { message: messages.unquotedExpression(line.slice(i, end)), at: { start: start + i, end: start + end } };
      i = end - 1;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === '#' && /\s/.test(line[i - 1] ?? ' ')) break;
  }
  return undefined;
}

/**
 * `prompt: ${{ a ? b : c }}`, also over several lines, or in quotes that it holds itself: to YAML a key and its value.
 * @param start of the line.
 */
export function colonInExpression(text: string, start: number): YamlProblem | undefined {
  const [, before = '', found, code = ''] =
    /^( *(?:- +)*(?:[\w-]+: +)?)([^\n:[{]*?(\$\{\{.*?\}\})[^\n]*)/s.exec(text.slice(start, start + 10_000)) ?? [];
  if (found === undefined || !/:\s/.test(code)) return undefined;
  const isQuoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?!\w)/s.exec(found)?.[0].includes(code);
  const from = start + before.length;
  const end = from + found.trimEnd().length;
  return isQuoted
    ? undefined
    : { message: messages.colonInExpression(text.slice(from, end)), at: { start: from, end } };
}

/** `prompt: {{ x }} in the snow`: what begins with a brace is a mapping to YAML. */
function bracesAtStart(text: string, start: number): YamlProblem | undefined {
  const [, before, written, inside] =
    /^( *(?:- +)?(?:[\w-]+: +)?)(\{\{([^{}\n]*)\}\})/.exec(text.slice(start, start + 1_000)) ?? [];
  if (before === undefined || written === undefined) return undefined;
  const path = /^\s*((?:params|steps|matrix|each|env|run)\.[\w.]+)\s*$/.exec(inside ?? '')?.[1];
  const from = start + before.length;
  return { message: messages.placeholder(written, path), at: { start: from, end: from + written.length } };
}

function problemOf(text: string, document: Document.Parsed, error: YAMLParseError): YamlProblem | undefined {
  if (error.code === 'MISSING_CHAR' && /quote/.test(error.message)) {
    const start = openQuote(document, error.pos[0]);
    return { message: messages.openQuote(), at: { start, end: start + 1 } };
  }
  const open = /^Flow (map|sequence) .* end with a (.)$/.exec(error.message);
  if (open?.[1] && open[2]) {
    const start = openBracket(text, document, error.pos[0], open[2]);
    const [, before, lost] = /^([^\n"']*\S) +(#[^\s#!].*)/.exec(text.slice(start)) ?? [];
    if (before !== undefined && lost !== undefined) {
      const from = text.indexOf(lost, start + before.length);
      const value = before.slice(before.lastIndexOf(':') + 1).trim();
      return { message: messages.hashInBrackets(value), at: { start: from, end: from + lost.length } };
    }
    return { message: messages.openBracket(open[2]), at: { start, end: start + 1 } };
  }
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY') {
    const found = deeperEntry(text, error.pos[0]);
    if (found) return found;
  }
  if (error.code === 'BLOCK_IN_FLOW') return joinedEntry(text, error.pos[0]);
  const sign = signAtStart(text, error.pos[0]);
  if (sign) return sign;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart(text, error.pos[0]), error.pos[0] + 1)) ?? [];
  if (indent.includes('\t')) {
    const start = lineStart(text, error.pos[0]);
    return { message: messages.tab(), at: { start, end: start + indent.length } };
  }
  const what = explain(text, error);
  const at = spanOf(text, error);
  // The reader stops at the first word of a text that holds `: `.
  const newline = text.indexOf('\n', at.start);
  const line = text.slice(at.start, newline < 0 ? text.length : newline).trimEnd();
  const isText = what?.code === messages.colonInText().code;
  return what && { message: what, at: isText ? { start: at.start, end: at.start + line.length } : at };
}

/** `prompt: - a fox`: a list, or a key, does not begin behind a key. */
function signAtStart(text: string, at: number): YamlProblem | undefined {
  const [, before, sign] = /^(\s*(?:- +)*[\w-]+: +)([-?]) /.exec(text.slice(lineStart(text, at))) ?? [];
  if (before === undefined || sign === undefined) return undefined;
  const start = lineStart(text, at) + before.length;
  return { message: messages.reservedStart(sign), at: { start, end: start + 1 } };
}

/** The reader notices a missing quote at the end of the file; the author looks for it where the text begins. */
function openQuote(document: Document.Parsed, at: number): number {
  let start = at;
  visit(document, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith('QUOTE') && range && range[0] < at) start = range[0];
    },
  });
  return start;
}

/** The last one that begins before the error and does not end with its bracket. */
function openBracket(text: string, document: Document.Parsed, at: number, close: string): number {
  let start = at;
  visit(document, {
    Collection: (_, { flow, range }) => {
      if (
        flow &&
        range &&
        range[0] < at &&
        text[range[0]] === (close === '}' ? '{' : '[') &&
        text[range[1] - 1] !== close
      )
        start = range[0];
    },
  });
  return start;
}

/** `model: V-T2V-A`, and deeper in a line below it `with: …`: the reader takes both for one key, and stops at its beginning. */
function deeperEntry(text: string, from: number): YamlProblem | undefined {
  const [, before, key] =
    /^([^\n:]*\n(?:[^\n:]*\n)*? *(?:- +)?)([^\s:][^\n]*?) *:(?=\s|$)/.exec(text.slice(from, from + 10_000)) ?? [];
  if (before === undefined || key === undefined) return undefined;
  const [, above] = /([\w-]+)["']? *: *$/.exec(text.slice(lineStart(text, from), from)) ?? [];
  const start = from + before.length;
  return { message: messages.deeperLine(above), at: { start, end: start + key.length } };
}

/** `{ title: The End for: 2s }`: the reader stops at the text before the second key. */
function joinedEntry(text: string, from: number): YamlProblem | undefined {
  const [, before, key] = /^([^\n:]*?)([^\s:]+):(?=\s)/.exec(text.slice(from, from + 10_000)) ?? [];
  if (before === undefined || key === undefined) return undefined;
  const start = from + before.length;
  return { message: messages.missingComma(key), at: { start, end: start + key.length } };
}

/** A line of words among keys. */
function keyless(text: string, at: number): Message {
  const before = text.slice(0, lineStart(text, at)).trimEnd();
  const line = text.slice(at).split('\n', 1)[0]?.trim() ?? '';
  if (/[|>][-+\d]*$/.test(before)) return messages.textNotIndented(before.at(-1) ?? '|');
  if (line.startsWith('//')) return messages.slashes();
  return messages.keyWithoutColon(line);
}

function explain(text: string, error: YAMLParseError): Message | undefined {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return messages.tab();
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const value = text.slice(error.pos[0]).split('\n', 1)[0]!.trim();
      if (!value.includes(':')) return messages.badIndent();
      if (value.startsWith('- ')) return messages.dashInMapping();
      return messages.colonInText();
    }
    case 'BAD_SCALAR_START':
      return messages.reservedStart(text[error.pos[0]] ?? '');
    case 'RESOURCE_EXHAUSTION':
      return messages.tooDeep(MAX_DEPTH);
    case 'BAD_INDENT':
      return messages.badIndent();
    case 'MULTILINE_IMPLICIT_KEY':
      return keyless(text, error.pos[0]);
    case 'MISSING_CHAR':
      if (/need to be followed/.test(error.message)) return keyless(text, error.pos[0]);
      if (/^Missing ,/.test(error.message)) return messages.missingComma();
      if (/^Comments must be/.test(error.message)) return messages.commentBlank();
      return /^Missing space/.test(error.message) ? messages.colonBlank() : undefined;
    case 'BAD_DQ_ESCAPE': {
      const [written] = /\\[{$]/.exec(text.slice(error.pos[0] - 1, error.pos[0] + 2)) ?? [];
      return written === undefined ? undefined : messages.escapeInQuotes(written);
    }
    case 'TAG_RESOLVE_FAILED':
      return messages.unknownTag(text.slice(error.pos[0], error.pos[1]), /^ +\w/.test(text.slice(error.pos[1])));
    case 'UNEXPECTED_TOKEN': {
      const before = text.slice(lineStart(text, error.pos[0]), error.pos[0]);
      if (/:\s+\*\S*\s*$/.test(before)) return messages.starInText();
      const [sign] = /[|>](?=[-+\d]*\s*$)/.exec(before) ?? [];
      if (sign !== undefined) return messages.textBehindSign(sign);
      const [quote] = /["'](?=\s*$)/.exec(before) ?? [];
      if (quote !== undefined) return messages.quoteInText(quote);
      return /[}\]]\s*$/.test(before) ? messages.textAfterEnd() : undefined;
    }
    default:
      return undefined;
  }
}
