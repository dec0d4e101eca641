/** What a row of the table of functions is (`functions.ts`), and how signatures are written. */
import type { Json } from '../../../model/text/json.ts';
import { typeName } from '../../messages/foreign/wording.ts';
import { ANY, BOOL, DOUBLE, INT, isOrMayBeVideo, join, list, mediaResult, TEXT, type Type } from '../../types/types.ts';
import { type Cel, type CelList, type CelMap, type FromJson, type TypeName, typeNameOf } from '../cel-value.ts';
import type { Budget } from '../evaluation-limit.ts';

export type LanguageFunction = PlainFunction | Macro;

interface AnyFunction {
  /** With its namespace: `math.ceil`. */
  readonly name: string;
  /** One sentence for a reader who knows the language and not this function. */
  readonly description: string;
  /** Runs by itself; the answer is what it gives. */
  readonly example: { readonly code: string; readonly answer: Json };
}

export interface PlainFunction extends AnyFunction {
  readonly is: 'function';
  /** `x.size()`, `size(x)`, or either. */
  readonly style: 'method' | 'function' | 'either';
  /** Those that differ in what they take. */
  readonly forms: readonly [Form, ...Form[]];
  /** What is wrong with what is plainly written between its brackets, reported before anything runs; computed arguments are undefined. */
  readonly refuses?: (written: readonly (string | number | undefined)[]) => string | undefined;
}

/** Part of the grammar: its arguments are not evaluated first. */
export interface Macro extends AnyFunction {
  readonly is: 'macro';
  /** The type of what it gives, in words. */
  readonly gives: string;
  readonly written: readonly string[];
}

interface Form {
  /** What it is applied to first. */
  readonly takes: readonly Shape[];
  readonly named: readonly string[];
  /** The last one may be given any number of times. */
  readonly repeats: boolean;
  readonly gives: Type | ((given: readonly Type[]) => Type);
  /** Is handed what it takes; a text of its own making is announced to the budget first. */
  readonly apply: (budget: Budget, given: readonly Cel[]) => Cel | Refused;
}

/** A value that the function cannot take, in words for the author. */
export class Refused {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

interface Shapes {
  text: string;
  int: bigint;
  double: number;
  number: bigint | number;
  bool: boolean;
  list: CelList;
  /** Lists of one kind; what is in them is looked at by the function. */
  texts: CelList;
  numbers: CelList;
  lists: CelList;
  sortable: CelList;
  map: CelMap | FromJson;
  /** A result that is a video, or may turn out to be one. */
  video: CelMap | FromJson;
  any: Cel;
}
type Shape = keyof Shapes;

type Given<T extends readonly Shape[]> = { [K in keyof T]: Shapes[T[K]] };

/** `{ text: 'text', separator: 'text' }`: names and shapes, in their order. */
export function form<const T extends readonly Shape[]>(
  takes: T,
  named: readonly string[],
  gives: Form['gives'],
  apply: (budget: Budget, ...given: Given<T>) => Cel | Refused,
): Form {
  // `accepts` has looked at the shapes of what is given.
  return { takes, named, repeats: false, gives, apply: (budget, given) => apply(budget, ...(given as Given<T>)) };
}

/** Of the same thing given any number of times. */
export function manyOf<S extends Shape>(
  shape: S,
  named: string,
  gives: Form['gives'],
  apply: (budget: Budget, given: readonly Shapes[S][]) => Cel | Refused,
): Form {
  return {
    takes: [shape],
    named: [named],
    repeats: true,
    gives,
    apply: (budget, given) => apply(budget, given as readonly Shapes[S][]),
  };
}

const row =
  (style: PlainFunction['style']) =>
  (
    name: string,
    description: string,
    [code, answer]: readonly [string, Json],
    ...forms: [Form, ...Form[]]
  ): PlainFunction => ({
    ...{ is: 'function', name, style, description, example: { code, answer }, forms },
  });

/** Rows of the table of functions: a name, a sentence, an example with its answer, and the forms. `size(x)` is a `call`, `x.size()` a `method`. */
export const call = row('function');
export const method = row('method');
export const either = row('either');

/** Whether the number of arguments is right. */
const countFits = ({ takes, repeats }: Form, count: number): boolean =>
  repeats ? count >= takes.length : count === takes.length;

export const shapeAt = ({ takes }: Form, index: number): Shape => takes[Math.min(index, takes.length - 1)]!;

export const accepts = (form: Form, given: readonly Cel[]): boolean =>
  countFits(form, given.length) &&
  given.every((value, index) => SHAPES[shapeAt(form, index)].has.includes(typeNameOf(value)));

/** Of each shape: the values that have it, the types that may turn out to have it, and the type where nothing more is known. */
const SHAPES: {
  readonly [S in Shape]: {
    readonly has: readonly TypeName[];
    readonly mayHave: (type: Type) => boolean;
    readonly type: Type;
  };
} = {
  text: { has: ['text'], mayHave: isA('text'), type: TEXT },
  int: { has: ['int'], mayHave: isA('int'), type: INT },
  double: { has: ['double'], mayHave: isA('double'), type: DOUBLE },
  number: { has: ['int', 'double'], mayHave: isA('int', 'double'), type: DOUBLE },
  bool: { has: ['bool'], mayHave: isA('bool'), type: BOOL },
  list: { has: ['list'], mayHave: isA('list'), type: list(ANY) },
  texts: { has: ['list'], mayHave: isListOf('text'), type: list(TEXT) },
  numbers: { has: ['list'], mayHave: isListOf('int', 'double'), type: list(DOUBLE) },
  lists: { has: ['list'], mayHave: isA('list'), type: list(list(ANY)) },
  sortable: { has: ['list'], mayHave: isListOf('text', 'int', 'double', 'bool'), type: list(ANY) },
  map: { has: ['map'], mayHave: isA('map', 'record'), type: { is: 'map', of: ANY } },
  video: { has: ['map'], mayHave: isOrMayBeVideo, type: mediaResult('video') },
  any: { has: ['null', 'bool', 'int', 'double', 'text', 'list', 'map'], mayHave: () => true, type: ANY },
};

function isA(...kinds: readonly Type['is'][]): (type: Type) => boolean {
  return ({ is }) => kinds.includes(is);
}

function isListOf(...kinds: readonly Type['is'][]): (type: Type) => boolean {
  return type => type.is === 'list' && ['any', 'wrong', ...kinds].includes(type.of.is);
}

export const couldAccept = (form: Form, given: readonly Type[]): boolean =>
  countFits(form, given.length) && given.every((type, index) => couldHaveShape(type, shapeAt(form, index)));

export const couldHaveShape = (type: Type, shape: Shape): boolean =>
  type.is === 'any' || type.is === 'wrong' || SHAPES[shape].mayHave(type);

/** `text.split(separator)`, `math.least(number, …)`: how a person writes it, one line a form. */
export function writtenForms(of: LanguageFunction): readonly string[] {
  if (of.is === 'macro') return of.written;
  return of.forms.map(({ named, repeats }) => {
    const rest = repeats ? [...named, '…'] : named;
    return of.style === 'method'
      ? `${rest[0]}.${of.name}(${rest.slice(1).join(', ')})`
      : `${of.name}(${rest.join(', ')})`;
  });
}

export const givenType = ({ gives }: Form, given: readonly Type[]): Type =>
  typeof gives === 'function' ? gives(given) : gives;

/** `text.split(separator) → a list of texts`, one line a form: for the reference. */
export function signatures(of: LanguageFunction): readonly string[] {
  const written = writtenForms(of);
  if (of.is === 'macro') return written.map(one => `${one} → ${of.gives}`);
  return of.forms.map((form, index) => {
    const given = form.takes.map(shape => SHAPES[shape].type);
    return `${written[index]} → ${typeName(givenType(form, given))}`;
  });
}

/** What a form gives: the type of an item of its list; what all that it is given have in common. */
export const typeOfItems = ([type]: readonly Type[]): Type => (type?.is === 'list' ? type.of : ANY);
export const commonType = (given: readonly Type[]): Type => given.reduce(join, given[0] ?? ANY);
