/**
 * The type of a tree, before anything runs (langdef.md, "Gradual Type Checking"): what is certainly wrong is reported at its place, and
 * what is not known stays `any` and raises no error. Types are the language's own, so that what an address leads to and which values
 * a text can have is known through loops, conditions and functions.
 */
import type { Span } from '../../model/diagnostic.ts';
import { isRoot } from '../../model/pipeline.ts';
import type { Message } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import { ANY, BOOL, DOUBLE, INT, join, list, TEXT, type Type, WRONG } from '../types/types.ts';
import { couldAccept, givenType, writtenForms } from './functions/function.ts';
import { functionNamed, unknownFunction } from './functions/functions.ts';
import {
  type Binary,
  type Call,
  type Choice,
  type Expr,
  type Index,
  type Loop,
  type Mapping,
  type Member,
  type Place,
  plainlyWritten,
  type Read,
  type Unary,
} from './tree.ts';

interface CheckContext {
  readonly code: string;
  /** Follows a path in the file, and reports one that leads nowhere. */
  readonly typeOfRead: (read: Read, probed: boolean) => Type;
  readonly typeOfField: (of: Type, called: string, member: Member['name']) => Type;
  /** Gives the type that raises no second error. */
  readonly report: (what: Message, start: number, end: number) => Type;
  /** Called for a division that gives fractions, even if its numbers look whole in JSON. */
  readonly noteRealDivision: (division: Binary) => void;
  /** The place of a part of the code in the file. */
  readonly spanOf: (place: Place) => Span;
}

export const typeOfTree = (tree: Expr, context: CheckContext): Type => new Checker(context).typeOf(tree, undefined);

interface Bound {
  readonly name: string;
  readonly type: Type;
  readonly around: Bound | undefined;
}

class Checker {
  readonly #context: CheckContext;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  typeOf(node: Expr, bound: Bound | undefined): Type {
    switch (node.op) {
      case 'literal':
        return this.#literal(node.value, node);
      case 'read':
        return this.#context.typeOfRead(node, false);
      case 'variable': {
        let found = bound;
        while (found && found.name !== node.name) found = found.around;
        return found?.type ?? ANY;
      }
      case 'member': {
        const of = this.typeOf(node.of, bound);
        return this.#context.typeOfField(of, this.#codeOf(node.of), node.name);
      }
      case 'index':
        return this.#index(node, bound);
      case 'list': {
        const items = node.items.map(item => this.typeOf(item, bound));
        return items.length === 0 ? list(ANY) : orWrong(items, () => list(items.map(ofAnyValue).reduce(join)));
      }
      case 'map':
        return this.#mapping(node, bound);
      case 'unary':
        return this.#unary(node, bound);
      case 'binary': {
        const hyphenated = hyphenatedRead(node);
        if (hyphenated) return this.#hyphenated(hyphenated);
        const [left, right] = [this.typeOf(node.left, bound), this.typeOf(node.right, bound)];
        return orWrong([left, right], () => this.#binary(node, left, right));
      }
      case 'logic': {
        const sides = [this.typeOf(node.left, bound), this.typeOf(node.right, bound)];
        const wrong = sides.find(side => !isTruth(side));
        if (wrong) return this.#report(messages.noTruth('&&', wrong), node);
        return orWrong(sides, () => BOOL);
      }
      case 'choice':
        return this.#choice(node, bound);
      case 'has': {
        if (node.of.op === 'read') this.#context.typeOfRead(node.of, true);
        else this.typeOf(node.of, bound);
        return BOOL;
      }
      case 'call':
        return this.#call(node, bound);
      case 'loop':
        return this.#loop(node, bound);
      case 'bind':
        return this.typeOf(node.body, {
          name: node.variable,
          type: ofAnyValue(this.typeOf(node.value, bound)),
          around: bound,
        });
    }
  }

  #literal(value: null | boolean | bigint | number | string, place: Place): Type {
    const values = () => ({
      values: [{ value: typeof value === 'string' ? value : Number(value), at: this.#at(place) }],
    });
    switch (typeof value) {
      case 'string':
        return { is: 'text', ...values() };
      case 'bigint':
        return { is: 'int', ...values() };
      case 'number':
        return { is: 'double', ...values() };
      case 'boolean':
        return BOOL;
      default:
        return { is: 'null' };
    }
  }

  #index(node: Index, bound: Bound | undefined): Type {
    const [of, index] = [this.typeOf(node.of, bound), this.typeOf(node.index, bound)];
    if (of.is === 'wrong' || index.is === 'wrong') return WRONG;
    switch (of.is) {
      case 'any':
        return ANY;
      case 'list':
        if (index.is !== 'int' && index.is !== 'any') return this.#report(messages.indexType(index), node.index);
        return this.#beyondMax(node, of.max) ?? of.of;
      case 'map':
        return of.of;
      case 'record': {
        if (node.index.op !== 'literal' || typeof node.index.value !== 'string')
          return index.is === 'text' || index.is === 'any' ? ANY : this.#report(messages.keyType(index), node.index);
        const name = { name: node.index.value, start: node.index.start, end: node.index.end };
        return this.#context.typeOfField(of, this.#codeOf(node.of), name);
      }
      default:
        return this.#report(messages.noParts(this.#codeOf(node.of), of), node);
    }
  }

  /** `json.beats[3]` of a list with a schema that allows two. */
  #beyondMax({ of, index }: Index, max: ListType['max']): Type | undefined {
    if (typeof max !== 'number' || index.op !== 'literal' || typeof index.value !== 'bigint' || index.value < max)
      return undefined;
    return this.#report(messages.beyondMax(this.#codeOf(of), Number(index.value), max), index);
  }

  #mapping({ entries }: Mapping, bound: Bound | undefined): Type {
    const keys = entries.map(({ key }) => this.typeOf(key, bound));
    const values = entries.map(({ value }) => this.typeOf(value, bound));
    for (const [index, key] of keys.entries())
      if (!['text', 'int', 'bool', 'any', 'wrong'].includes(key.is))
        return this.#report(messages.keyType(key), entries[index]!.key);
    return orWrong([...keys, ...values], () => ({
      is: 'map',
      of: values.length === 0 ? ANY : values.map(ofAnyValue).reduce(join),
    }));
  }

  #unary(node: Unary, bound: Bound | undefined): Type {
    const of = this.typeOf(node.of, bound);
    if (of.is === 'any' || of.is === 'wrong') return of.is === 'any' && node.operator === '!' ? BOOL : of;
    const fits = node.operator === '!' ? of.is === 'bool' : isNumber(of);
    if (!fits) return this.#report(messages.unaryTypes(node.operator, of), node);
    return of.is === 'int' ? INT : of.is === 'double' ? DOUBLE : BOOL;
  }

  #binary(node: Binary, left: Type, right: Type): Type {
    const { operator } = node;
    const result = typeOfOperation(node, left, right);
    if (operator === '/' && result?.is === 'double') this.#context.noteRealDivision(node);
    return result ?? this.#report(messages.operationTypes(operator, left, right, this.#codeOf(node.left)), node);
  }

  /** Read as it is written here, which is reported where there is such a name. */
  #hyphenated(read: Read): Type {
    const type = this.#context.typeOfRead(read, false);
    if (type.is === 'wrong') return type;
    const name = read.segments.at(-1)!;
    return this.#report(messages.hyphenInName(this.#codeOf(read), this.#codeOf(name), name.name), name);
  }

  #choice(node: Choice, bound: Bound | undefined): Type {
    const condition = this.typeOf(node.condition, bound);
    const [then, otherwise] = [this.typeOf(node.yes, bound), this.typeOf(node.no, bound)];
    if (!isTruth(condition)) return this.#report(messages.noTruth('?', condition), node.condition);
    // Nothing on one side leaves a field out.
    if (then.is === 'null' || otherwise.is === 'null')
      return orWrong([condition, then, otherwise], () => (then.is === 'null' ? otherwise : then));
    if (!agree(then, otherwise)) return this.#report(messages.branchTypes(then, otherwise), node);
    return orWrong([condition, then, otherwise], () => join(then, otherwise));
  }

  #call(node: Call, bound: Bound | undefined): Type {
    const given = node.args.map(arg => ofAnyValue(this.typeOf(arg, bound)));
    const { name } = node.name;
    const found = functionNamed(name);
    if (!found) return this.#report(unknownFunction(name), node.name);
    if (given.some(type => type.is === 'wrong')) return WRONG;
    const written = writtenForms(found);
    const { style } = found;
    if (style !== 'either' && node.isMethod !== (style === 'method') && node.args.length > 0)
      return this.#report(messages.callStyle(name, node.args.map(this.#codeOf), style), node.name);
    const forms = found.forms.filter(form => couldAccept(form, given));
    if (forms.length === 0) return this.#report(messages.callTypes(name, given, written), node);
    const refused = found.refuses?.(node.args.map(plainlyWritten));
    if (refused !== undefined) return this.#report(messages.callRefused(refused), node);
    return forms.map(form => givenType(form, given)).reduce(join);
  }

  #loop(node: Loop, around: Bound | undefined): Type {
    const over = this.typeOf(node.over, around);
    const item = itemOf(over);
    if (!item) return this.#report(messages.loopType(node.loop, over), node.over);
    const bound = { name: node.variable, type: item, around };
    const condition = node.condition && this.typeOf(node.condition, bound);
    const body = this.typeOf(node.body, bound);
    const truths = [...(condition ? [{ type: condition, at: node.condition! }] : [])];
    if (node.loop !== 'map' && node.loop !== 'sortBy') truths.push({ type: body, at: node.body });
    for (const { type, at } of truths) if (!isTruth(type)) return this.#report(messages.noTruth('loop', type), at);
    if (node.loop === 'sortBy' && !['any', 'wrong', 'text', 'int', 'double', 'bool'].includes(body.is))
      return this.#report(messages.sortKeyType(body), node.body);
    return orWrong([over, body, ...(condition ? [condition] : [])], () => {
      switch (node.loop) {
        case 'all':
        case 'exists':
        case 'exists_one':
          return BOOL;
        case 'map':
          // As many as there were, or fewer.
          return over.is === 'list' && over.max !== undefined ? { is: 'list', of: body, max: over.max } : list(body);
        case 'filter':
        case 'sortBy':
          return over.is === 'list' ? over : list(item);
      }
    });
  }

  #codeOf = ({ start, end }: Place): string => this.#context.code.slice(start, end);
  #at = (place: Place): Span => this.#context.spanOf(place);
  #report = (what: Message, { start, end }: Place): Type => this.#context.report(what, start, end);
}

const orWrong = (types: readonly Type[], otherwise: () => Type): Type =>
  types.some(type => type.is === 'wrong') ? WRONG : otherwise();

/**
 * Which values a literal has is known where it stands alone or on a side of a condition. One of a list may never be chosen, and a
 * function gives others: nothing is certain of those.
 */
function ofAnyValue(type: Type): Type {
  if (!('values' in type)) return type;
  const { values: _, ...rest } = type;
  return rest;
}

const isTruth = ({ is }: Type): boolean => is === 'bool' || is === 'any' || is === 'wrong';
const isNumber = ({ is }: Type): boolean => is === 'int' || is === 'double';

/** `steps.still.result-url`: to the grammar a difference, of which the right side leads nowhere. */
function hyphenatedRead({ operator, left, right }: Binary): Read | undefined {
  if (operator !== '-' || left.op !== 'read' || right.op !== 'read' || left.end + 1 !== right.start) return undefined;
  const [first, ...rest] = right.segments;
  const last = left.segments.at(-1);
  if (left.segments.length < 2 || !last || rest.length > 0 || isRoot(first.name)) return undefined;
  const name = { name: `${last.name}_${first.name}`, start: last.start, end: first.end };
  const [root, ...path] = left.segments;
  return { ...left, segments: [root, ...path.slice(0, -1), name], end: right.end };
}

/** What a loop runs through; undefined where it cannot. */
function itemOf(type: Type): Type | undefined {
  switch (type.is) {
    case 'list':
      return type.of;
    case 'any':
    case 'wrong':
      return type;
    // Keys: those of a result are texts, and what is written in an expression may have whole numbers.
    case 'record':
      return TEXT;
    case 'map':
      return ANY;
    default:
      return undefined;
  }
}

/** Undefined where the operator certainly does not work between the two. */
function typeOfOperation({ operator }: Binary, left: Type, right: Type): Type | undefined {
  const anyNumber = (type: Type): boolean => isNumber(type) || type.is === 'any';
  const number = (): Type =>
    left.is === 'double' || right.is === 'double' ? DOUBLE : left.is === 'int' && right.is === 'int' ? INT : ANY;
  switch (operator) {
    case '==':
    case '!=':
      return left.is === 'null' || right.is === 'null' || agree(left, right) ? BOOL : undefined;
    case 'in':
      if (right.is === 'list') return agree(left, right.of) ? BOOL : undefined;
      return right.is === 'any' || right.is === 'map' || right.is === 'record' ? BOOL : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return hasOrder(left) && hasOrder(right) && agree(left, right) ? BOOL : undefined;
    case '+':
      if (left.is === 'any' && right.is === 'any') return ANY;
      if (anyNumber(left) && anyNumber(right)) return number();
      if (couldBe(left, 'text') && couldBe(right, 'text')) return TEXT;
      if (left.is === 'list' && right.is === 'list') return together(left, right);
      return couldBe(left, 'list') && couldBe(right, 'list') ? list(ANY) : undefined;
    case '-':
    case '*':
    case '/':
      return anyNumber(left) && anyNumber(right) ? number() : undefined;
    case '%':
      return couldBe(left, 'int') && couldBe(right, 'int') ? INT : undefined;
  }
}

/** One behind the other: as many as both have. */
function together(left: ListType, right: ListType): ListType {
  const of = join(left.of, right.of);
  const { max: one } = left;
  const { max: other } = right;
  return typeof one !== 'number' || typeof other !== 'number'
    ? { is: 'list', of }
    : { is: 'list', of, max: one + other };
}
type ListType = Extract<Type, { is: 'list' }>;

const couldBe = (type: Type, is: Type['is']): boolean => type.is === is || type.is === 'any';
const hasOrder = ({ is }: Type): boolean => ['any', 'int', 'double', 'text', 'bool'].includes(is);

/** Whether two types could hold the same value. */
function agree(a: Type, b: Type): boolean {
  if (a === b || a.is === 'any' || b.is === 'any' || a.is === 'wrong' || b.is === 'wrong') return true;
  if (isNumber(a) && isNumber(b)) return true;
  if (a.is === 'list' && b.is === 'list') return agree(a.of, b.of);
  const isMapping = ({ is }: Type): boolean => is === 'map' || is === 'record';
  if (isMapping(a) && isMapping(b)) return a.is !== 'record' || b.is !== 'record' || a.cel === b.cel;
  return a.is === b.is;
}
