/** Operators, functions and loops on what they do not take, found before anything runs. */

import type { Type } from '../types.ts';
import { typeName } from './type-names.ts';
import { and, code, error, or } from './wording.ts';

export const typeMessages = {
  operationTypes: (operator: string, left: Type, right: Type, source: string) =>
    `bad-operation: \`${operator}\` does not work between ${typeName(left)} and ${typeName(right)}; ${
      operator === 'in' && right.is === 'text'
        ? 'for texts there is `text.contains(part)`'
        : operator === '%'
          ? 'give it two whole numbers, with `int(…)` around what is none'
          : operator === '+' && left.is === 'text' && (right.is === 'int' || right.is === 'double')
            ? 'write `string(…)` around the number'
            : operator === '+' && right.is === 'text' && (left.is === 'int' || left.is === 'double')
              ? `write \`string(${source})\``
              : 'convert one of them'
    }`,
  unaryTypes: (operator: string, of: Type) =>
    `bad-operation: \`${operator}\` does not work on ${typeName(of)}; change it`,
  noTruth: (where: '&&' | '?' | 'loop', type: Type) =>
    error(
      'bad-operation',
      where === '?'
        ? `before \`?\` stands what is true or false, but this is ${typeName(type)}; compare it with something`
        : where === 'loop'
          ? `the condition of a loop is true or false, but this is ${typeName(type)}; compare it with something`
          : `\`&&\` and \`||\` join what is true or false, but one side is ${typeName(type)}; compare it with something`,
    ),
  branchTypes: (then: Type, otherwise: Type) =>
    `bad-operation: both sides of \`:\` must give the same, but one is ${typeName(then)} and one ${typeName(otherwise)}; convert one of them`,
  indexType: (given: Type) =>
    `bad-operation: the index of a list is a whole number, but this is ${typeName(given)}; write \`int(…)\` around it`,
  keyType: (given: Type) => `bad-operation: a key is a text, but this is ${typeName(given)}; change it`,
  noParts: (source: string, type: Type) =>
    `bad-operation: \`${source}\` is ${typeName(type)} and has no parts in \`[…]\`; write \`${source}\` alone`,
  /** @param args what stands between the brackets, and before the point. */
  callStyle: (name: string, args: readonly string[], style: 'method' | 'function') => {
    const [first = '', ...rest] = args;
    const meant = style === 'function' ? `${name}(${args.join(', ')})` : `${first}.${name}(${rest.join(', ')})`;
    return `bad-call: \`${name}\` is called as a ${style}; write \`${meant}\``;
  },
  callTypes: (name: string, given: readonly Type[], written: readonly string[]) =>
    `bad-call: \`${name}\` does not take ${given.length === 0 ? 'nothing' : and(given.map(typeName), false)}; ${insteadOf(name, given) ?? `it is written ${or(written.map(code))}`}`,
  callRefused: (said: string) => error('bad-call', said),
  loopType: (loop: string, type: Type) =>
    `bad-call: \`${loop}\` runs through a list or the keys of a mapping, but this is ${typeName(type)}; give it a list`,
  sortKeyType: (type: Type) =>
    `bad-call: \`sortBy\` needs a key that has an order, but this is ${typeName(type)}; give it a text or a number`,
};

/** Where another function or an operator is certainly meant. */
function insteadOf(name: string, [first]: readonly Type[]): string | undefined {
  if (name === 'frame_at' && first) return insteadOfFrame(first);
  if (name === 'contains' && first?.is === 'list') return 'for lists there is `value in list`';
  if (name === 'string' && (first?.is === 'list' || first?.is === 'map' || first?.is === 'record'))
    return 'a list or a mapping becomes a text with `json(value)`';
  return undefined;
}

function insteadOfFrame(of: Type): string | undefined {
  if (of.is === 'record' && of.leadsTo === 'image') return 'a still is its own frame: read its `result_url`';
  if (of.is === 'list') return 'ask one of the list: `each.frame_at(…)`, or `….map(s, s.frame_at(…))` for all of them';
  if (of.is === 'text' && of.leadsTo === 'video')
    return 'the result itself is asked, not its address: `steps.shot.frame_at(…)`';
  return undefined;
}
