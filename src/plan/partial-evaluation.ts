/** A value of the file with its expressions replaced by what they give; an expression that cannot be evaluated yet becomes `$pending`. */
import type { Span } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { ExpressionValue, MapValue, Scope, TextValue, Value } from '../domain/pipeline.ts';
import { pending } from '../domain/plan.ts';
import { evaluate } from '../language/evaluate.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { shownResult } from './redaction.ts';
import type { Inputs } from './step-inputs.ts';
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
    { params }: Pick<PlanGraph, 'params'>,
    { matrix }: Pick<Slot, 'matrix'>,
    inputs: Inputs,
    world: { readonly env: JsonObject; readonly run: JsonObject },
  ) {
    const steps: Record<string, Json> = {};
    for (const [name, input] of inputs.steps) if (input.is === 'ready') steps[name] = input.value;
    const each = inputs.each?.is === 'ready' ? inputs.each.value : null;
    this.#scope = { params, steps, matrix, each, run: world.run, env: world.env };
    this.#waiting = value => isWaiting(value, inputs);
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

  /** The same for a reader: `$NAME` in the place of what a variable of the environment holds. */
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

  /** A request as it is shown: only what reads a variable differs from what is sent. */
  redactFields(request: JsonObject, { entries }: MapValue): JsonObject {
    const hidden = entries.filter(({ value }) => readsOf(value).env.size > 0);
    if (hidden.length === 0) return request;
    return { ...request, ...Object.fromEntries(hidden.map(({ name, value }) => [name, this.redact(value)])) };
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
    const given = this.#now(expression);
    return expression.reads.some(({ root }) => root === 'env') ? shownResult(expression, given, this.#scope) : given;
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

export function isWaiting(value: Value, inputs: Inputs): boolean {
  const reads = readsOf(value);
  if (reads.each && inputs.each?.is !== 'ready') return true;
  for (const name of reads.steps) if (inputs.steps.get(name)?.is !== 'ready') return true;
  return false;
}
