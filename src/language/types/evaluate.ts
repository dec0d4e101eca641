/** Evaluates the values of the file in a scope. */

import type { Scope, TextValue, Value } from '../../model/pipeline.ts';
import type { Json } from '../../model/text/json.ts';
import { messages } from '../messages/index.ts';
import { type Evaluated, evaluateExpression, failedAt } from './evaluate-expression.ts';

export type { Evaluated };

/** Never throws, whatever the file and the scope hold. */
export const evaluate = (value: Value, scope: Scope): Evaluated =>
  evaluateWith(value, expression => evaluateExpression(expression, scope));

/** Longer texts are a mistake, or an attack on this machine's memory. */
const MAX_TEXT = 1_000_000;

type Expressions<Other> = (expression: Extract<Value, { is: 'expression' }>) => Evaluated | Other;

/** Evaluates each expression by the given function; the first without a value ends it. */
export function evaluateWith<Other extends { readonly is: string } = never>(
  value: Value,
  evaluated: Expressions<Other>,
): Evaluated | Other {
  switch (value.is) {
    case 'literal':
      return ok(value.value);
    case 'expression':
      return evaluated(value);
    case 'text':
      return evaluateText(value, evaluated);
    case 'list': {
      const items: Json[] = [];
      for (const item of value.items) {
        const result = evaluateWith(item, evaluated);
        if (!isOk(result)) return result;
        items.push(result.value);
      }
      return ok(items);
    }
    case 'map': {
      const entries: [string, Json][] = [];
      for (const entry of value.entries) {
        const result = evaluateWith(entry.value, evaluated);
        if (!isOk(result)) return result;
        entries.push([entry.name, result.value]);
      }
      return ok(Object.fromEntries(entries));
    }
  }
}

function evaluateText<Other extends { readonly is: string }>(
  { parts, at }: TextValue,
  evaluated: Expressions<Other>,
): Evaluated | Other {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      const result = evaluated(part);
      if (!isOk(result)) return result;
      if (typeof result.value === 'object') return failedAt(part.at, notScalar(part.code, result.value));
      text += String(result.value);
    }
    if (text.length > MAX_TEXT) return failedAt(at, messages.textTooBig(MAX_TEXT));
  }
  return ok(text);
}

const notScalar = (code: string, value: Json): string =>
  messages.notScalar(code, value === null ? 'nothing' : Array.isArray(value) ? 'a list' : 'a mapping');

const ok = (value: Json): Evaluated & { readonly is: 'ok' } => ({ is: 'ok', value });

const isOk = (answer: { readonly is: string }): answer is Extract<Evaluated, { is: 'ok' }> => answer.is === 'ok';
