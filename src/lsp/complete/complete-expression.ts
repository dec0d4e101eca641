/** What can be written inside `${{ }}`: roots, names, fields by type, functions. */

import {
  couldHaveShape,
  type LanguageFunction,
  shapeAt,
  signatures,
  writtenForms,
} from '../../language/expression/functions/function.ts';
import { FUNCTIONS } from '../../language/expression/functions/functions.ts';
import { typeName } from '../../language/messages/foreign/wording.ts';
import { previousResult, type StepType, type TypeScope } from '../../language/types/path-types.ts';
import type { Type } from '../../language/types/types.ts';
import type { Root } from '../../model/pipeline.ts';
import type { Offered } from './completion-offer.ts';
import { typedBefore, typeOfCode } from './expression-types.ts';

/** @param offset of the cursor in the text. */
export function expressionOffers(before: string, after: string, offset: number, scope: TypeScope): readonly Offered[] {
  const typed = typedBefore(before, scope);
  if (!typed) return [];
  const at = { start: offset - typed.word.length, end: offset + /^\w*/.exec(after)![0].length };
  if (typed.of) return behindDot(typed.of.code.trim(), typed.of.type, scope).map(one => ({ ...one, at }));
  const bound = typed.bound.map(({ name }) => ({
    label: name,
    what: 'variable' as const,
    detail: typeName(typeOfCode(name, typed.bound, scope)),
    isFirst: true,
  }));
  return [...bound, ...roots(scope), ...calls()].map(one => ({ ...one, at }));
}

type Named = Omit<Offered, 'at'>;

/** Those with a meaning at the expression's place. */
function roots(scope: TypeScope): readonly Named[] {
  const { before } = scope;
  return Object.entries(ROOTS_HERE)
    .filter(([root, { isHere }]) => isHere(scope) && (!before || before.roots.includes(root as Root)))
    .map(([label, { about }]) => ({ label, what: 'root', about, isFirst: true }));
}

const ROOTS_HERE: {
  readonly [root in Root]: { readonly isHere: (scope: TypeScope) => boolean; readonly about: string };
} = {
  params: { isHere: ({ params }) => params.size > 0, about: 'What is set from outside with `--param`.' },
  data: { isHere: ({ data }) => data.size > 0, about: 'What the files under `data:` hold.' },
  steps: {
    isHere: ({ steps, step }) => [...steps.keys()].some(name => name !== step),
    about: 'Results of other steps.',
  },
  matrix: { isHere: ({ matrix }) => (matrix?.size ?? 0) > 0, about: 'The coordinates of this instance.' },
  each: {
    isHere: ({ each }) => each !== undefined,
    about: 'The result of the one instance that this one is made from.',
  },
  take: {
    isHere: ({ coordinates }) => coordinates.includes('take'),
    about: '`take.number` and `take.seed` of this take.',
  },
  previous: {
    isHere: ({ coordinates, repeats }) => coordinates.length > 0 || repeats === true,
    about: 'The result of the instance, or the round, before this one; the first has none, so ask with `has()`.',
  },
  this: { isHere: ({ this: made }) => made !== undefined, about: 'The result of the round that was just made.' },
  candidate: { isHere: ({ candidate }) => candidate !== undefined, about: 'The result that the rule is asked about.' },
  run: { isHere: () => true, about: '`run.id` and `run.name`.' },
  env: { isHere: ({ env }) => env.size > 0, about: 'Variables of the environment that the file declares.' },
};

function behindDot(code: string, type: Type, scope: TypeScope): readonly Named[] {
  switch (code) {
    case 'params':
      return typedNames(scope.params);
    case 'data':
      return typedNames(scope.data);
    case 'matrix':
      return typedNames(scope.matrix ?? new Map());
    case 'env':
      return [...scope.env].map(label => ({ label, what: 'variable' }));
    case 'run':
      return [field('id', 'a text'), field('name', 'a text')];
    case 'take':
      return [field('number', 'a whole number'), field('seed', 'a whole number')];
    case 'math':
      return calls()
        .filter(({ label }) => label.startsWith('math.'))
        .map(one => ({ ...one, label: one.label.slice(5), text: one.text?.slice(5) ?? '' }));
    // Alone it is a mistake: the first instance has nothing before it.
    case 'previous':
      return fieldsOf(previousResult(scope));
    case 'steps':
      return [...scope.steps].filter(([name]) => name !== scope.step).map(([name, step]) => stepNamed(name, step));
    default:
      return [...fieldsOf(type), ...methodsOf(type)];
  }
}

const field = (label: string, detail: string): Named => ({ label, what: 'field', detail });
const typedNames = (names: ReadonlyMap<string, Type>): readonly Named[] =>
  [...names].map(([label, type]) => ({ label, what: 'variable', detail: typeName(type) }));

export const stepNamed = (label: string, { result, coordinates }: StepType): Named => ({
  label,
  what: 'step',
  detail:
    coordinates.length === 0 ? typeName(result) : `${typeName({ is: 'list', of: result })} (${coordinates.join(', ')})`,
});

const fieldsOf = (type: Type): readonly Named[] =>
  type.is === 'record' ? [...type.fields].map(([label, of]) => ({ ...field(label, typeName(of)), isFirst: true })) : [];

function methodsOf(type: Type): readonly Named[] {
  if (type.is === 'wrong') return [];
  return FUNCTIONS.flatMap(row => {
    if (row.is === 'macro') return isLoop(row) && ['list', 'map', 'any'].includes(type.is) ? [called(row, true)] : [];
    const fits = row.forms.some(form => form.takes.length > 0 && couldHaveShape(type, shapeAt(form, 0)));
    // What could be anything has all of them; the number of a result's fields is never asked for.
    return row.style !== 'function' && fits && type.is !== 'any' && (type.is !== 'record' || row.name !== 'size')
      ? [called(row, true)]
      : [];
  });
}

const isLoop = (row: LanguageFunction): boolean =>
  writtenForms(row).some(form => /^\w+\.\w+\(/.test(form) && !form.startsWith('cel.'));

const calls = (): readonly Named[] =>
  FUNCTIONS.filter(row => (row.is === 'macro' ? !isLoop(row) : row.style !== 'method')).map(row => called(row, false));

const called = (row: LanguageFunction, isMethod: boolean): Named => ({
  label: row.name,
  what: 'function',
  detail: writtenForms(row)[0],
  about: functionText(row),
  text:
    isMethod && row.is === 'function' && row.forms.every(({ takes }) => takes.length === 1)
      ? `${row.name}()`
      : `${row.name}(`,
});

/** Markdown: how it is written, what it does, and an example with its answer. */
export const functionText = (row: LanguageFunction): string =>
  [
    `\`\`\`cel\n${signatures(row).join('\n')}\n\`\`\``,
    row.description,
    `\`${row.example.code}\` → \`${JSON.stringify(row.example.answer)}\``,
  ].join('\n\n');
