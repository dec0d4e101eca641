/**
 * Evaluates the values of the file in a scope. Everything an expression reads must be in the scope, as own properties only,
 * so that no expression reaches a prototype.
 */
import { TypeError as CelTypeError, EvaluationError, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import type { Span } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { type ExpressionValue, type Reference, ROOTS, type Scope, type Value } from '../domain/pipeline.ts';
import { newEnvironment, readCode } from './cel.ts';
import { messages } from './messages/index.ts';

export type Evaluated =
  | { readonly is: 'ok'; readonly value: Json }
  | { readonly is: 'error'; readonly message: string; readonly at: Span };

/** Longer texts are a mistake, or an attack on this machine's memory. */
const MAX_TEXT = 1_000_000;

/** Never throws for what the file or the scope says. */
export function evaluate(value: Value, scope: Scope): Evaluated {
  switch (value.is) {
    case 'literal':
      return ok(value.value);
    case 'expression':
      return evaluateExpression(value, scope);
    case 'text': {
      let text = '';
      for (const part of value.parts) {
        if (typeof part === 'string') text += part;
        else {
          const result = evaluateExpression(part, scope);
          if (result.is === 'error') return result;
          if (typeof result.value === 'object')
            return failed(
              part,
              messages.notScalar(
                part.code,
                result.value === null ? 'nothing' : Array.isArray(result.value) ? 'a list' : 'a mapping',
              ),
            );
          text += String(result.value);
        }
        if (text.length > MAX_TEXT) return { is: 'error', message: messages.textTooBig(MAX_TEXT), at: value.at };
      }
      return ok(text);
    }
    case 'list': {
      const items: Json[] = [];
      for (const item of value.items) {
        const result = evaluate(item, scope);
        if (result.is === 'error') return result;
        items.push(result.value);
      }
      return ok(items);
    }
    case 'map': {
      const entries: [string, Json][] = [];
      for (const entry of value.entries) {
        const result = evaluate(entry.value, scope);
        if (result.is === 'error') return result;
        entries.push([entry.name, result.value]);
      }
      return ok(Object.fromEntries(entries));
    }
  }
}

const ok = (value: Json): Evaluated => ({ is: 'ok', value });
const failed = (expression: ExpressionValue, message: string): Evaluated => ({
  is: 'error',
  message,
  at: expression.at,
});

function evaluateExpression(expression: ExpressionValue, scope: Scope): Evaluated {
  const read = readCode(expression.code);
  if (read.is === 'broken')
    return failed(expression, messages.wentWrong(expression.code, messages.codeProblem(read.problem).message));
  if (read.is === 'path') {
    const [reference] = expression.reads;
    const found = reference && lookUp(reference, scope);
    if (found === undefined) return failed(expression, messages.missingValue(expression.code));
    return ok(found);
  }
  return evaluateProgram(expression, scope);
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
function evaluateProgram(expression: ExpressionValue, scope: Scope): Evaluated {
  const read = expression.reads.map(reference => lookUp(reference, scope));
  if (!read.every(value => value !== undefined)) return runProgram(expression, scope);
  const before = remembered.get(expression);
  if (before && read.every((value, index) => value === before.read[index])) return before.answer;
  const answer = runProgram(expression, scope);
  remembered.set(expression, { read, answer });
  return answer;
}

const programs = new Map<string, ParseResult>();
let environment: ReturnType<typeof newEnvironment> | undefined;

function program(code: string): ParseResult {
  let parsed = programs.get(code);
  if (!parsed) {
    environment ??= newEnvironment(true);
    parsed = environment.parse(code);
    if (programs.size >= 20_000) programs.clear();
    programs.set(code, parsed);
  }
  return parsed;
}

function runProgram(expression: ExpressionValue, scope: Scope): Evaluated {
  try {
    const result: unknown = program(expression.code)(context(expression.reads, scope));
    const json = toJson(result);
    if (json === undefined) return failed(expression, messages.notJson(expression.code));
    return json === INEXACT ? failed(expression, messages.tooBigResult(expression.code)) : ok(json);
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof ParseError || error instanceof CelTypeError) {
      const missing = error.code === 'no_such_key' && expression.reads.find(read => lookUp(read, scope) === undefined);
      if (missing) return failed(expression, messages.missingValue([missing.root, ...missing.path].join('.')));
      return failed(expression, messages.wentWrong(expression.code, error.summary));
    }
    // JavaScript throws this for a text that is too long and for a division of whole numbers by zero.
    if (error instanceof RangeError) return failed(expression, messages.wentWrong(expression.code, error.message));
    throw error;
  }
}

function lookUp({ root, path }: Reference, scope: Scope): Json | undefined {
  let value: Json | undefined = scope[root];
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Only what is read is converted: a scope may hold the results of ten thousand instances. */
function context(reads: readonly Reference[], scope: Scope): Record<string, unknown> {
  const root: Record<string, unknown> = Object.fromEntries(ROOTS.map(name => [name, {}]));
  // Shortest first: `each` brings all of it, `each.media` then has nothing to add.
  for (const read of [...reads].sort((a, b) => a.path.length - b.path.length)) {
    const { reference, value } = nearestKnown(read, scope);
    const name = isResult(read) ? reference.path.at(-1) : undefined;
    if (value !== undefined) place(root, [read.root, ...reference.path], toCel(value, read.real === true, name));
  }
  return root;
}

/** Of a path that leads nowhere, the part that exists: `has(…)` asks that part, and CEL's complaint is about the right name. */
function nearestKnown(read: Reference, scope: Scope): { reference: Reference; value: Json | undefined } {
  const value = lookUp(read, scope);
  if (value !== undefined || read.path.length <= 1) return { reference: read, value };
  return nearestKnown({ ...read, path: read.path.slice(0, -1) }, scope);
}

function place(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined || name === '__proto__') return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = Object.hasOwn(into, name) ? into[name] : undefined;
  // Converted values are shared between evaluations: a copy is extended, never the original.
  const copy = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {};
  into[name] = copy;
  place(copy, rest, value);
}

/** Facts that are numbers with fractions even when they happen to be whole (domain/media.ts, domain/result.ts). */
const isResult = ({ root }: Reference): boolean => root === 'steps' || root === 'each' || root === 'previous';
const REAL_FACTS = new Set(['duration', 'fps', 'cost']);
const converted = new WeakMap<object, unknown>();

function toCel(value: Json, real: boolean, name: string | undefined): unknown {
  if (typeof value === 'number') {
    const fraction = real || !Number.isSafeInteger(value) || (name !== undefined && REAL_FACTS.has(name));
    return fraction ? value : BigInt(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  const known = real ? undefined : converted.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value)
    ? (value as readonly Json[]).map(item => toCel(item, real, undefined))
    : Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, toCel(item, real, key)]));
  if (!real) converted.set(value, made);
  return made;
}

const INEXACT = Symbol('inexact');

function toJson(value: unknown): Json | undefined | typeof INEXACT {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : INEXACT;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value as readonly unknown[]) {
      const json = toJson(item);
      if (json === undefined || json === INEXACT) return json;
      items.push(json);
    }
    return items;
  }
  if (typeof value !== 'object' || (value.constructor !== Object && Object.getPrototypeOf(value) !== null))
    return undefined;
  const entries: [string, Json][] = [];
  for (const [name, item] of Object.entries(value)) {
    const json = toJson(item);
    if (json === undefined || json === INEXACT) return json;
    entries.push([name, json]);
  }
  return Object.fromEntries(entries);
}
