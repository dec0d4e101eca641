/**
 * The type of an expression where it stands: paths are followed (`path-types.ts`), operators and functions are left to CEL's
 * checker (`cel-check.ts`), and what CEL's types cannot say is worked out here.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import type { ExpressionValue } from '../domain/pipeline.ts';
import { type Code, readCode, type Selection } from './cel.ts';
import { checkWithCel, fromCel, nearestField, replacePathsByVariables } from './cel-check.ts';
import type { Findings, Message } from './findings.ts';
import { messages } from './messages/index.ts';
import { type ReportAt, type TypeScope, typeOfPath } from './path-types.ts';
import { ANY, BOOL, join, list, TEXT, type Type, WRONG } from './types.ts';
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
  const precise = typeOfNode(read.tree, byStart, new Map());
  return precise.is === 'any' ? fromCel(checked.type) : precise;
}

/** CEL's own types that JSON cannot hold. */
const NOT_JSON = /^(?:google\.protobuf\.\w+|bytes|uint|type)$/;

type Known = ReadonlyMap<number, { readonly selection: Selection; readonly type: Type }>;

/** Keeps what CEL's types cannot say (what an address leads to) through conditions, lists, indices and loops. */
function typeOfNode(node: ASTNode, known: Known, bound: ReadonlyMap<string, Type>): Type {
  const selected = known.get(node.start);
  if (selected?.selection.end === node.end) return selected.selection.probed ? BOOL : selected.type;
  switch (node.op) {
    case 'id':
      return bound.get(node.args) ?? ANY;
    case 'value':
      return typeof node.args === 'string' ? TEXT : ANY;
    case '?:':
      return join(typeOfNode(node.args[1], known, bound), typeOfNode(node.args[2], known, bound));
    case 'list':
      return node.args.length === 0 ? ANY : list(node.args.map(item => typeOfNode(item, known, bound)).reduce(join));
    case '[]': {
      const of = typeOfNode(node.args[0], known, bound);
      return of.is === 'list' ? of.of : ANY;
    }
    case '.': {
      const of = typeOfNode(node.args[0], known, bound);
      return (of.is === 'record' && of.fields.get(node.args[1])) || ANY;
    }
    case 'rcall': {
      const [method, receiver, args] = node.args;
      const of = typeOfNode(receiver, known, bound);
      if (of.is !== 'list') return ANY;
      if (method === 'filter') return of;
      const [variable, body] = args;
      if (method !== 'map' || args.length !== 2 || variable?.op !== 'id' || !body) return ANY;
      const each = typeOfNode(body, known, new Map(bound).set(variable.args, of.of));
      return each.is === 'any' ? ANY : list(each);
    }
    default:
      return ANY;
  }
}
