/**
 * The type of an expression where it stands.
 *
 * Paths are followed here, with the nearest right name for a misspelt one. What is left for CEL's own checker are
 * operators and functions: each path is replaced by a variable of its type, padded to the same length so that places
 * stay true. One environment then serves every expression of every file, and equal remainders are checked once.
 */
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import type { ExpressionValue } from '../domain/pipeline.ts';
import { type Code, newEnvironment, readCode, type Segment, type Selection } from './cel.ts';
import type { Findings, Words } from './findings.ts';
import { nearest } from './nearest.ts';
import {
  ANY,
  BOOL,
  commandResult,
  DOUBLE,
  INT,
  join,
  list,
  mediaResult,
  type RecordType,
  TEXT,
  type Type,
  WRONG,
} from './types.ts';
import { placeInCode, ROOTS } from './values.ts';
import { words } from './words.ts';

/** What an expression can see from where it stands. */
export interface View {
  readonly params: ReadonlyMap<string, Type>;
  readonly env: ReadonlySet<string>;
  readonly steps: ReadonlyMap<string, StepView>;
  /** The step the expression belongs to. */
  readonly step: string;
  /** The step's own axes; undefined where it has no matrix. */
  readonly matrix: ReadonlyMap<string, Type> | undefined;
  /** One upstream instance's result; undefined where the step has no `each`. */
  readonly each: Type | undefined;
  /** Set where values must be known before the run: only `params` can be read. */
  readonly before?: string;
}

export interface StepView {
  /** Of one instance. */
  readonly result: Type;
  /** Names of its coordinates; a step that has any gives a list. */
  readonly coordinates: readonly string[];
}

export function typeOf(expression: ExpressionValue, view: View, findings: Findings): Type {
  const read = readCode(expression.code);
  const say = (what: Words, start: number, end: number): Type => {
    findings.add(what, placeInCode(findings.source.text, expression, start, end));
    return WRONG;
  };
  if (read.is === 'broken') {
    const { problem } = read;
    return say(
      expression.code === '' ? words.emptyExpression() : words.codeProblem(problem),
      problem.start,
      problem.end,
    );
  }
  const types = new Map<Selection, Type>();
  for (const selection of read.selections) types.set(selection, follow(selection, view, say));
  if ([...types.values()].some(type => type.is === 'wrong')) return WRONG;
  return read.is === 'path' ? types.get(read.selections[0])! : typeOfProgram(expression.code, read, types, say);
}

type Say = (what: Words, start: number, end: number) => Type;

function follow(selection: Selection, view: View, say: Say): Type {
  const [root, ...path] = selection.segments;
  const [name, ...rest] = path;
  const at = (segment: Segment, what: Words): Type => say(what, segment.start, segment.end);
  if (view.before !== undefined && root.name !== 'params' && (ROOTS as readonly string[]).includes(root.name))
    return say(
      words.notKnownYet(view.before, selection.segments.map(segment => segment.name).join('.')),
      root.start,
      selection.end,
    );
  if (root.name === 'each') {
    if (view.each === undefined) return at(root, words.noEach(view.step));
    return descend(view.each, path, [root.name], say);
  }
  if (root.name === 'take') return at(root, words.notYet('take'));
  if (!(ROOTS as readonly string[]).includes(root.name))
    return at(
      root,
      words.unknownRoot(root.name, nearest(root.name, ROOTS), view.steps.has(root.name), view.params.has(root.name)),
    );
  if (name === undefined) return at(root, words.bareRoot(root.name));
  switch (root.name) {
    case 'params': {
      const type = view.params.get(name.name);
      if (!type)
        return at(name, words.unknownParam(name.name, nearest(name.name, view.params.keys()), [...view.params.keys()]));
      return descend(type, rest, ['params', name.name], say);
    }
    case 'matrix': {
      if (view.matrix === undefined) return at(root, words.noMatrix(view.step));
      const type = view.matrix.get(name.name);
      if (!type)
        return at(
          name,
          words.unknownAxis(name.name, view.step, nearest(name.name, view.matrix.keys()), [...view.matrix.keys()]),
        );
      return descend(type, rest, ['matrix', name.name], say);
    }
    case 'env':
      if (!view.env.has(name.name)) return at(name, words.unknownVariable(name.name, nearest(name.name, view.env)));
      return descend(TEXT, rest, ['env', name.name], say);
    case 'run':
      if (name.name !== 'id' && name.name !== 'name') return at(name, words.unknownRunField(name.name));
      return descend(TEXT, rest, ['run', name.name], say);
    default: {
      if (name.name === view.step) return at(name, words.selfReference(view.step));
      const step = view.steps.get(name.name);
      if (!step) return at(name, words.unknownStep(view.step, name.name, nearest(name.name, view.steps.keys())));
      if (step.coordinates.length === 0 || step.result.is === 'wrong')
        return descend(step.result, rest, ['steps', name.name], say);
      const [field] = rest;
      if (field) return at(field, words.fieldOfFanOut(name.name, field.name, step.coordinates));
      return list(step.result);
    }
  }
}

function descend(type: Type, path: readonly Segment[], walked: readonly string[], say: Say): Type {
  for (const segment of path) {
    const before = walked.join('.');
    walked = [...walked, segment.name];
    if (type.is === 'any' || type.is === 'wrong') return type;
    if (type.is === 'map') type = type.of;
    else if (type.is === 'record') {
      const field = type.fields.get(segment.name);
      if (!field) return say(unknownField(segment.name, before, type), segment.start, segment.end);
      type = field;
    } else return say(words.noFields(before, type, segment.name), segment.start, segment.end);
  }
  return type;
}

const unknownField = (name: string, of: string, type: RecordType): Words =>
  words.unknownField(name, of, type.called, nearest(name, type.fields.keys()), [...type.fields.keys()]);

function typeOfProgram(
  code: string,
  read: Extract<Code, { is: 'program' }>,
  types: ReadonlyMap<Selection, Type>,
  say: Say,
): Type {
  const checked = checkRemainder(replaceSelections(code, types));
  if (!checked.valid) {
    // A variable is shorter than the path it stands for: what ends in one ends where the path ends.
    const last = [...types.keys()].find(({ segments, end }) => segments[0].start < checked.end && checked.end <= end);
    return say(words.celProblem(checked.code, checked.summary, nearFields), checked.start, last?.end ?? checked.end);
  }
  if (NOT_JSON.test(checked.type)) return say(words.notJsonType(checked.type), 0, code.length);
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

function replaceSelections(code: string, types: ReadonlyMap<Selection, Type>): string {
  let replaced = '';
  let from = 0;
  for (const [selection, type] of [...types].sort(([a], [b]) => a.segments[0].start - b.segments[0].start)) {
    const start = selection.probed ? code.lastIndexOf('has', selection.segments[0].start) : selection.segments[0].start;
    const variable = variableOf(selection.probed ? 'bool' : toCel(type));
    replaced += code.slice(from, start) + variable.padEnd(selection.end - start);
    from = selection.end;
  }
  return replaced + code.slice(from);
}

type Checked =
  | { readonly valid: true; readonly type: string }
  | {
      readonly valid: false;
      readonly code: string;
      readonly summary: string;
      readonly start: number;
      readonly end: number;
    };

let checker: Environment | undefined;
const variables = new Map<string, string>();
const checkedBefore = new Map<string, Checked>();

function checkRemainder(code: string): Checked {
  let checked = checkedBefore.get(code);
  if (!checked) {
    const { valid, type, error } = checkerEnvironment().check(code);
    checked =
      valid || !error
        ? { valid: true, type: type ?? 'dyn' }
        : {
            valid: false,
            code: error.code,
            summary: error.summary,
            start: error.range?.start ?? 0,
            end: error.range?.end ?? code.length,
          };
    if (checkedBefore.size >= 20_000) checkedBefore.clear();
    checkedBefore.set(code, checked);
  }
  return checked;
}

function checkerEnvironment(): Environment {
  if (checker) return checker;
  checker = newEnvironment(false);
  for (const record of recordTypes())
    checker.registerType({
      name: record.cel,
      schema: Object.fromEntries([...record.fields].map(([name, type]) => [name, toCel(type)])),
    });
  return checker;
}

/** Innermost first: a record may only speak of those before it. */
function recordTypes(): RecordType[] {
  const result = mediaResult('media');
  const command = commandResult([['a', undefined]]);
  const file = field(field(command, 'files'), 'a');
  return [field(result, 'media'), result, file, command];
}
function field(of: RecordType, name: string): RecordType {
  const type = of.fields.get(name);
  if (type?.is !== 'record') throw new Error(`${of.called} has no record called ${name}`);
  return type;
}

function nearFields(name: string): string | undefined {
  return nearest(name, new Set(recordTypes().flatMap(record => [...record.fields.keys()])));
}

function variableOf(type: string): string {
  let variable = variables.get(type);
  if (variable === undefined) {
    variable = `v${variables.size.toString(36)}`;
    variables.set(type, variable);
    checkerEnvironment().registerVariable(variable, type);
  }
  return variable;
}

function toCel(type: Type): string {
  switch (type.is) {
    case 'text':
      return 'string';
    case 'any':
    case 'wrong':
    case 'null':
      return 'dyn';
    case 'list':
      return `list<${toCel(type.of)}>`;
    case 'map':
      return `map<string, ${toCel(type.of)}>`;
    case 'record':
      return type.cel === 'Files' ? 'map<string, CommandFile>' : type.cel;
    default:
      return type.is;
  }
}

function fromCel(type: string): Type {
  const item = /^list<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return list(fromCel(item));
  switch (type) {
    case 'string':
      return TEXT;
    case 'int':
      return INT;
    case 'double':
      return DOUBLE;
    case 'bool':
      return BOOL;
    case 'list':
      return list(ANY);
    case 'null':
      return { is: 'null' };
    default:
      return (
        recordTypes().find(record => record.cel === type) ?? (type.startsWith('map') ? { is: 'map', of: ANY } : ANY)
      );
  }
}
