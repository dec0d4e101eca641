/** An expression as a tree: what the parser makes, and the checker and the interpreter walk. Places are offsets in the code. */

/** One name of a path, at its place in the code. */
export interface Segment {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

export type Expr =
  | Literal
  | Read
  | Variable
  | Member
  | Index
  | List
  | Mapping
  | Unary
  | Binary
  | Logic
  | Choice
  | Has
  | Call
  | Loop
  | Bind;

interface Literal extends Place {
  readonly op: 'literal';
  /** A whole number is a bigint, one with fractions a number. */
  readonly value: null | boolean | bigint | number | string;
}
/** A path from a root: `steps.shot.result_url`, or `params["idea"]`. */
export interface Read extends Place {
  readonly op: 'read';
  readonly segments: readonly [Segment, ...Segment[]];
}
/** Bound by a loop or by `cel.bind` around it. */
interface Variable extends Place {
  readonly op: 'variable';
  readonly name: string;
}
/** A field of anything that is no path: `steps.shots[0].bytes`. */
export interface Member extends Place {
  readonly op: 'member';
  readonly of: Expr;
  readonly name: Segment;
}
export interface Index extends Place {
  readonly op: 'index';
  readonly of: Expr;
  readonly index: Expr;
}
interface List extends Place {
  readonly op: 'list';
  readonly items: readonly Expr[];
}
export interface Mapping extends Place {
  readonly op: 'map';
  readonly entries: readonly { readonly key: Expr; readonly value: Expr }[];
}
export interface Unary extends Place {
  readonly op: 'unary';
  readonly operator: '!' | '-';
  readonly of: Expr;
}
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | Comparison | 'in';
type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';
export interface Binary extends Place {
  readonly op: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
}
export interface Logic extends Place {
  readonly op: 'logic';
  readonly operator: '&&' | '||';
  readonly left: Expr;
  readonly right: Expr;
}
export interface Choice extends Place {
  readonly op: 'choice';
  readonly condition: Expr;
  readonly yes: Expr;
  readonly no: Expr;
}
export interface Has extends Place {
  readonly op: 'has';
  readonly of: Read | Member;
}
export interface Call extends Place {
  readonly op: 'call';
  /** `split`, or with its namespace `math.ceil`. */
  readonly name: Segment;
  /** Whether it is written behind its first argument: `x.size()`. */
  readonly isMethod: boolean;
  readonly args: readonly Expr[];
}
export type LoopName = 'all' | 'exists' | 'exists_one' | 'map' | 'filter' | 'sortBy';
export interface Loop extends Place {
  readonly op: 'loop';
  readonly loop: LoopName;
  readonly over: Expr;
  readonly variable: string;
  /** Of `map(x, condition, body)`. */
  readonly condition?: Expr;
  readonly body: Expr;
}
/** `cel.bind(variable, value, body)`. */
export interface Bind extends Place {
  readonly op: 'bind';
  readonly variable: string;
  readonly value: Expr;
  readonly body: Expr;
}

export function children(node: Expr): readonly Expr[] {
  switch (node.op) {
    case 'literal':
    case 'read':
    case 'variable':
      return [];
    case 'member':
    case 'unary':
    case 'has':
      return [node.of];
    case 'index':
      return [node.of, node.index];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'binary':
    case 'logic':
      return [node.left, node.right];
    case 'choice':
      return [node.condition, node.yes, node.no];
    case 'call':
      return node.args;
    case 'loop':
      return node.condition ? [node.over, node.condition, node.body] : [node.over, node.body];
    case 'bind':
      return [node.value, node.body];
  }
}

/** The text or the number that an expression is where it computes nothing: `'2.5s'`, `-1`. */
export function plainlyWritten(node: Expr): string | number | undefined {
  if (node.op === 'unary' && node.operator === '-') {
    const of = plainlyWritten(node.of);
    return typeof of === 'number' ? -of : undefined;
  }
  if (node.op !== 'literal') return undefined;
  if (typeof node.value === 'bigint') return Number(node.value);
  return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
}

/** The paths that a tree reads, in the order in which they stand. */
export function readsIn(tree: Expr): readonly { readonly read: Read; readonly probed: boolean }[] {
  const found: { read: Read; probed: boolean }[] = [];
  const walk = (node: Expr): void => {
    if (node.op === 'read') found.push({ read: node, probed: false });
    else if (node.op === 'has' && node.of.op === 'read') found.push({ read: node.of, probed: true });
    else for (const child of children(node)) walk(child);
  };
  walk(tree);
  return found;
}
