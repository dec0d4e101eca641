/**
 * The type of an expression where it stands: paths are followed (`path-types.ts`), operators and functions are left to CEL's
 * checker (`cel-check.ts`), and what CEL's types cannot say is worked out here.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import type { ExpressionValue } from '../domain/pipeline.ts';
import { type Code, readCode, type Selection } from './cel.ts';
import { checkWithCel, fromCel, nearestField, replacePathsByVariables } from './cel-check.ts';
import type { Findings, Message } from './findings.ts';
import { foreignSyntax } from './messages/foreign-expressions.ts';
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
    if (expression.code === '') {
      findings.add(messages.emptyExpression(), expression.at);
      return WRONG;
    }
    const foreign = problem.kind === 'syntax' ? foreignSyntax(expression.code) : undefined;
    if (foreign) return report(messages.foreignSyntax(foreign.advice), foreign.start, foreign.end);
    return report(messages.codeProblem(problem), problem.start, problem.end);
  }
  const types = new Map<Selection, Type>();
  for (const selection of read.selections) types.set(selection, typeOfPath(selection, scope, report));
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
    const end = last?.end ?? checked.end;
    const name = nameOfCall(code, checked.summary, checked.start, end);
    return report(
      messages.celProblem(checked.code, checked.summary, nearestField),
      name?.start ?? checked.start,
      name?.end ?? end,
    );
  }
  if (NOT_JSON.test(checked.type)) return report(messages.notJsonType(checked.type), 0, code.length);
  const byStart = new Map([...types].map(([selection, type]) => [selection.segments[0].start, { selection, type }]));
  const precise = typeOfNode(read.tree, byStart, new Map());
  return precise.is === 'any' ? fromCel(checked.type) : precise;
}

/** The name in a call that does not exist: CEL marks all of the call, and what it is given may be right. */
function nameOfCall(code: string, summary: string, start: number, end: number) {
  const [, receiver, name] = /^found no matching overload for '(?:(.*)\.)?([A-Za-z_]\w*)\(/.exec(summary) ?? [];
  if (name === undefined) return undefined;
  const written = code.slice(start, end);
  const at = receiver === undefined ? written.indexOf(name) : written.lastIndexOf(`.${name}`) + 1;
  return at < 0 ? undefined : { start: start + at, end: start + at + name.length };
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
