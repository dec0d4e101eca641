/** A value of the file with its expressions replaced by what they give; an expression that cannot be evaluated yet becomes `$pending`. */
import type { Span } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ExpressionValue, MapValue, Scope, TextValue, Value } from '../domain/pipeline.ts';
import { pending } from '../domain/plan.ts';
import { evaluate } from '../language/evaluate.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { countedResult, shownResult } from './redaction.ts';
import type { Inputs } from './step-inputs.ts';
import { takeOf } from './takes.ts';
import { readsOf } from './value-reads.ts';

export interface Problem {
  /** Field of the request, where it is one. */
  readonly path?: string;
  readonly message: string;
  readonly at: Span;
  /** What tools know it by, where that says more than "the request is wrong". */
  readonly code?: string;
}

export class PartialEvaluator {
  readonly #scope: Scope;
  readonly #waiting: (value: Value) => boolean;
  readonly problems: Problem[] = [];

  constructor(
    { params, data }: Pick<PlanGraph, 'params' | 'data'>,
    { matrix, coordinates, unknown = NONE }: Pick<Slot, 'matrix' | 'coordinates' | 'unknown'>,
    inputs: Inputs,
    world: { readonly env: JsonObject; readonly run: JsonObject },
  ) {
    const steps: Record<string, Json> = {};
    for (const [name, input] of inputs.steps) if (input.is === 'ready') steps[name] = input.value;
    const each = inputs.each?.is === 'ready' ? inputs.each.value : null;
    const previous = inputs.previous?.is === 'ready' ? inputs.previous.value : {};
    const take = takeOf(coordinates);
    this.#scope = { params, data, steps, matrix, each, previous, take, run: world.run, env: world.env };
    this.#waiting = value => isWaiting(value, inputs, unknown);
  }

  evaluate(value: Value): Json {
    switch (value.is) {
      case 'literal':
        return value.value;
      case 'list':
        return value.items.map(item => this.evaluate(item));
      case 'map':
        return this.evaluateMap(value);
      case 'text':
        return this.#waiting(value) ? pending(this.#sketch(value)) : this.#now(value);
      case 'expression':
        return this.#waiting(value) ? pending(value.code) : this.#now(value);
    }
  }

  /** The same for a reader: `$NAME` in the place of what a secret holds. */
  redact(value: Value): Json {
    switch (value.is) {
      case 'literal':
        return value.value;
      case 'list':
        return value.items.map(item => this.redact(item));
      case 'map':
        return Object.fromEntries(value.entries.map(({ name, value: inner }) => [name, this.redact(inner)]));
      case 'text':
        return this.#waiting(value) ? pending(this.#sketch(value)) : this.#sketch(value);
      case 'expression':
        return this.#waiting(value) ? pending(value.code) : this.#shown(value);
    }
  }

  /** A request as it is shown: only what reads a secret differs from what is sent. */
  redactFields(request: JsonObject, map: MapValue): JsonObject {
    return inPlaceOfSecrets(request, map, value => this.redact(value));
  }

  /** The same as a fingerprint counts it: a secret by its name. Asked where nothing is missing any more. */
  count(value: Value): Json {
    if (!readsOf(value).secret) return this.evaluate(value);
    switch (value.is) {
      case 'literal':
        return value.value;
      case 'list':
        return value.items.map(item => this.count(item));
      case 'map':
        return Object.fromEntries(value.entries.map(({ name, value: inner }) => [name, this.count(inner)]));
      case 'text':
        return value.parts.map(part => (typeof part === 'string' ? part : textOf(this.#counted(part)))).join('');
      case 'expression':
        return this.#counted(value);
    }
  }

  /** A request as its fingerprint counts it. */
  countFields(request: JsonObject, map: MapValue): JsonObject {
    return inPlaceOfSecrets(request, map, value => this.count(value));
  }

  evaluateMap(map: MapValue): JsonObject {
    const filled: Record<string, Json> = {};
    for (const { name, value } of map.entries) {
      // A field called `__proto__` must become a field, not a prototype.
      Object.defineProperty(filled, name, {
        value: this.evaluate(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return filled;
  }

  #now(value: ExpressionValue | TextValue): Json {
    const answer = evaluate(value, this.#scope);
    if (answer.is === 'ok') return answer.value;
    this.problems.push({ message: answer.message, at: answer.at });
    return null;
  }

  #shown(expression: ExpressionValue): Json {
    return shownResult(expression, this.#now(expression), this.#scope);
  }

  #counted(expression: ExpressionValue): Json {
    return countedResult(expression, this.#now(expression), this.#scope);
  }

  /** `relit in ‹steps.mood.json.palette›, wide shot` */
  #sketch(text: TextValue): string {
    return text.parts
      .map(part => {
        if (typeof part === 'string') return part;
        return this.#waiting(part) ? `‹${part.code}›` : String(this.#shown(part));
      })
      .join('');
  }
}

function inPlaceOfSecrets(request: JsonObject, { entries }: MapValue, of: (value: Value) => Json): JsonObject {
  const hidden = entries.filter(({ value }) => readsOf(value).secret);
  if (hidden.length === 0) return request;
  return { ...request, ...Object.fromEntries(hidden.map(({ name, value }) => [name, of(value)])) };
}

const textOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const NONE: ReadonlySet<string> = new Set();

/** `unknown`: axes whose values are not known yet. */
export function isWaiting(value: Value, inputs: Inputs, unknown: ReadonlySet<string> = NONE): boolean {
  const reads = readsOf(value);
  if (unknown.size > 0) for (const axis of reads.matrix) if (unknown.has(axis)) return true;
  if (reads.each && inputs.each?.is !== 'ready') return true;
  if (reads.previous && inputs.previous?.is === 'waiting') return true;
  for (const name of reads.steps) if (inputs.steps.get(name)?.is !== 'ready') return true;
  return false;
}
