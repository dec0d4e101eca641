/** A node of the file → a `Value`: finds `${{ … }}` in texts and notes what each expression reads. */
import type { Span } from '../domain/diagnostic.ts';
import { type ExpressionValue, type MapValue, type Reference, ROOTS, type Value } from '../domain/pipeline.ts';
import { readCode, type Selection } from './cel.ts';
import { endOfText } from './expression/tokens.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import type { MapNode, Node, ScalarNode } from './syntax-tree.ts';

const isRoot = (name: string): name is Reference['root'] => (ROOTS as readonly string[]).includes(name);

/** What the reader of a value must know besides the text. */
export interface ReadContext {
  readonly findings: Findings;
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
  let open = text.indexOf('${{');
  if (open < 0) return literal(node);
  const parts: (string | ExpressionValue)[] = [];
  const places = new Places(context.findings.source.text, node.at);
  let from = 0;
  for (; open >= 0; open = text.indexOf('${{', from)) {
    const close = endOfExpression(text, open + 3);
    if (close < 0) {
      context.findings.add(messages.openExpression(), places.next('${{'));
      return literal(node);
    }
    if (open > from) parts.push(text.slice(from, open));
    const written = text.slice(open, close + 2);
    parts.push(expression(text.slice(open + 3, close).trim(), places.next(written), context));
    from = close + 2;
  }
  if (from < text.length) parts.push(text.slice(from));
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return { ...only, at: node.at };
  return { is: 'text', parts, at: node.at };
}

function expression(code: string, at: Span, context: ReadContext): ExpressionValue {
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
