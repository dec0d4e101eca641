/**
 * Code → tree, by the grammar of CEL (langdef.md, "Syntax"), in one pass: operators by precedence, loops bind their variable while
 * their body is read, so that a path of a root and the field of a variable are distinguished at once.
 *
 * An own parser and not a library's: what an author wrote in the manner of another language gets the right spelling, and how deep a
 * tree may be is decided here, once, for everybody who walks it.
 */
import { type CodeProblem, type Token, tokensOf, Unreadable } from './tokens.ts';
import { type BinaryOperator, children, type Expr, type LoopName, type Place, type Segment } from './tree.ts';

const LIMITS = {
  /** Characters of one expression. */
  length: 4_000,
  /** Brackets within brackets. */
  brackets: 64,
  /** Nodes from the root of the tree to a leaf: a chain of operators is as deep as it is long. */
  depth: 400,
} as const;

type Parsed = { readonly tree: Expr } | { readonly problem: CodeProblem };

export function parse(code: string): Parsed {
  if (code.length > LIMITS.length)
    return { problem: { kind: 'length', limit: LIMITS.length, start: 0, end: code.length } };
  try {
    return { tree: new Parser(tokensOf(code)).parse() };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.problem };
    throw error;
  }
}

/** How tightly operators bind; those of one row are read from the left. */
const ROWS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const LOOPS: ReadonlySet<string> = new Set<LoopName>(['all', 'exists', 'exists_one', 'map', 'filter', 'sortBy']);
/** The part before the dot of a function's name is no path. */
const NAMESPACES = new Set(['math', 'cel', 'lists', 'strings']);

/** Words of other languages, and what is written here. */
const CHOICE = 'condition ? this : that';
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['is', '=='],
  ['if', CHOICE],
  ['then', CHOICE],
  ['else', CHOICE],
  ['div', '/'],
  ['mod', '%'],
]);

/** langdef.md, "Syntax": RESERVED. */
const RESERVED = new Set(
  'as break const continue else for function if import in let loop package namespace return var void while'.split(' '),
);
const CONSTANTS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  /** Names bound by the loops around this place. */
  #bound: readonly string[] = [];
  #brackets = 0;
  readonly #depths = new WeakMap<Expr, number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expr {
    const tree = this.#expression();
    if (this.#next.is !== 'end') throw this.#unexpected(this.#next);
    return tree;
  }

  #expression(): Expr {
    const condition = this.#row(0);
    if (!this.#take('?')) return condition;
    const yes = this.#expression();
    this.#expect(':');
    const no = this.#expression();
    return this.#node({ op: 'choice', ...{ condition, yes, no }, start: condition.start, end: no.end });
  }

  #row(row: number): Expr {
    const operators = ROWS[row];
    if (!operators) return this.#unary();
    let left = this.#row(row + 1);
    while (this.#next.is !== 'text' && 'text' in this.#next && operators.includes(this.#next.text)) {
      const operator = this.#next.text;
      this.#at++;
      const right = this.#row(row + 1);
      const place = { left, right, start: left.start, end: right.end };
      left = this.#node(
        operator === '&&' || operator === '||'
          ? { op: 'logic', operator, ...place }
          : { op: 'binary', operator: operator as BinaryOperator, ...place },
      );
    }
    return left;
  }

  #unary(): Expr {
    const { start } = this.#next;
    const operator = this.#isSign('!') ? '!' : this.#isSign('-') ? '-' : undefined;
    if (operator === undefined) return this.#postfix();
    let count = 0;
    while (this.#take(operator)) count++;
    let of = operator === '-' ? this.#negativeLiteral(start, count) : undefined;
    if (of) return of;
    of = this.#isSign('!') || this.#isSign('-') ? this.#unary() : this.#postfix();
    // Two of them say as much as twenty: the operand has to be of the right type, and stays what it is.
    for (let times = count % 2 === 0 ? 2 : 1; times > 0; times--)
      of = this.#node({ op: 'unary', operator, of, start, end: of.end });
    return of;
  }

  /** The smallest whole number of 64 bits has no positive counterpart: its sign belongs to it. */
  #negativeLiteral(start: number, count: number): Expr | undefined {
    const number = this.#next;
    const after = this.#tokens[this.#at + 1];
    if ((number.is !== 'int' && number.is !== 'double') || (after?.is === 'sign' && /^[.[]$/.test(after.text)))
      return undefined;
    this.#at++;
    const sign = count % 2 === 0 ? 1 : -1;
    const place = { start, end: number.end };
    if (number.is === 'double') return this.#node({ op: 'literal', value: number.value * sign, ...place });
    return this.#node({ op: 'literal', value: int64(number.value * BigInt(sign), place), ...place });
  }

  #postfix(): Expr {
    let of = this.#primary();
    for (;;) {
      const token = this.#next;
      if (this.#take('.')) of = this.#member(of);
      else if (this.#take('[')) of = this.#index(of);
      else if (token.is === 'double' && token.written.startsWith('.') && token.start === of.end)
        throw dotted(token.written, token);
      else return of;
    }
  }

  #member(of: Expr): Expr {
    const name = this.#name();
    if (this.#isSign('(')) return this.#method(of, name);
    if (of.op === 'read') return this.#node({ ...of, segments: [...of.segments, name], end: name.end });
    return this.#node({ op: 'member', of, name, start: of.start, end: name.end });
  }

  #index(of: Expr): Expr {
    const index = this.#inBrackets(']', () => this.#expression());
    const { end } = this.#before;
    if (of.op === 'read' && index.op === 'literal' && typeof index.value === 'string') {
      const segment = { name: index.value, start: index.start, end: index.end };
      return this.#node({ ...of, segments: [...of.segments, segment], end });
    }
    return this.#node({ op: 'index', of, index, start: of.start, end });
  }

  #method(of: Expr, name: Segment): Expr {
    const { start } = of;
    if (of.op === 'read' && of.segments.length === 1 && NAMESPACES.has(of.segments[0].name)) {
      const full = { name: `${of.segments[0].name}.${name.name}`, start, end: name.end };
      if (full.name === 'cel.bind') return this.#bind(full);
      const args = this.#arguments();
      return this.#node({ op: 'call', name: full, isMethod: false, args, ...this.#from({ start }) });
    }
    if (LOOPS.has(name.name)) return this.#loop(of, name);
    const args = this.#arguments();
    return this.#node({ op: 'call', name, isMethod: true, args: [of, ...args], ...this.#from({ start }) });
  }

  #loop(over: Expr, name: Segment): Expr {
    const loop = name.name as LoopName;
    this.#expect('(');
    const variable = this.#variable(name);
    const bodies = this.#inside(variable, () => this.#items(')'));
    const [first, second, ...more] = bodies;
    if (!first || more.length > 0 || (second && loop !== 'map')) throw this.#misused(name);
    const parts = { loop, over, variable, ...(second && { condition: first }), body: second ?? first };
    return this.#node({ op: 'loop', ...parts, ...this.#from(over) });
  }

  #bind(name: Segment): Expr {
    this.#expect('(');
    const variable = this.#variable(name);
    const value = this.#expression();
    this.#expect(',');
    const [body, ...more] = this.#inside(variable, () => this.#items(')'));
    if (!body || more.length > 0) throw this.#misused(name);
    return this.#node({ op: 'bind', variable, value, body, ...this.#from(name) });
  }

  /** The name that a loop binds, and the comma behind it. */
  #variable(loop: Segment): string {
    const [token, after] = [this.#next, this.#tokens[this.#at + 1]];
    if (token.is !== 'name' || Object.hasOwn(CONSTANTS, token.text) || after?.is !== 'sign' || after.text !== ',')
      throw this.#misused(loop);
    if (RESERVED.has(token.text)) throw reserved(token.text, token);
    this.#at += 2;
    return token.text;
  }

  #misused({ name, start, end }: Segment): Unreadable {
    return new Unreadable({ kind: 'variable', loop: name, start, end });
  }

  #inside<T>(variable: string, read: () => T): T {
    const around = this.#bound;
    this.#bound = [...around, variable];
    const result = read();
    this.#bound = around;
    return result;
  }

  #primary(): Expr {
    const token = this.#next;
    this.#at++;
    const place = { start: token.start, end: token.end };
    switch (token.is) {
      case 'end':
        throw new Unreadable({ kind: 'early-end', ...place });
      case 'int':
        return this.#node({ op: 'literal', value: int64(token.value, place), ...place });
      case 'double':
        return this.#node({ op: 'literal', value: token.value, ...place });
      case 'text':
        return this.#node({ op: 'literal', value: token.text, ...place });
      case 'name':
        return this.#named(token.text, place);
      case 'sign':
        switch (token.text) {
          case '(':
            return this.#node({ ...this.#inBrackets(')', () => this.#expression()), ...this.#from(token) });
          case '[':
            return this.#node({ op: 'list', items: this.#items(']'), ...this.#from(token) });
          case '{':
            return this.#mapping(token.start);
          // A name with a dot before it is looked for outside of all loops (langdef.md, "Name Resolution").
          case '.':
            return this.#node({ op: 'read', segments: [this.#name()], ...this.#from(token) });
        }
        throw this.#unexpected(token);
    }
  }

  #named(text: string, place: Place): Expr {
    if (Object.hasOwn(CONSTANTS, text)) return this.#node({ op: 'literal', value: CONSTANTS[text]!, ...place });
    const isCall = this.#isSign('(');
    const isForeign = FOREIGN_WORDS.has(text) && (RESERVED.has(text) || this.#beginsOperand);
    if (isForeign) throw new Unreadable({ kind: 'spelling', text, instead: FOREIGN_WORDS.get(text)!, ...place });
    if (RESERVED.has(text)) throw reserved(text, place);
    const name = { name: text, ...place };
    if (!isCall) {
      if (this.#bound.includes(text)) return this.#node({ op: 'variable', name: text, ...place });
      return this.#node({ op: 'read', segments: [name], ...place });
    }
    const args = this.#arguments();
    const { start } = place;
    const { end } = this.#before;
    if (text !== 'has') return this.#node({ op: 'call', name, isMethod: false, args, start, end });
    const [of, ...more] = args;
    const isField = of?.op === 'member' || (of?.op === 'read' && of.segments.length > 1);
    if (!isField || more.length > 0) throw new Unreadable({ kind: 'has', start, end });
    return this.#node({ op: 'has', of, start, end });
  }

  #mapping(start: number): Expr {
    const entries: { key: Expr; value: Expr }[] = [];
    this.#brackets++;
    while (!this.#isSign('}')) {
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression() });
      if (!this.#take(',')) break;
    }
    this.#expect('}');
    this.#brackets--;
    return this.#node({ op: 'map', entries, ...this.#from({ start }) });
  }

  #arguments(): readonly Expr[] {
    this.#expect('(');
    return this.#items(')');
  }

  /** The items up to the closing bracket, with commas between. A list may end with a comma, a call may not. */
  #items(close: ')' | ']'): readonly Expr[] {
    return this.#inBrackets(close, () => {
      const items: Expr[] = [];
      while (!this.#isSign(close)) {
        items.push(this.#expression());
        if (!this.#take(',')) break;
        if (close === ')' && this.#isSign(close)) throw this.#unexpected(this.#next);
      }
      return items;
    });
  }

  #inBrackets<T>(close: ')' | ']', read: () => T): T {
    if (++this.#brackets > LIMITS.brackets)
      throw new Unreadable({ kind: 'depth', limit: LIMITS.brackets, ...this.#before });
    const result = read();
    this.#expect(close);
    this.#brackets--;
    return result;
  }

  #name(): Segment {
    const token = this.#next;
    if (token.is !== 'name') throw this.#expected('a name', token);
    this.#at++;
    return { name: token.text, start: token.start, end: token.end };
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#expected(`\`${sign}\``, this.#next);
  }

  #take(sign: string): boolean {
    if (!this.#isSign(sign)) return false;
    this.#at++;
    return true;
  }

  #isSign(sign: string): boolean {
    return this.#next.is === 'sign' && this.#next.text === sign;
  }

  /** Whether what comes next could be what an operator is applied to. */
  get #beginsOperand(): boolean {
    const { is } = this.#next;
    return is === 'name' || is === 'text' || is === 'int' || is === 'double' || this.#isSign('(') || this.#isSign('!');
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]!;
  }

  /** From there to what was read last. */
  #from({ start }: Pick<Place, 'start'>): Place {
    return { start, end: this.#before.end };
  }

  get #before(): Token {
    return this.#tokens[this.#at - 1]!;
  }

  #expected(what: string, token: Token): Unreadable {
    if (token.is === 'name' && FOREIGN_WORDS.has(token.text)) return this.#unexpected(token);
    const found = token.is === 'end' ? undefined : described(token);
    return new Unreadable({ kind: 'expected', what, found, start: token.start, end: token.end });
  }

  #unexpected(token: Token): Unreadable {
    const place = { start: token.start, end: token.end };
    if (token.is === 'end') return new Unreadable({ kind: 'early-end', ...place });
    if (token.is === 'name' && FOREIGN_WORDS.has(token.text))
      return new Unreadable({ kind: 'spelling', text: token.text, instead: FOREIGN_WORDS.get(token.text)!, ...place });
    return new Unreadable({ kind: 'unexpected', found: described(token), ...place });
  }

  #node<N extends Expr>(node: N): N {
    const depth = 1 + Math.max(0, ...children(node).map(child => this.#depths.get(child) ?? 0));
    if (depth > LIMITS.depth)
      throw new Unreadable({ kind: 'depth', limit: LIMITS.depth, start: node.start, end: node.end });
    this.#depths.set(node, depth);
    return node;
  }
}

/** `list.0` */
const dotted = (text: string, { start, end }: Place): Unreadable =>
  new Unreadable({ kind: 'spelling', text, instead: `[${text.slice(1)}]`, start, end });

const reserved = (word: string, { start, end }: Place): Unreadable =>
  new Unreadable({ kind: 'reserved', word, start, end });

function int64(value: bigint, place: Place): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new Unreadable({ kind: 'number', text: String(value), ...place });
}

const described = (token: Token): string =>
  token.is === 'name' || token.is === 'sign' ? `\`${token.text}\`` : SAID[token.is];
const SAID = { text: 'a text', int: 'a number', double: 'a number', end: 'the end' };
