/**
 * The type of an expression where it stands: paths are followed (`path-types.ts`), operators and functions are left to CEL's
 * checker (`cel-check.ts`), and what CEL's types cannot say is worked out here.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { nearest } from '../domain/nearest.ts';
import type { ExpressionValue } from '../domain/pipeline.ts';
import { type Code, children, readCode, type Selection } from './cel.ts';
import { checkWithCel, fromCel, nearestField, replacePathsByVariables } from './cel-check.ts';
import type { Findings, Message } from './findings.ts';
import { messages } from './messages/index.ts';
import { type ReportAt, type TypeScope, typeOfPath } from './path-types.ts';
import { ANY, BOOL, join, list, type RecordType, TEXT, type Type, WRONG } from './types.ts';
import { placeInCode } from './values.ts';

export function typeOf(expression: ExpressionValue, scope: TypeScope, findings: Findings): Type {
  const read = readCode(expression.code);
  const report = (what: Message, start: number, end: number): Type => {
    findings.add(what, placeInCode(findings.source.text, expression, start, end));
    return WRONG;
  };
  if (read.is === 'broken') {
    const { problem } = read;
    return report(
      expression.code === '' ? messages.emptyExpression() : messages.codeProblem(problem),
      problem.start,
      problem.end,
    );
  }
  const types = new Map<Selection, Type>();
  for (const selection of read.selections) types.set(selection, typeOfPath(selection, scope, report));
  const unasked = read.selections.find(({ segments, probed }) => segments[0].name === 'previous' && !probed);
  if (unasked && !read.selections.some(({ segments, probed }) => segments[0].name === 'previous' && probed)) {
    const path = unasked.segments.map(({ name }) => name).join('.');
    return report(messages.previousUnasked(path), unasked.segments[0].start, unasked.end);
  }
  if ([...types.values()].some(type => type.is === 'wrong')) return WRONG;
  return read.is === 'path' ? types.get(read.selections[0])! : typeOfProgram(expression.code, read, types, report);
}

function typeOfProgram(
  code: string,
  read: Extract<Code, { is: 'program' }>,
  types: ReadonlyMap<Selection, Type>,
  report: ReportAt,
): Type {
  const checked = checkWithCel(replacePathsByVariables(code, types));
  if (!checked.valid) {
    // A variable is shorter than the path it stands for: an error that ends inside one ends where the path ends.
    const last = [...types.keys()].find(({ segments, end }) => segments[0].start < checked.end && checked.end <= end);
    return report(
      messages.celProblem(checked.code, checked.summary, nearestField),
      checked.start,
      last?.end ?? checked.end,
    );
  }
  if (NOT_JSON.test(checked.type)) return report(messages.notJsonType(checked.type), 0, code.length);
  const byStart = new Map([...types].map(([selection, type]) => [selection.segments[0].start, { selection, type }]));
  const precise = typeOfNode(read.tree, { known: byStart, bound: new Map(), code, report });
  return precise.is === 'any' ? fromCel(checked.type) : precise;
}

/** CEL's own types that JSON cannot hold. */
const NOT_JSON = /^(?:google\.protobuf\.\w+|bytes|uint|type)$/;

interface Walk {
  readonly known: ReadonlyMap<number, { readonly selection: Selection; readonly type: Type }>;
  /** Types of the variables of the loops around this place. */
  readonly bound: ReadonlyMap<string, Type>;
  readonly code: string;
  readonly report: ReportAt;
}

/** Keeps what CEL's types cannot say (what an address leads to, what an answer holds) through conditions, lists, indices and loops. */
function typeOfNode(node: ASTNode, walk: Walk): Type {
  const selected = walk.known.get(node.start);
  if (selected?.selection.end === node.end) return selected.selection.probed ? BOOL : selected.type;
  switch (node.op) {
    case 'id':
      return walk.bound.get(node.args) ?? ANY;
    case 'value':
      return typeof node.args === 'string' ? TEXT : ANY;
    case '?:': {
      const [, one, other] = node.args.map(part => typeOfNode(part, walk));
      return join(one!, other!);
    }
    case 'list':
      return node.args.length === 0 ? ANY : list(node.args.map(item => typeOfNode(item, walk)).reduce(join));
    case '[]': {
      const [list, index] = node.args;
      const of = typeOfNode(list, walk);
      typeOfNode(index, walk);
      if (of.is === 'record' && typeof index.args === 'string') return typeOfField(of, list, index.args, index, walk);
      if (of.is !== 'list') return ANY;
      return beyondMax(of, node, walk) ?? of.of;
    }
    case '.': {
      const of = typeOfNode(node.args[0], walk);
      if (of.is !== 'record') return of.is === 'wrong' ? WRONG : ANY;
      return typeOfField(of, node.args[0], node.args[1], { start: node.pos, end: node.end }, walk);
    }
    case 'rcall': {
      const [method, receiver, args] = node.args;
      const of = typeOfNode(receiver, walk);
      const [variable, body] = args;
      const isLoop = LOOPS.has(method) && args.length === 2 && variable?.op === 'id';
      if (!isLoop || !body) {
        for (const arg of args) typeOfNode(arg, walk);
        return ANY;
      }
      const item = of.is === 'list' ? of.of : ANY;
      const each = typeOfNode(body, { ...walk, bound: new Map(walk.bound).set(variable.args, item) });
      if (of.is !== 'list') return ANY;
      if (method === 'filter') return of;
      return method !== 'map' || each.is === 'any' ? ANY : list(each);
    }
    default:
      for (const part of children(node)) typeOfNode(part, walk);
      return ANY;
  }
}

/** Loops that hand each entry to their body. */
const LOOPS = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

type Place = { readonly start: number; readonly end: number };

/** A field of what an answer holds; of any other record CEL has said already what is wrong. */
function typeOfField(of: RecordType, parent: ASTNode, name: string, at: Place, { code, report }: Walk): Type {
  const field = of.fields.get(name);
  if (field || of.cel !== 'Json') return field ?? ANY;
  const path = code.slice(parent.start, parent.end);
  const near = nearest(name, of.fields.keys());
  return report(messages.unknownField(name, path, of.called, near, [...of.fields.keys()]), at.start, at.end);
}

function beyondMax({ max }: ListType, { args: [list, index] }: IndexNode, { code, report }: Walk): Type | undefined {
  if (max === undefined || index.op !== 'value' || typeof index.args !== 'bigint' || index.args < max) return undefined;
  const path = code.slice(list.start, list.end);
  return report(messages.beyondMax(path, Number(index.args), max), index.start, index.end);
}

type ListType = Extract<Type, { is: 'list' }>;
type IndexNode = Extract<ASTNode, { op: '[]' }>;
