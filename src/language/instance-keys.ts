/** What tells the instances of a step apart beside its axes: the take, and the key in the place of a row's number. */
import type { Axis, ExpressionValue, FanOut, Value } from '../domain/pipeline.ts';
import type { Findings } from './findings.ts';
import { typeOf } from './infer.ts';
import { messages } from './messages/index.ts';
import { withoutQuotes } from './messages/wording.ts';
import type { TypeScope } from './path-types.ts';
import type { Entry } from './syntax-tree.ts';
import type { Type } from './types.ts';
import { type ReadContext, readValue } from './values.ts';

/** `takes: 3` or `max: 12`, or an expression that is known before the run. */
export function readCount(
  { name, value: node }: Entry,
  context: ReadContext,
  scope: TypeScope,
  findings: Findings,
): Value | undefined {
  const value = readValue(node, context);
  if (value.is === 'literal' && typeof value.value === 'number') return value;
  if (value.is !== 'expression') {
    findings.add(messages.countShape(name, withoutQuotes(value.is === 'literal' ? value.value : undefined)), node.at);
    return undefined;
  }
  const type = typeOf(value, { ...scope, before: { where: `\`${name}\``, roots: ['params', 'data'] } }, findings);
  if (!isOneOf(type, ['int', 'any', 'wrong'])) findings.add(messages.countNotNumber(name, type), value.at);
  return value;
}

/** An expression over the one axis whose rows it names. */
export function readKey(
  { value: node }: Entry,
  axes: readonly Axis[],
  context: ReadContext,
  scope: TypeScope,
  findings: Findings,
): FanOut['key'] {
  const value = readValue(node, context);
  const expressions = value.is === 'text' ? value.parts.filter(isExpression) : value.is === 'expression' ? [value] : [];
  const before = { where: '`key`', roots: ['params', 'data', 'matrix'] } as const;
  const types = expressions.map(expression => typeOf(expression, { ...scope, before }, findings));
  if (types.some(type => type.is === 'wrong')) return undefined;
  const read = new Set(
    expressions.flatMap(({ reads }) => reads.flatMap(({ root, path }) => (root === 'matrix' ? [path[0]] : []))),
  );
  const own = axes.filter(({ name }) => read.has(name));
  const [axis] = own;
  if (!axis || own.length > 1) {
    findings.add(messages.keyOfAxis(axes.map(({ name }) => name)), node.at);
    return undefined;
  }
  const unfit = types.find(type => !isOneOf(type, ['text', 'int', 'bool', 'double', 'any']));
  if (unfit) findings.add(messages.keyNotScalar(unfit), value.at);
  return { axis: axis.name, value };
}

const isExpression = (part: string | ExpressionValue): part is ExpressionValue => typeof part !== 'string';

const isOneOf = (type: Type, kinds: readonly Type['is'][]): boolean => kinds.includes(type.is);
