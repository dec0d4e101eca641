/**
 * One expression → its value in a scope. Everything it reads must be in the scope, as own properties only, so that no expression
 * reaches a prototype.
 */
import type { Span } from '../../model/diagnostic.ts';
import type { ExpressionValue, Reference, Scope } from '../../model/pipeline.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { type Cel, type Origin, type ToJson, toJson } from '../expression/cel-value.ts';
import { BUDGET, Budget, BudgetSpent } from '../expression/evaluation-limit.ts';
import { interpret, type NOT_KNOWN, type World } from '../expression/interpret.ts';
import { Failed, type Path, pathOf, Unknown } from '../expression/outcome.ts';
import type { Binary, Expr, Place } from '../expression/tree.ts';
import { messages } from '../messages/index.ts';
import { readCode } from './cel.ts';

/**
 * Divisions between numbers with fractions by their type. JSON writes such a number without a point where it happens to be whole, so
 * a column of 2.5 and 3 would be halved to 1.25 and 1. What is divided is noted when an expression is typed, and asked when it is
 * evaluated; what has no known type is divided as it looks.
 */
const noted = new WeakMap<ExpressionValue, Set<Binary>>();

export function noteRealDivision(expression: ExpressionValue, division: Binary): void {
  const divisions = noted.get(expression);
  if (divisions) divisions.add(division);
  else noted.set(expression, new Set([division]));
}

const dividesReals = (expression: ExpressionValue, division: Binary): boolean =>
  noted.get(expression)?.has(division) === true;

export type Evaluated =
  | { readonly is: 'ok'; readonly value: Json }
  | {
      readonly is: 'error';
      readonly message: string;
      readonly at: Span;
      /** Where the reason is that something read is not there: what. A step that was skipped leaves nothing. */
      readonly absent?: Path;
    };

export const failedAt = (at: Span, message: string, absent?: Path): Evaluated => ({
  is: 'error',
  message,
  at,
  ...(absent ? { absent } : {}),
});

/** Never throws, whatever the expression and the scope hold. */
export function evaluateExpression(expression: ExpressionValue, scope: Scope): Evaluated {
  const read = readCode(expression.code);
  switch (read.is) {
    case 'broken':
      return failedAt(
        placeOf(expression, read.problem),
        messages.wentWrong(expression.code, messages.codeProblem(read.problem).message),
      );
    case 'path': {
      const path = pathOf(read.selections[0].segments);
      const found = lookUp(path, scope);
      if (found === undefined) return failedAt(expression.at, messages.missingValue(expression.code), path);
      return { is: 'ok', value: found };
    }
    case 'program':
      return evaluateProgram(expression, read.tree, scope);
  }
}

interface Remembered {
  readonly read: readonly Json[];
  readonly answer: Evaluated;
}

const remembered = new WeakMap<ExpressionValue, Remembered>();

/**
 * The last answer is kept with what it was computed from: two thousand instances that join the same two thousand addresses
 * join them once.
 */
function evaluateProgram(expression: ExpressionValue, tree: Expr, scope: Scope): Evaluated {
  const run = (): Evaluated => {
    const answer = answerOf(
      expression,
      tree,
      worldOf(expression, path => lookUp(path, scope)),
    );
    // Nothing is unknown in a whole scope.
    if (answer.is === 'unknown') throw new Error(`${expression.code} waits for what a whole scope holds`);
    return answer;
  };
  const read = expression.reads.map(({ root, path }) => lookUp([root, ...path], scope));
  if (!read.every(value => value !== undefined)) return run();
  const before = remembered.get(expression);
  if (before && read.every((value, index) => value === before.read[index])) return before.answer;
  const answer = run();
  remembered.set(expression, { read, answer });
  return answer;
}

/** What a tree comes to, with what went wrong at its place in the file. */
export function answerOf(
  expression: ExpressionValue,
  tree: Expr,
  world: World,
): Evaluated | { readonly is: 'unknown'; readonly needs: readonly Path[] } {
  const budget = new Budget();
  const outcome = interpret(tree, expression.code, world, budget);
  if (outcome instanceof Unknown) return { is: 'unknown', needs: outcome.needs };
  if (outcome instanceof Failed) return failed(expression, outcome);
  const given = jsonOf(outcome, budget);
  if (given instanceof Failed) return failed(expression, given);
  switch (given.is) {
    case 'json':
      return { is: 'ok', value: given.json };
    case 'inexact':
      return failedAt(expression.at, messages.tooBigResult(expression.code));
    case 'no-json':
      return failedAt(expression.at, messages.notJson(expression.code));
  }
}

function jsonOf(value: Cel, budget: Budget): ToJson | Failed {
  try {
    return toJson(value, budget);
  } catch (error) {
    if (error instanceof BudgetSpent) return new Failed(messages.budgetSpent(error.spent, BUDGET[error.spent]), WHOLE);
    throw error;
  }
}

const WHOLE: Place = { start: 0, end: Number.POSITIVE_INFINITY };

function failed(expression: ExpressionValue, { message, absent, namesIt, ...place }: Failed): Evaluated {
  const shownMessage = namesIt ? message : messages.wentWrong(expression.code.slice(place.start, place.end), message);
  return failedAt(placeOf(expression, place), shownMessage, typeof absent === 'object' ? absent : undefined);
}

/** A part of the code in the file; the whole scalar where escapes or folding hide it. */
function placeOf({ at, code, codeAt }: ExpressionValue, { start, end }: Place): Span {
  if (codeAt === undefined || (start === 0 && end >= code.length)) return at;
  return { start: codeAt.start + start, end: codeAt.start + Math.min(end, code.length) };
}

export function worldOf(
  expression: ExpressionValue,
  read: (path: Path) => Json | undefined | typeof NOT_KNOWN,
  { lengthOf, isWhole }: Pick<World, 'lengthOf' | 'isWhole'> = {},
): World {
  const reals = expression.reads.filter(({ real }) => real === true);
  return {
    read,
    originOf: path => (reals.some(real => isAt(real, path)) ? 'real' : originOf(path)),
    dividesReals: division => dividesReals(expression, division),
    ...(lengthOf && { lengthOf }),
    ...(isWhole && { isWhole }),
  };
}

const isAt = ({ root, path: names }: Reference, [first, ...rest]: Path): boolean =>
  root === first && names.every((name, index) => rest[index] === name);

/** Roots under which the results of steps stand. */
const RESULTS = new Set(['steps', 'each', 'previous', 'this', 'candidate']);

function originOf([root, ...rest]: Path): Origin {
  if (!RESULTS.has(root)) return 'plain';
  // What a model or a command wrote is its own affair; a step may be called `json`.
  return rest.includes('json', root === 'steps' ? 1 : 0) ? 'plain' : 'result';
}

/** Undefined where there is nothing. */
export function lookUp(path: Path, scope: Scope): Json | undefined {
  const [root] = path;
  let value: Json | undefined = Object.hasOwn(scope, root) ? scope[root as keyof Scope] : undefined;
  for (let at = 1; at < path.length; at++) {
    const part = path[at]!;
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (typeof part === 'number'))
      return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as JsonObject)[part];
  }
  return value;
}
