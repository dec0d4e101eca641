/**
 * Evaluates a tree. An own interpreter and not a library's, because what the library leaves to its host is what matters here: a budget
 * of work and size that no expression gets around, JSON that is read without being copied, and an answer while only part of what is
 * read is known, which decides what waits for what.
 */
import type { Json } from '../../model/text/json.ts';
import { messages } from '../messages/index.ts';
import {
  type Cel,
  type CelKey,
  fromJson,
  isList,
  isMap,
  itemAt,
  itemsOf,
  keyOf,
  keysOf,
  lengthOf,
  type Origin,
  typeNameOf,
  valueAt,
} from './cel-value.ts';
import { BUDGET, Budget, BudgetSpent } from './evaluation-limit.ts';
import { accepts, Refused, writtenForms } from './functions/function.ts';
import { functionNamed, unknownFunction } from './functions/functions.ts';
import { sorted } from './functions/list-functions.ts';
import { binary, negated } from './operators.ts';
import {
  Failed,
  isStopped,
  isValue,
  Missing,
  type Outcome,
  type Path,
  pathOf,
  Unknown,
  unknownAt,
  unless,
} from './outcome.ts';
import type { Binary, Bind, Call, Choice, Expr, Has, Index, Logic, Loop, Mapping, Member, Place } from './tree.ts';

/** What an expression may read. */
export interface World {
  /** The value at a path; undefined where there is none. */
  readonly read: (path: Path) => Json | undefined | typeof NOT_KNOWN;
  readonly originOf: (path: Path) => Origin;
  /** Whether a division gives fractions, though both of its numbers look whole. */
  readonly dividesReals: (division: Binary) => boolean;
  /** The length of a list with items that are not all known. */
  readonly lengthOf?: (path: Path) => number | undefined;
  /** Every item of such a list will be there. */
  readonly isWhole?: (path: Path) => boolean;
}

export const NOT_KNOWN = Symbol('not known yet');

/** Never throws, whatever an expression holds and reads. `budget` is what it may spend. */
export function interpret(tree: Expr, code: string, world: World, budget: Budget = new Budget()): Outcome {
  const interpreter = new Interpreter(code, world, budget);
  try {
    return interpreter.run(tree, undefined);
  } catch (error) {
    if (error instanceof BudgetSpent)
      return new Failed(messages.budgetSpent(error.spent, BUDGET[error.spent]), interpreter.at);
    throw error;
  }
}

/** The variable of a loop, and those of the loops around. */
interface Bound {
  readonly name: string;
  readonly value: Outcome;
  readonly around: Bound | undefined;
}

/** What a part of a loop comes to for an item. */
type Each = (body: Expr, value: Cel) => Outcome;

class Interpreter {
  readonly #code: string;
  readonly #world: World;
  readonly #budget: Budget;
  /** What is being worked on: the place that a spent budget is reported at. */
  at: Place = { start: 0, end: 0 };

  /** Inside an index of a list that is not known. */
  #picks = false;

  constructor(code: string, world: World, budget: Budget) {
    this.#code = code;
    this.#world = world;
    this.#budget = budget;
  }

  run(node: Expr, bound: Bound | undefined): Outcome {
    this.#budget.step();
    switch (node.op) {
      case 'literal':
        return node.value;
      case 'read':
        return this.#read(pathOf(node.segments), node);
      case 'variable': {
        let found = bound;
        while (found && found.name !== node.name) found = found.around;
        if (!found) throw new Error(`no loop binds ${node.name}`);
        return found.value;
      }
      case 'member':
        return this.#member(this.run(node.of, bound), node);
      case 'index':
        return this.#index(node, bound);
      case 'list': {
        const items = this.#all(node.items, bound);
        if (isStopped(items)) return items;
        this.#budget.items(items.length);
        return items;
      }
      case 'map':
        return this.#mapping(node, bound);
      case 'unary': {
        const value = this.run(node.of, bound);
        if (!isValue(value)) return this.#whole(value);
        if (node.operator === '-') return this.#given(negated(value), node);
        return typeof value === 'boolean' ? !value : new Failed(messages.noUnary('!', typeNameOf(value)), node);
      }
      case 'binary': {
        const left = this.run(node.left, bound);
        const right = this.run(node.right, bound);
        if (!isValue(left) || !isValue(right)) return unless([left, right])!;
        this.at = node;
        return this.#given(binary(node.operator, this.#dividend(left, node), right, this.#budget), node);
      }
      case 'logic':
        return this.#logic(node, bound);
      case 'choice':
        return this.#choice(node, bound);
      case 'has':
        return this.#has(node, bound);
      case 'call':
        return this.#call(node, bound);
      case 'loop':
        return this.#loop(node, bound);
      case 'bind':
        return this.#bind(node, bound);
    }
  }

  /** A number with fractions that JSON wrote as a whole one. */
  #dividend(left: Cel, node: Binary): Cel {
    return node.operator === '/' && typeof left === 'bigint' && this.#world.dividesReals(node) ? Number(left) : left;
  }

  #read(path: Path, place: Place): Outcome {
    const json = this.#world.read(path);
    if (json === NOT_KNOWN) return unknownAt(path);
    if (json === undefined) return new Missing(writtenPath(path), place, path);
    const name = path.at(-1);
    return fromJson(json, this.#world.originOf(path), typeof name === 'string' ? name : undefined);
  }

  #member(of: Outcome, node: Member): Outcome {
    if (of instanceof Unknown && of.here) return this.#read([...of.here, node.name.name], node);
    if (!isValue(of)) return of;
    if (!isMap(of)) return new Failed(messages.noFieldOf(typeNameOf(of), node.name.name), node, absentIn(of));
    return this.#found(valueAt(of, node.name.name), node);
  }

  #index(node: Index, bound: Bound | undefined): Outcome {
    const of = this.run(node.of, bound);
    const index = of instanceof Unknown && of.here ? this.#place(node.index, bound) : this.run(node.index, bound);
    if (of instanceof Unknown && of.here) {
      // Which one is needed is known first.
      if (!isValue(index)) return this.#whole(index);
      const key = keyOf(index);
      if (typeof key === 'string') return this.#read([...of.here, key], node);
      if (typeof key === 'bigint' && key >= 0n) return this.#read([...of.here, Number(key)], node);
    }
    if (!isValue(of) || !isValue(index)) return unless([of, index])!;
    const key = keyOf(index);
    if (isMap(of)) return this.#found(key === undefined ? undefined : valueAt(of, key), node);
    if (!isList(of)) return new Failed(messages.noIndexOf(typeNameOf(of)), node, absentIn(of));
    if (typeof key !== 'bigint') return new Failed(messages.badIndex(typeNameOf(index)), node.index);
    if (key < 0n || key >= BigInt(lengthOf(of)))
      return new Failed(messages.outOfBounds(key, lengthOf(of)), node, 'part');
    return itemAt(of, Number(key));
  }

  /** Which item of a list that is not known: `steps.still[size(steps.still) - 1]`. */
  #place(index: Expr, bound: Bound | undefined): Outcome {
    const around = this.#picks;
    this.#picks = true;
    const place = this.run(index, bound);
    this.#picks = around;
    return place;
  }

  /** `null` is a value. */
  #found(value: Cel | undefined, { start, end }: Place): Outcome {
    return value === undefined ? new Missing(this.#code.slice(start, end), { start, end }, 'part') : value;
  }

  #mapping({ entries, ...place }: Mapping, bound: Bound | undefined): Outcome {
    const outcomes: Outcome[] = [];
    for (const { key, value } of entries) outcomes.push(this.run(key, bound), this.run(value, bound));
    const stopped = unless(outcomes);
    if (stopped) return stopped;
    const values = outcomes as readonly Cel[];
    this.#budget.mapping(entries.length);
    const map = new Map<CelKey, Cel>();
    for (let index = 0; index < entries.length; index++) {
      const written = values[index * 2]!;
      const key = typeof written === 'number' ? undefined : keyOf(written);
      if (key === undefined) return new Failed(messages.badKey(typeNameOf(written)), entries[index]!.key);
      if (map.has(key)) return new Failed(messages.repeatedKey(String(key)), place);
      map.set(key, values[index * 2 + 1]!);
    }
    return map;
  }

  /** langdef.md, "Logical Operators": what decides alone decides, whatever the other side comes to. */
  #logic({ operator, left, right }: Logic, bound: Bound | undefined): Outcome {
    const deciding = operator === '||';
    const first = this.#truth(this.run(left, bound), left, operator);
    if (first === deciding) return deciding;
    const second = this.#truth(this.run(right, bound), right, operator);
    if (second === deciding) return deciding;
    // The left side alone may say that the right one is not needed at all.
    if (first instanceof Unknown) return first;
    return second instanceof Unknown || typeof first === 'boolean' ? second : first;
  }

  #choice(node: Choice, bound: Bound | undefined): Outcome {
    const condition = this.#truth(this.run(node.condition, bound), node.condition, '?');
    if (typeof condition !== 'boolean') return condition;
    return this.run(condition ? node.yes : node.no, bound);
  }

  #truth(outcome: Outcome, place: Place, where: '&&' | '||' | '?' | 'loop'): boolean | Failed | Unknown {
    if (typeof outcome === 'boolean') return outcome;
    if (!isValue(outcome)) return this.#whole(outcome);
    return new Failed(messages.notTrueOrFalse(where, typeNameOf(outcome)), place);
  }

  #has({ of }: Has, bound: Bound | undefined): Outcome {
    const outcome = this.run(of, bound);
    if (outcome instanceof Unknown) return this.#whole(outcome);
    if (outcome instanceof Failed) return outcome.absent === undefined ? outcome : false;
    return true;
  }

  #call(node: Call, bound: Bound | undefined): Outcome {
    const found = functionNamed(node.name.name);
    if (!found) return new Failed(unknownFunction(node.name.name).message, node);
    const outcomes = node.args.map(arg => this.run(arg, bound));
    const [only, ...more] = outcomes;
    if (only instanceof Unknown && more.length === 0) return this.#partly(node, only) ?? this.#whole(only);
    const stopped = unless(outcomes);
    if (stopped) return stopped;
    const args = outcomes as readonly Cel[];
    const form =
      found.style === 'function' && node.isMethod ? undefined : found.forms.find(candidate => accepts(candidate, args));
    if (!form)
      return new Failed(messages.wrongArguments(node.name.name, args.map(typeNameOf), writtenForms(found)), node);
    this.at = node;
    return this.#given(form.apply(this.#budget, args), node);
  }

  /**
   * Which item of a list is its last may be known before all of its items are. Its length is known where all of them will be there; before
   * that only where it picks one item, because some of the list may be skipped.
   */
  #partly({ name: { name }, ...place }: Call, list: Unknown): Outcome | undefined {
    if (!list.here || !(name === 'last' || name === 'size')) return undefined;
    if (name === 'size' && !this.#picks && !this.#world.isWhole?.(list.here)) return undefined;
    const length = this.#world.lengthOf?.(list.here);
    if (length === undefined || (name === 'last' && length === 0)) return undefined;
    return name === 'size' ? BigInt(length) : this.#read([...list.here, length - 1], place);
  }

  #bind({ variable, value, body }: Bind, around: Bound | undefined): Outcome {
    return this.run(body, { name: variable, value: this.run(value, around), around });
  }

  #loop(node: Loop, around: Bound | undefined): Outcome {
    const over = this.run(node.over, around);
    if (over instanceof Unknown) return this.#loopAhead(node, over, around) ?? this.#whole(over);
    if (!isValue(over)) return over;
    this.at = node;
    if (!isList(over) && !isMap(over)) return new Failed(messages.notLoopable(node.loop, typeNameOf(over)), node.over);
    const items = isList(over) ? itemsOf(over, this.#budget) : keysOf(over);
    const each: Each = (body, value) => this.run(body, { name: node.variable, value, around });
    switch (node.loop) {
      case 'all':
      case 'exists':
        return this.#quantified(node, items, each);
      case 'exists_one': {
        const kept = this.#kept(node.body, items, each);
        return isStopped(kept) ? kept : kept.length === 1;
      }
      case 'filter':
        return this.#kept(node.body, items, each);
      case 'map': {
        const kept = node.condition ? this.#kept(node.condition, items, each) : items;
        return isStopped(kept) ? kept : this.#mapped(node.body, kept, each);
      }
      case 'sortBy': {
        const keys = this.#mapped(node.body, items, each);
        if (isStopped(keys)) return keys;
        this.at = node;
        return this.#given(sorted(this.#budget, items, keys), node.body);
      }
    }
  }

  /** A loop over items that are not known, which reads only what is known of each: `steps.still.map(s, s.matrix.who)`. */
  #loopAhead({ loop, variable, condition, body }: Loop, { here }: Unknown, around: Bound | undefined): Cel | undefined {
    if (loop !== 'map' || condition || !here || !this.#world.isWhole?.(here)) return undefined;
    const made: Cel[] = [];
    for (let at = 0; at < (this.#world.lengthOf?.(here) ?? 0); at++) {
      const value = this.run(body, { name: variable, value: unknownAt([...here, at]), around });
      if (!isValue(value)) return undefined;
      made.push(value);
    }
    this.#budget.items(made.length);
    return made;
  }

  /** langdef.md, "Macros": an item that decides is enough, whatever comes of the others. */
  #quantified({ loop, body }: Loop, items: readonly Cel[], each: Each): Outcome {
    const deciding = loop === 'exists';
    let failed: Failed | undefined;
    let unknown: Unknown | undefined;
    for (const item of items) {
      const holds = this.#truth(each(body, item), body, 'loop');
      if (holds === deciding) return deciding;
      if (holds instanceof Failed) failed ??= holds;
      else if (holds instanceof Unknown) unknown ??= holds;
    }
    return unknown ?? failed ?? !deciding;
  }

  #kept(condition: Expr, items: readonly Cel[], each: Each): readonly Cel[] | Failed | Unknown {
    const made = this.#each(items, item => this.#truth(each(condition, item), condition, 'loop'));
    if (isStopped(made)) return made;
    const kept = items.filter((_, at) => made[at] === true);
    this.#budget.items(kept.length);
    return kept;
  }

  #mapped(body: Expr, items: readonly Cel[], each: Each): readonly Cel[] | Failed | Unknown {
    this.#budget.items(items.length);
    return this.#each(items, item => each(body, item));
  }

  /** Ends at the first that fails; what is not known is asked for at once. */
  #each(items: readonly Cel[], run: (item: Cel) => Outcome): readonly Cel[] | Failed | Unknown {
    const made: Cel[] = [];
    const without: (Failed | Unknown)[] = [];
    for (const item of items) {
      const value = run(item);
      if (isValue(value)) made.push(value);
      else without.push(value);
      if (value instanceof Failed) break;
    }
    return unless(without) ?? made;
  }

  /** All of them, or why there is none. */
  #all(nodes: readonly Expr[], bound: Bound | undefined): readonly Cel[] | Failed | Unknown {
    const outcomes = nodes.map(node => this.run(node, bound));
    return unless(outcomes) ?? (outcomes as readonly Cel[]);
  }

  #given(value: Cel | Refused, place: Place): Outcome {
    return value instanceof Refused ? new Failed(value.message, place) : value;
  }

  /** What is made of something that is not known is no longer the value at its path. */
  #whole(outcome: Failed | Unknown): Failed | Unknown {
    return outcome instanceof Unknown && outcome.here ? new Unknown(outcome.needs) : outcome;
  }
}

/** A field of nothing is not there; one of a number is a mistake. */
const absentIn = (value: Cel): 'part' | undefined => (value === null ? 'part' : undefined);

/** `steps.still[2].result_url` */
export const writtenPath = ([root, ...rest]: Path): string =>
  root + rest.map(part => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
