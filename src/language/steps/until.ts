/** `until`: what a round must be, how many there may be, and what is taken where none is so. */
import { fieldOf, type ModelLibrary } from '../../model/model.ts';
import type { ExpressionValue, Reference, Step, Until, Value } from '../../model/pipeline.ts';
import type { Offer } from '../checks/file-offer.ts';
import type { BodyContext } from '../kinds/kind.ts';
import { messages } from '../messages/index.ts';
import { typeOf } from '../types/infer.ts';
import type { TypeScope } from '../types/path-types.ts';
import type { Type } from '../types/types.ts';
import { readValue, valueExpressions, valueReads } from '../types/values.ts';
import { child, type Entry, type MapNode } from '../yaml/syntax-tree.ts';
import { MOST_ROUNDS } from './instance-counts.ts';

/** @param result what one round gives. */
export function readUntil({ nameAt, value: node }: Entry, result: Type, context: BodyContext): Until | undefined {
  if (node.is !== 'map') return undefined;
  const { findings, scope } = context;
  if (scope.coordinates.includes('round')) findings.add(messages.roundTaken(), nameAt);
  const asked = { ...scope, this: result };
  const holds = readHolds(node, asked, context);
  const max = readMost(node, context);
  const otherwise = readOtherwise(node, asked, context);
  if (!holds || !max || otherwise === 'wrong') return undefined;
  return { at: nameAt, holds, max, ...(otherwise !== undefined && { otherwise }) };
}

function readHolds(node: MapNode, scope: TypeScope, context: BodyContext): ExpressionValue | undefined {
  const holds = child(node, 'holds');
  if (!holds) return undefined;
  const value = readValue(holds, context);
  if (value.is !== 'expression') return void context.findings.add(messages.holdsShape(), holds.at);
  const type = typeOf(value, scope, context.findings);
  if (!['bool', 'any', 'wrong'].includes(type.is)) context.findings.add(messages.holdsType(type), value.at);
  else if (type.is !== 'wrong' && !value.reads.some(({ root }) => root === 'this'))
    context.findings.add(messages.holdsWithoutThis(), value.at);
  return type.is === 'wrong' ? undefined : value;
}

function readMost(node: MapNode, { findings, ...context }: BodyContext): Value | undefined {
  const most = child(node, 'max');
  if (!most) return undefined;
  const value = readValue(most, { findings, ...context });
  if (value.is === 'literal' && typeof value.value === 'number') {
    if (value.value > MOST_ROUNDS) findings.add(messages.tooManyRounds(value.value, MOST_ROUNDS), value.at);
    return value;
  }
  if (value.is !== 'expression') return void findings.add(messages.roundsShape(), most.at);
  const before = { where: '`max` of `until`', roots: ['params', 'data'] } as const;
  const type = typeOf(value, { ...context.scope, before }, findings);
  if (!['int', 'any', 'wrong'].includes(type.is)) findings.add(messages.roundsNotNumber(type), value.at);
  return value;
}

function readOtherwise(
  node: MapNode,
  scope: TypeScope,
  context: BodyContext,
): Exclude<Until['otherwise'], undefined> | undefined | 'wrong' {
  const otherwise = child(node, 'otherwise');
  if (!otherwise) return undefined;
  const value = readValue(otherwise, context);
  if (value.is === 'literal' && value.value === 'last') return 'last';
  if (value.is !== 'expression') {
    context.findings.add(messages.otherwiseShape(), otherwise.at);
    return 'wrong';
  }
  const type = typeOf(value, scope, context.findings);
  if (type.is === 'wrong') return 'wrong';
  if (!['int', 'double', 'any'].includes(type.is)) context.findings.add(messages.otherwiseType(type), value.at);
  return value;
}

/**
 * A round that asks for just the same is the same result, and no other one. Undefined where rounds differ, or where that is not certain:
 * by what they read of the round before, by a seed, or because nothing is taken from the cache.
 */
export function sameEachRound(
  step: Step,
  values: readonly Value[],
  offer: Offer | undefined,
  library: ModelLibrary,
): 'request' | 'command' | 'file' | undefined {
  if (values.some(value => readsAny(value, ({ root }) => root === 'previous'))) return undefined;
  return madeAlike(step, offer, library);
}

/**
 * Whether all rounds from the second one on make the same request: the step asks only whether there is a round before, and reads no value of
 * that round.
 */
export function sameFromSecondRound(step: Step, values: readonly Value[], library: ModelLibrary): boolean {
  const isMore = step.until?.max.is !== 'literal' || Number(step.until.max.value) > 2;
  const expressions = values
    .flatMap(valueExpressions)
    .filter(({ reads }) => reads.some(({ root }) => root === 'previous'));
  if (!isMore || expressions.length === 0 || expressions.some(readsMoreThanPresence)) return false;
  return madeAlike(step, undefined, library) !== undefined;
}

/** Ignores quoted texts and `has(previous.text)`. */
const readsMoreThanPresence = ({ code }: ExpressionValue): boolean =>
  /\bprevious\b/.test(code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '').replace(/\bhas\s*\([^()]*\)/g, ''));

/** What two rounds with equal values have in common; undefined if the rounds differ anyway, or may differ. */
function madeAlike(
  step: Step,
  offer: Offer | undefined,
  library: ModelLibrary,
): 'request' | 'command' | 'file' | undefined {
  if (!step.cache) return undefined;
  if (offer) return offer.steps.some(inner => !inner.cache || hasSeed(inner, library)) ? undefined : 'file';
  if (hasSeed(step, library)) return undefined;
  return 'model' in step ? 'request' : 'command';
}

/**
 * The step of a used file with instances that come from what is made in a round: their number in the second round would be known only
 * behind the first. Undefined where there is none.
 */
export function listInRound(
  offer: Offer,
  given: readonly { readonly name: string; readonly value: Value }[],
): string | undefined {
  const readsRound = new Set(
    given.filter(({ value }) => readsAny(value, ({ root }) => root === 'previous')).map(({ name }) => name),
  );
  const isOfRound = ({ root, path: [name = ''] }: Reference): boolean =>
    root === 'steps' || root === 'each' || (root === 'params' && readsRound.has(name));
  return offer.steps.find(({ fanOut: { matrix, include, exclude } }) =>
    [...matrix.map(axis => axis.values), ...include, ...exclude].some(value => readsAny(value, isOfRound)),
  )?.name;
}

/** True as well where the model is unknown here. */
function hasSeed(step: Step, library: ModelLibrary): boolean {
  if (!('with' in step) || !('model' in step)) return false;
  const labels = [step.model, ...[...(step.byModel?.variants.values() ?? [])].map(({ model }) => model)];
  return labels.some(label => {
    const model = library.get(label);
    return !model || fieldOf(model, 'seed') !== undefined;
  });
}

const readsAny = (value: Value, test: (read: Reference) => boolean): boolean => valueReads(value).some(test);
