/** What a row of the table of functions is (`functions.ts`), and how signatures are written. */
import type { Json } from '../../../model/text/json.ts';
import { typeName } from '../../messages/foreign/wording.ts';
import { ANY, BOOL, DOUBLE, INT, isOrMayBeVideo, list, mediaResult, TEXT, type Type } from '../../types/types.ts';
import type { Budget } from '../budget.ts';
import { type Cel, type CelList, type CelMap, type FromJson, typeNameOf } from '../cel-value.ts';

export type LanguageFunction = PlainFunction | Macro;

interface AnyFunction {
  /** With its namespace: `math.ceil`. */
  readonly name: string;
  /** One sentence for a reader who knows the language and not this function. */
  readonly says: string;
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
    says: string,
    [code, answer]: readonly [string, Json],
    ...forms: [Form, ...Form[]]
  ): PlainFunction => ({
    ...{ is: 'function', name, style, says, example: { code, answer }, forms },
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
  countFits(form, given.length) && given.every((value, index) => hasShape(value, shapeAt(form, index)));

function hasShape(value: Cel, shape: Shape): boolean {
  const type = typeNameOf(value);
  switch (shape) {
    case 'any':
      return true;
    case 'number':
      return type === 'int' || type === 'double';
    case 'list':
    case 'texts':
    case 'numbers':
    case 'lists':
    case 'sortable':
      return type === 'list';
    case 'video':
      return type === 'map';
    default:
      return type === shape;
  }
}

export const couldAccept = (form: Form, given: readonly Type[]): boolean =>
  countFits(form, given.length) && given.every((type, index) => couldHaveShape(type, shapeAt(form, index)));

export function couldHaveShape(type: Type, shape: Shape): boolean {
  if (type.is === 'any' || type.is === 'wrong' || shape === 'any') return true;
  switch (shape) {
    case 'number':
      return type.is === 'int' || type.is === 'double';
    case 'map':
      return type.is === 'map' || type.is === 'record';
    case 'video':
      return isOrMayBeVideo(type);
    case 'list':
      return type.is === 'list';
    case 'texts':
      return type.is === 'list' && couldHaveShape(type.of, 'text');
    case 'numbers':
      return type.is === 'list' && couldHaveShape(type.of, 'number');
    case 'lists':
      return type.is === 'list';
    case 'sortable':
      return type.is === 'list' && ['any', 'wrong', 'text', 'int', 'double', 'bool'].includes(type.of.is);
    default:
      return type.is === shape;
  }
}

/** The type of a shape where nothing more is known. */
function typeOfShape(shape: Shape): Type {
  switch (shape) {
    case 'text':
      return TEXT;
    case 'int':
      return INT;
    case 'double':
    case 'number':
      return DOUBLE;
    case 'bool':
      return BOOL;
    case 'list':
    case 'sortable':
      return list(ANY);
    case 'lists':
      return list(list(ANY));
    case 'texts':
      return list(TEXT);
    case 'numbers':
      return list(DOUBLE);
    case 'map':
      return { is: 'map', of: ANY };
    case 'video':
      return mediaResult('video');
    case 'any':
      return ANY;
  }
}

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
    const given = form.takes.map(typeOfShape);
    return `${written[index]} → ${typeName(givenType(form, given))}`;
  });
}
