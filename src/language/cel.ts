/**
 * The expression language: CEL, read with @marcbachmann/cel-js, minus what could hang a checker or a run.
 *
 * Nearly every expression of a real file is a plain path (`steps.shot.result_url`), so paths are read here and never
 * reach CEL at all. For the rest this file gives the tree and every path in it; `matches()` is refused (it is a
 * backtracking RegExp: 47 s on 29 characters), and so is nesting of comprehensions beyond two (n³ on real lists).
 */
import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';

/** One name of a path, at its place in the code. */
export interface Segment {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A path that an expression reads: `steps.shot.result_url`, or `params["idea"]`. The first segment is the root. */
export interface Selection {
  readonly segments: readonly [Segment, ...Segment[]];
  /** Where it ends in the code; a path may go on in CEL: `steps.shots` of `steps.shots[0].bytes`. */
  readonly end: number;
  /** Inside `has(…)`: the last name may be absent. */
  readonly probed: boolean;
}

export type Code =
  | { readonly is: 'path'; readonly selections: readonly [Selection] }
  | { readonly is: 'program'; readonly tree: ASTNode; readonly selections: readonly Selection[] }
  | { readonly is: 'broken'; readonly problem: CodeProblem };

export interface CodeProblem {
  readonly kind: 'syntax' | 'matches' | 'nesting' | 'length' | 'variable';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export const LIMITS = {
  /** Characters of one expression. */
  length: 4_000,
  /** Brackets within brackets. */
  depth: 32,
  /** Comprehensions within comprehensions. */
  comprehensions: 2,
} as const;

export const newEnvironment = (open: boolean): Environment => {
  const environment = new Environment({
    unlistedVariablesAreDyn: open,
    homogeneousAggregateLiterals: false,
    limits: { maxDepth: LIMITS.depth, maxAstNodes: 2_000 },
  });
  // Authors write `duration / 2` where the duration has fractions: CEL alone knows no mixed arithmetic.
  const real = (a: unknown, b: unknown): [number, number] => [Number(a), Number(b)];
  for (const [left, right] of [
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    environment
      .registerOperator(`${left} + ${right}`, (a, b) => real(a, b)[0] + real(a, b)[1])
      .registerOperator(`${left} - ${right}`, (a, b) => real(a, b)[0] - real(a, b)[1])
      .registerOperator(`${left} * ${right}`, (a, b) => real(a, b)[0] * real(a, b)[1])
      .registerOperator(`${left} / ${right}`, (a, b) => real(a, b)[0] / real(a, b)[1]);
  }
  // This one registration also covers `double == int` and `!=`.
  environment.registerOperator('int == double', (a, b) => Number(a) === b);
  return environment;
};

/** Expressions repeat within a file and between check, plan and run. */
const known = new Map<string, Code>();
const MAX_KNOWN = 20_000;

export function readCode(code: string): Code {
  let read = known.get(code);
  if (!read) {
    read = plainPath(code) ?? parse(code);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(code, read);
  }
  return read;
}

/** Words of CEL that look like a path of one name. */
const LITERALS = new Set(['true', 'false', 'null']);

function plainPath(code: string): Code | undefined {
  if (!/^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*$/.test(code)) return undefined;
  const segments: Segment[] = [];
  for (const match of code.matchAll(/\w+/g))
    segments.push({ name: match[0], start: match.index, end: match.index + match[0].length });
  const [root, ...rest] = segments;
  if (!root || LITERALS.has(root.name)) return undefined;
  return { is: 'path', selections: [{ segments: [root, ...rest], end: segments.at(-1)!.end, probed: false }] };
}

let reader: Environment | undefined;

function parse(code: string): Code {
  const broken = (kind: CodeProblem['kind'], message: string, start: number, end: number): Code => ({
    is: 'broken',
    problem: { kind, message, start, end },
  });
  if (code.length > LIMITS.length) return broken('length', '', 0, code.length);
  reader ??= newEnvironment(true);
  try {
    const tree = reader.parse(code).ast;
    const selections: Selection[] = [];
    const problem = collect(tree, { bound: [], loops: 0, selections });
    return problem ? { is: 'broken', problem } : { is: 'program', tree, selections };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return broken('syntax', error.summary, error.range?.start ?? 0, error.range?.end ?? code.length);
  }
}

interface Walk {
  /** Names bound by the comprehensions around this place. */
  readonly bound: readonly string[];
  readonly loops: number;
  readonly selections: Selection[];
}

const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind']);

function collect(node: ASTNode, walk: Walk): CodeProblem | undefined {
  const selection = select(node);
  if (selection) {
    if (!walk.bound.includes(selection.segments[0].name)) walk.selections.push(selection);
    return undefined;
  }
  if (node.op === 'call' && node.args[0] === 'has') {
    const probed = node.args[1][0] && select(node.args[1][0]);
    if (probed && !walk.bound.includes(probed.segments[0].name)) {
      walk.selections.push({ ...probed, end: node.end, probed: true });
      return undefined;
    }
  }
  if (node.op === 'rcall') {
    const [method, receiver, args] = node.args;
    if (method === 'matches') return { kind: 'matches', message: '', start: node.start, end: node.end };
    const variable = args[0];
    if (LOOPS.has(method) && args.length > 1 && variable?.op === 'id') {
      // `cel-check.ts` puts variables of such names in the place of paths: a loop must not bind them.
      if (variable.args.startsWith('_'))
        return { kind: 'variable', message: '', start: variable.start, end: variable.end };
      const loops = walk.loops + 1;
      if (loops > LIMITS.comprehensions) return { kind: 'nesting', message: '', start: node.start, end: node.end };
      const inner = { ...walk, loops, bound: [...walk.bound, variable.args] };
      const space = method === 'bind' && receiver.op === 'id' && receiver.args === 'cel';
      return first([
        ...(space ? [] : [() => collect(receiver, walk)]),
        ...args.slice(1).map(arg => () => collect(arg, inner)),
      ]);
    }
  }
  return first(children(node).map(inner => () => collect(inner, walk)));
}

function first(steps: readonly (() => CodeProblem | undefined)[]): CodeProblem | undefined {
  for (const step of steps) {
    const problem = step();
    if (problem) return problem;
  }
  return undefined;
}

/** The path that a node is; undefined unless it is an identifier followed by names alone. */
function select(node: ASTNode): Selection | undefined {
  if (node.op === 'id') {
    const segment = { name: node.args, start: node.start, end: node.end };
    return { segments: [segment], end: node.end, probed: false };
  }
  if (node.op === '.') {
    const parent = select(node.args[0]);
    if (!parent) return undefined;
    return {
      ...parent,
      segments: [...parent.segments, { name: node.args[1], start: node.pos, end: node.end }],
      end: node.end,
    };
  }
  if (node.op === '[]') {
    const [object, index] = node.args;
    const parent = select(object);
    if (!parent || index.op !== 'value' || typeof index.args !== 'string') return undefined;
    return {
      ...parent,
      segments: [...parent.segments, { name: index.args, start: index.start, end: index.end }],
      end: node.end,
    };
  }
  return undefined;
}

export function children(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return [...node.args];
  }
}
