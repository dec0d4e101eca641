/** Expressions that go wrong when they are evaluated. Places are told by whoever shows them. */
import { isDerivedField } from '../../domain/derived-media.ts';
import { formatSeconds } from '../../domain/format.ts';
import type { Spent } from '../expression/budget.ts';
import type { TypeName } from '../expression/cel-value.ts';
import type { Foreign } from '../expression/foreign-functions.ts';
import { and, code, error, or, quoted } from './wording.ts';

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
  wentWrong: (source: string, said: string) => `${quoted(source)}: ${said}`,

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
        ? 'before `?` stands what is true or false'
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
