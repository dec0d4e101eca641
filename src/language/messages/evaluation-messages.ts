/** Expressions that go wrong when they are evaluated. Without places, which are added where they are shown. */
import { isDerivedField } from '../../model/media/derived-media.ts';
import { formatSeconds } from '../../model/text/format.ts';
import type { TypeName } from '../expression/cel-value.ts';
import type { Spent } from '../expression/evaluation-limit.ts';
import type { Foreign } from '../expression/functions/foreign-functions.ts';
import type { Type } from '../types/types.ts';
import { and, code, error, or, quoted, typeName } from './foreign/wording.ts';

const TYPES: Readonly<Record<TypeName, string>> = {
  null: 'nothing',
  bool: 'true or false',
  int: 'a whole number',
  double: 'a number',
  text: 'a text',
  list: 'a list',
  map: 'a mapping',
};

/** What a video has, and this result has not. */
function whyNoPart(path: string): string {
  const name = path.split('.').at(-1);
  if (name === 'sound') return `: the video has no sound; ask first, \`has(${path}) ? ${path} : …\``;
  return isDerivedField(name) ? ': it is no video that can be read' : '';
}

const round = (seconds: number): number => Math.floor(seconds * 1000) / 1000;

const textOr = (text: string): string => (text === '' ? 'an empty text' : quoted(text));

export const evaluationMessages = {
  missingValue: (path: string) => `\`${path}\` has no value${whyNoPart(path)}`,
  textTooBig: (limit: number) => `the text would be longer than ${limit} characters`,
  notScalar: (source: string, given: string) => `${quoted(source)} gave ${given}, which cannot stand inside a text`,
  notJson: (source: string) =>
    `${quoted(source)} gave a number without end, or none at all (a division by zero?); check what it reads`,
  tooBigResult: (source: string) => `${quoted(source)} gave a whole number too big to be exact`,
  wentWrong: (source: string, reason: string) => `${quoted(source)}: ${reason}`,

  // ---- limits
  budgetSpent: (spent: Spent, limit: number): string => {
    switch (spent) {
      case 'steps':
        return 'this takes too many steps; give it shorter lists or texts, or fewer loops inside loops';
      case 'size':
        return 'this makes more than an expression may hold; give it shorter lists or texts';
      case 'text':
        return `this makes a text of more than ${limit} characters; give it shorter texts`;
      case 'depth':
        return `lists inside lists are nested more than ${limit} deep; flatten them`;
    }
  },

  // ---- operators
  dividedByZero: () => 'division by zero',
  wholeNumberTooBig: () => 'the whole number does not fit in 64 bits; use a number with fractions, like `2.0`',
  noOperation: (operator: string, left: TypeName, right: TypeName) =>
    `\`${operator}\` does not work between ${TYPES[left]} and ${TYPES[right]}; ${
      operator === 'in' && right === 'text' ? 'for texts there is `text.contains(part)`' : 'convert one of them'
    }`,
  noUnary: (operator: string, type: TypeName) => `\`${operator}\` does not work on ${TYPES[type]}; change it`,
  notTrueOrFalse: (where: '&&' | '||' | '?' | 'loop', type: TypeName) =>
    `${
      where === '?'
        ? 'before `?` comes what is true or false'
        : where === 'loop'
          ? 'the condition of a loop is true or false'
          : '`&&` and `||` join what is true or false'
    }, but this is ${TYPES[type]}; compare it with something`,

  // ---- frames of a video
  badFrameTime: (given: string) =>
    `${textOr(given)} is no time in a video; write \`'2.5s'\`, \`'150ms'\`, a number of seconds, or \`'-1s'\` for one second before its end`,
  noFrames: (kind: string | undefined) =>
    kind === 'image'
      ? 'a still is its own frame, and has no `frame_at`; read its `result_url`'
      : `only a video has frames, and this is ${kind === undefined ? 'none that can be read' : 'sound'}; give it a video`,
  frameBeyondEnd: (at: number, duration: number) =>
    `the video is ${formatSeconds(duration)} long and has no frame at ${at}s; ask for one between 0s and ${round(duration)}s, or for its \`last_frame\``,

  // ---- parts
  noFieldOf: (type: TypeName, name: string) => `${TYPES[type]} has no \`${name}\``,
  noIndexOf: (type: TypeName) => `${TYPES[type]} has no parts in \`[…]\``,
  badIndex: (type: TypeName) => `the index of a list is a whole number, not ${TYPES[type]}; write \`int(…)\` around it`,
  outOfBounds: (index: bigint, length: number) =>
    length === 0
      ? `there is no item ${index}: the list is empty`
      : `there is no item ${index}: the list has ${length}, from \`[0]\` to \`[${length - 1}]\`${index === -1n ? '; write `.last()`' : ''}`,
  badKey: (type: TypeName) => `a key is a text, a whole number, or true or false, not ${TYPES[type]}; change it`,
  repeatedKey: (key: string) => `the key ${quoted(key)} is given twice; take one out`,
  notLoopable: (loop: string, type: TypeName) =>
    `\`${loop}\` runs through a list or the keys of a mapping, not ${TYPES[type]}; give it a list`,

  // ---- functions
  unknownFunction: (name: string, meant: readonly string[] | undefined) =>
    error(
      'unknown-function',
      `there is no function \`${name}\`; ${meant ? `did you mean ${or(meant.map(code))}?` : 'check the name'}`,
    ),
  foreignFunction: (name: string, foreign: Foreign) =>
    'instead' in foreign
      ? error('unknown-function', `there is no function \`${name}\`; write \`${foreign.instead}\``)
      : error('not-offered', `\`${name}\` is not offered: ${foreign.because}`),
  wrongArguments: (name: string, given: readonly TypeName[], written: readonly string[]) =>
    `\`${name}\` does not take ${
      given.length === 0
        ? 'nothing'
        : and(
            given.map(type => TYPES[type]),
            false,
          )
    }; it is written ${or(written.map(code))}`,
  negativePosition: (position: bigint) =>
    `a position is counted from 0 and cannot be ${position}; count from the beginning`,
  joinsTexts: () => '`join` takes a list of texts; write `.map(x, string(x))` before it',
  sumsNumbers: () => '`sum` takes a list of numbers; give it one with `.map(x, …)`',
  lastOfNothing: () => 'an empty list has no last item; ask `size(list) > 0` first',
  emptySlug: (text: string) => `${textOr(text)} has no letter or digit that a slug could be made of; give it a word`,
  notSortable: (type: TypeName | 'nan', first: TypeName | undefined) =>
    type === 'nan'
      ? 'what is no number has no place in an order; take it out'
      : first === undefined || first === type
        ? `${TYPES[type]} has no order; sort by a part of it with \`sortBy(x, x.part)\``
        : `${TYPES[first]} and ${TYPES[type]} have no common order; sort texts or numbers`,
  badDigits: (digits: bigint) => `a number is rounded to 0 to 15 digits, not ${digits}; change it`,
  extremeOfNothing: (name: string) => `\`${name}\` of an empty list has no value; ask \`size(list) > 0\` first`,
  extremeOfNumbers: (name: string) => `\`${name}\` takes numbers; give it some with \`.map(x, …)\``,
  noWholeNumber: (text: string) => `${textOr(text)} is no whole number; write digits alone`,
  noNumber: (text: string) => `${textOr(text)} is no number; write digits, with a point before the fraction`,
  noBool: (text: string) => `${textOr(text)} is neither \`true\` nor \`false\`; compare it with something`,
  notJsonInside: () => 'it holds a number that JSON cannot hold exactly; convert it with `string(…)`',
};

/** Operators, functions and loops on what they do not take, found before anything runs. */
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
        ? `before \`?\` comes what is true or false, but this is ${typeName(type)}; compare it with something`
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
  /** @param args the arguments between the brackets, and the one before the dot. */
  callStyle: (name: string, args: readonly string[], style: 'method' | 'function') => {
    const [first = '', ...rest] = args;
    const meant = style === 'function' ? `${name}(${args.join(', ')})` : `${first}.${name}(${rest.join(', ')})`;
    return `bad-call: \`${name}\` is called as a ${style}; write \`${meant}\``;
  },
  callTypes: (name: string, given: readonly Type[], written: readonly string[]) =>
    `bad-call: \`${name}\` does not take ${given.length === 0 ? 'nothing' : and(given.map(typeName), false)}; ${insteadOf(name, given) ?? `it is written ${or(written.map(code))}`}`,
  callRefused: (reason: string) => error('bad-call', reason),
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
