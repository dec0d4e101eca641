/** A node of the file → a `Value`: finds `${{ … }}` in texts and notes what each expression reads. */
import type { Span } from '../../model/diagnostic.ts';
import {
  type ExpressionValue,
  isRoot,
  type MapValue,
  type Reference,
  type TextValue,
  type Value,
} from '../../model/pipeline.ts';
import type { Findings } from '../checks/findings.ts';
import { endOfText } from '../expression/tokens.ts';
import { messages } from '../messages/index.ts';
import { bareExpression, isPlain, type Names, type Piece, piecesOf, type TextUse } from '../yaml/placeholders.ts';
import type { MapNode, Node, ScalarNode } from '../yaml/syntax-tree.ts';
import { readCode, type Selection } from './cel.ts';

/** What the reader of a value must know besides the text. */
export interface ReadContext {
  readonly findings: Findings;
  /** What a placeholder of another system may have meant. */
  readonly names?: Names | undefined;
  /** Default: `sent`. */
  readonly use?: TextUse;
  /** Where a text that is a path of ours, and nothing else, is certainly meant as an expression. */
  readonly bare?: 'told';
  /** Whether `params.<name>`, `matrix.<name>` or `data.<name>` is declared with fractions. */
  readonly isReal: (root: Reference['root'], path: readonly string[]) => boolean;
  /** `params.token`, `env.TOKEN`: what a secret is read by. */
  readonly secrets: ReadonlySet<string>;
}

export function readValue(node: Node, context: ReadContext): Value {
  switch (node.is) {
    case 'map':
      return readMap(node, context);
    case 'list':
      return { is: 'list', items: node.items.map(item => readValue(item, context)), at: node.at };
    case 'scalar':
      return typeof node.value === 'string' ? readText(node, node.value, context) : literal(node);
  }
}

/** No mapping reads as an empty one at the given place. */
export function readMap(node: MapNode | undefined, context: ReadContext, at: Span = { start: 0, end: 0 }): MapValue {
  if (!node) return { is: 'map', entries: [], at };
  const entries = node.entries.map(({ name, nameAt, value }) => ({ name, nameAt, value: readValue(value, context) }));
  return { is: 'map', entries, at: node.at };
}

const literal = (node: ScalarNode): Value => ({ is: 'literal', value: node.value, at: node.at });

function readText(node: ScalarNode, text: string, context: ReadContext): Value {
  const { findings, use = 'sent', names } = context;
  const bare = context.bare === 'told' ? bareExpression(text, names) : undefined;
  if (bare !== undefined) {
    findings.add(messages.bareExpression(bare, text), node.at);
    return expression(bare, node.at, context);
  }
  if (isPlain(text)) return literal(node);
  const parts: (string | ExpressionValue)[] = [];
  const places = new Places(findings.source.text, node.at);
  let plain = '';
  let from = 0;
  for (const piece of piecesOf(text, use, names)) {
    // It is inside the expression before it.
    if (piece.start < from) continue;
    const written = text.slice(piece.start, piece.end);
    if (piece.is === 'escaped') {
      plain += text.slice(from, piece.start) + written.slice(1);
      from = piece.end;
    } else if (piece.is === 'placeholder') {
      if (piece.message) findings.add(piece.message, places.next(written));
      plain += text.slice(from, piece.end);
      from = piece.end;
    } else {
      const close = endOfExpression(text, piece.end);
      if (close < 0) {
        reportOpen(text, piece, places, findings);
        return literal(node);
      }
      plain += text.slice(from, piece.start);
      if (plain !== '') parts.push(plain);
      plain = '';
      parts.push(
        expression(text.slice(piece.end, close).trim(), places.next(text.slice(piece.start, close + 2)), context),
      );
      from = close + 2;
    }
  }
  plain += text.slice(from);
  if (parts.length === 0) return { is: 'literal', value: plain, at: node.at };
  if (plain !== '') parts.push(plain);
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object')
    return { ...only, at: isBlock(node, findings.source.text) ? only.at : node.at };
  return { is: 'text', parts, at: node.at };
}

/** A text of many lines begins with `|` or `>`, which is not where a mistake in it is looked for. */
const isBlock = ({ at }: ScalarNode, source: string): boolean => /[|>]/.test(source[at.start] ?? '');

/** An expression without an end, or one in which a quote has none. */
function reportOpen(text: string, piece: Piece, places: Places, findings: Findings): void {
  const close = text.indexOf('}}', piece.end);
  const whole = places.next(text.slice(piece.start, close < 0 ? piece.end : close + 2));
  const open = close < 0 ? undefined : openQuote(text.slice(piece.end, close));
  if (open === undefined) findings.add(messages.openExpression(), { start: whole.start, end: whole.start + 3 });
  else {
    const start = whole.start + 3 + open.at;
    findings.add(messages.openText(open.quote), start < whole.end ? { start, end: start + 1 } : whole);
  }
}

/** The quote in a code that no other closes. */
function openQuote(code: string): { readonly quote: string; readonly at: number } | undefined {
  let open: { quote: string; at: number } | undefined;
  for (let at = 0; at < code.length; at++) {
    const quote = code[at]!;
    if (quote === '\\') at++;
    else if (open === undefined && (quote === '"' || quote === "'")) open = { quote, at };
    else if (quote === open?.quote) open = undefined;
  }
  return open;
}

/** The parts of a value that are computed: its expressions, and its texts as a whole. */
export function computedParts(value: Value): readonly (ExpressionValue | TextValue)[] {
  switch (value.is) {
    case 'literal':
      return [];
    case 'expression':
    case 'text':
      return [value];
    case 'list':
      return value.items.flatMap(computedParts);
    case 'map':
      return value.entries.flatMap(entry => computedParts(entry.value));
  }
}

/** The expressions in a value, also those in its texts. */
export const valueExpressions = (value: Value): readonly ExpressionValue[] =>
  computedParts(value).flatMap(one => (one.is === 'text' ? one.parts.filter(part => typeof part !== 'string') : [one]));

/** All that these expressions read. */
export const valueReads = (value: Value): readonly Reference[] => valueExpressions(value).flatMap(({ reads }) => reads);

/** The code of an expression at its place, with what it reads. */
export function expression(code: string, at: Span, context: ReadContext): ExpressionValue {
  const read = readCode(code);
  const codeAt = placeOfCode(context.findings.source.text, code, at);
  const reads = read.is === 'broken' ? [] : references(read.selections, context);
  return { is: 'expression', code, at, ...(codeAt ? { codeAt } : {}), reads };
}

function references(selections: readonly Selection[], context: ReadContext): Reference[] {
  const found = new Map<string, Reference>();
  for (const { segments } of selections) {
    const [root, ...path] = segments.map(segment => segment.name);
    if (root === undefined || !isRoot(root)) continue;
    const real = context.isReal(root, path);
    const secret = context.secrets.has(`${root}.${path[0]}`);
    found.set(segments.map(segment => segment.name).join('\n'), {
      ...{ root, path },
      ...(real ? { real } : {}),
      ...(secret ? { secret } : {}),
    });
  }
  return [...found.values()];
}

/** The offset of the `}}` that closes it: braces of CEL maps, quoted texts and comments are stepped over. -1 when it never ends. */
function endOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i >= 0 && i < text.length; i++) {
    const character = text[i]!;
    WORD.lastIndex = i;
    const word = WORD.exec(text)?.[0];
    if (
      character === '"' ||
      character === "'" ||
      (word !== undefined && /^[rRbB]{1,2}$/.test(word) && /["']/.test(text[i + word.length] ?? ''))
    )
      i = endOfText(text, i) - 1;
    else if (word !== undefined) i += word.length - 1;
    else if (character === '/' && text[i + 1] === '/') i = endOfComment(text, i) - 1;
    else if (character === '{') depth++;
    else if (character === '}') {
      if (depth > 0) depth--;
      else if (text[i + 1] === '}') return i;
    }
  }
  return -1;
}

const WORD = /\w+/y;

/** A comment ends with its line, or with the expression where that ends on the same line. */
function endOfComment(text: string, from: number): number {
  const [line, close] = [text.indexOf('\n', from), text.indexOf('}}', from)];
  if (line < 0) return close < 0 ? text.length : close;
  return close < 0 ? line : Math.min(line, close);
}

/** Where the expressions of one scalar stand in the source, one after the other; the whole scalar where escapes or folding hide them. */
class Places {
  readonly #source: string;
  readonly #scalar: Span;
  #from: number;

  constructor(source: string, scalar: Span) {
    this.#source = source;
    this.#scalar = scalar;
    this.#from = scalar.start;
  }

  next(written: string): Span {
    const start = this.#source.indexOf(written, this.#from);
    if (start < 0 || start + written.length > this.#scalar.end) return this.#scalar;
    this.#from = start + written.length;
    return { start, end: this.#from };
  }
}

function placeOfCode(source: string, code: string, at: Span): Span | undefined {
  const within = source.slice(at.start, at.end).indexOf(code);
  return within < 0 ? undefined : { start: at.start + within, end: at.start + within + code.length };
}

/** Part of an expression's code as a place in the source. */
export function placeInCode(source: string, expression: ExpressionValue, start: number, end: number): Span {
  const at = expression.codeAt ?? placeOfCode(source, expression.code, expression.at);
  if (!at) return expression.at;
  return { start: at.start + start, end: at.start + Math.max(end, start) };
}
