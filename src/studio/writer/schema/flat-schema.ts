/** A schema made plain: references followed, `allOf` joined, one branch of each choice taken. */
import { canonical, isObject, type Json, type JsonObject } from '../../../model/text/json.ts';

/** Nothing fits, or nothing was found that does; the message says why. */
export class Impossible extends Error {}

/** Each choice takes the next number of a list, and 0 once it has run out; `sizes` says how many ways each choice had. */
export class Choices {
  readonly sizes: number[] = [];
  readonly #taken: readonly number[];

  constructor(taken: readonly number[]) {
    this.#taken = taken;
  }

  pick(size: number): number {
    const at = this.sizes.push(size) - 1;
    return Math.min(this.#taken[at] ?? 0, size - 1);
  }
}

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const numberOr = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
/** Keywords that tell the type of a schema without one. */
const TYPICAL: readonly (readonly [JsonType, RegExp])[] = [
  ['object', /^(?:properties|required|additionalProperties|patternProperties|minProperties|propertyNames)$/],
  ['array', /^(?:items|prefixItems|minItems|maxItems|contains|uniqueItems)$/],
  ['number', /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
];

export class Schemas {
  readonly #root: JsonObject;
  readonly #choices: Choices;

  constructor(root: JsonObject, choices: Choices) {
    this.#root = root;
    this.#choices = choices;
  }

  flat(given: Json, depth = 0): JsonObject {
    if (given === false) throw new Impossible('nothing is allowed where something must be');
    if (!isObject(given)) return {};
    if (depth > 40) throw new Impossible('the schema refers to itself and to nothing else');
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas, ...own } = given;
    const more: (Json | undefined)[] = [typeof $ref === 'string' ? this.#find($ref) : undefined, ...arrayOf(allOf)];
    for (const branches of [arrayOf(anyOf), arrayOf(oneOf)])
      if (branches.length > 0) more.push(this.#nullLast(branches));
    if (condition !== undefined && (then !== undefined || otherwise !== undefined))
      more.push(...(this.#choices.pick(2) === 0 ? [condition, then] : [otherwise]));
    more.push(...Object.values(objectOf(dependentSchemas)));
    return more.flatMap(part => (part === undefined ? [] : [this.flat(part, depth + 1)])).reduce(joined, own);
  }

  /** `null` is the last thing anybody wants to read. */
  #nullLast(options: readonly Json[]): Json {
    const isNull = (one: Json) => one === 'null' || (isObject(one) && (one.type === 'null' || one.const === null));
    const order = [...options.filter(one => !isNull(one)), ...options.filter(isNull)];
    return order[this.#choices.pick(order.length)] ?? true;
  }

  typeOf(schema: JsonObject, name: string): JsonType {
    const types = [schema.type ?? []].flat();
    if (types.length > 0) return this.#nullLast(types as readonly Json[]) as JsonType;
    const keys = Object.keys(schema);
    const typical = TYPICAL.find(([, pattern]) => keys.some(key => pattern.test(key)))?.[0];
    return typical ?? (name === '' && keys.every(key => /^\$|^title$|^description$/.test(key)) ? 'object' : 'string');
  }

  property(schema: JsonObject, name: string): Json {
    const own = objectOf(schema.properties)[name];
    const matching = Object.entries(objectOf(schema.patternProperties)).filter(([pattern]) =>
      new RegExp(pattern, 'u').test(name),
    );
    const parts = [...(own === undefined ? [] : [own]), ...matching.map(([, part]) => part)];
    if (parts.length === 0) return schema.additionalProperties ?? true;
    return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts };
  }

  /** A name for the nth property that the schema does not name. */
  newName(schema: JsonObject, n: number, of: string): string {
    const names = objectOf(schema.propertyNames);
    const fixed = arrayOf(names.enum)[n - 1];
    if (typeof fixed === 'string') return fixed;
    const patterns = schema.additionalProperties ? [] : Object.keys(objectOf(schema.patternProperties));
    const pattern =
      typeof names.pattern === 'string' ? names.pattern : patterns[(n - 1) % Math.max(1, patterns.length)];
    const made = pattern === undefined ? undefined : textMatching(pattern, n - 1);
    return made ?? `${of === '' ? 'part' : of.replace(/s$/, '')}_${n}`;
  }

  #find(ref: string): Json {
    const pointer = ref.startsWith('#') ? decodeURIComponent(ref.slice(1)) : undefined;
    let at: Json | undefined = pointer === undefined ? undefined : this.#root;
    if (pointer && !pointer.startsWith('/')) at = anchored(this.#root, pointer);
    else
      for (const part of pointer?.split('/').slice(1) ?? []) {
        const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
        at = Array.isArray(at) ? at[Number(key)] : objectOf(at)[key];
      }
    if (at === undefined) throw new Impossible(`the schema refers to ${ref}, which is not in it`);
    return at;
  }
}

function anchored(schema: Json, name: string): Json | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (isObject(schema) && schema.$anchor === name) return schema;
  for (const part of Object.values(schema) as readonly Json[]) {
    const found = anchored(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Both at once, as far as one schema can say that; the check of the whole answer finds the rest. */
function joined(a: JsonObject, b: JsonObject): JsonObject {
  const both: { [name: string]: Json } = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const had = both[key];
    both[key] = had === undefined ? value : (JOINS[key]?.(had, value) ?? value);
  }
  return both;
}

type Join = (a: Json, b: Json) => Json;
const most: Join = (a, b) => Math.max(Number(a), Number(b));
const least: Join = (a, b) => Math.min(Number(a), Number(b));
const both: Join = (a, b) =>
  a === false || b === false ? false : !isObject(a) ? b : !isObject(b) ? a : { allOf: [a, b] };
const eachBoth: Join = (a, b) => {
  const [mine, theirs] = [objectOf(a), objectOf(b)];
  return {
    ...mine,
    ...Object.fromEntries(Object.entries(theirs).map(([name, part]) => [name, both(mine[name] ?? true, part)])),
  };
};
const JOINS: Readonly<Record<string, Join>> = {
  ...{ properties: eachBoth, patternProperties: eachBoth },
  ...{ items: both, additionalProperties: both, contains: both, propertyNames: both },
  ...{ minimum: most, exclusiveMinimum: most, minLength: most, minItems: most, minProperties: most },
  ...{ maximum: least, exclusiveMaximum: least, maxLength: least, maxItems: least, maxProperties: least },
  required: (a, b) => [...new Set([...arrayOf(a), ...arrayOf(b)])],
  multipleOf: (a, b) => (Number(a) % Number(b) === 0 ? a : Number(b) % Number(a) === 0 ? b : Number(a) * Number(b)),
  enum: (a, b) => {
    const kept = arrayOf(a).filter(value => arrayOf(b).some(other => canonical(other) === canonical(value)));
    if (kept.length === 0) throw new Impossible('two lists of allowed values have none in common');
    return kept;
  },
  type: (a, b) => {
    const [mine, theirs] = [[a].flat(), [b].flat()] as [readonly string[], readonly string[]];
    const isIn = (type: string, types: readonly string[]) =>
      types.includes(type) || (type === 'integer' && types.includes('number'));
    const kept = [
      ...mine.filter(type => isIn(type, theirs)),
      ...theirs.filter(type => !mine.includes(type) && isIn(type, mine)),
    ];
    if (kept.length === 0) throw new Impossible(`nothing is both ${mine.join(' or ')} and ${theirs.join(' or ')}`);
    return kept;
  },
};

/**
 * A text that a regular expression matches, for schemas with a `pattern`: each part of it in its simplest form. Assertions are passed over
 * and back-references not read; the caller checks the text against the real expression.
 */

/** Undefined where the pattern cannot be read. `nth` changes what may change, so that several texts differ. */
export function textMatching(pattern: string, nth: number): string | undefined {
  try {
    const reader = new PatternReader(pattern, nth);
    const text = reader.alternatives();
    return reader.isAtEnd ? text : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** The nth repetition of an atom. */
type Atom = (n: number) => string;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '1234567890';
const CLASSES: Readonly<Record<string, string>> = {
  ...{ d: DIGITS, w: LETTERS, s: ' ', D: LETTERS, W: ' -', S: LETTERS },
  ...{ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' },
};

class PatternReader {
  readonly #source: string;
  readonly #nth: number;
  #at = 0;

  constructor(source: string, nth: number) {
    this.#source = source;
    this.#nth = nth;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  alternatives(): string {
    const all = [this.#sequence()];
    while (this.#take(/\|/)) all.push(this.#sequence());
    return all[this.#nth % all.length] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const atom = this.#atom();
      const times = this.#repeats();
      for (let n = 0; n < times; n++) text += atom(n);
    }
    return text;
  }

  /** The text that matches here, which is passed; undefined where nothing does. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source) ?? undefined;
    if (match) this.#at = sticky.lastIndex;
    return match;
  }

  #atom(): Atom {
    if (this.#take(/[*+?]/)) throw new Unreadable();
    if (this.#take(/[\^$]|\\[bB]/)) return () => '';
    if (this.#take(/\./)) return this.#oneOf(LETTERS);
    if (this.#take(/\[/)) return this.#oneOf(this.#characterClass());
    if (this.#take(/\(/)) {
      const isAssertion = this.#take(/\?<?[=!]/) !== undefined;
      this.#take(/\?(?::|<[a-zA-Z_]\w*>)/);
      const text = this.alternatives();
      if (!this.#take(/\)/)) throw new Unreadable();
      return () => (isAssertion ? '' : text);
    }
    const property = this.#take(/\\([pP])\{([^}]*)\}/);
    if (property) {
      const [, sign, kind = ''] = property;
      return this.#oneOf(
        sign === 'P' ? '-' : /^N/.test(kind) ? DIGITS : /Lu|Upper/.test(kind) ? LETTERS.toUpperCase() : LETTERS,
      );
    }
    const code = this.#take(/\\x([\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\u\{([\da-fA-F]+)\}/);
    if (code) return () => String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    if (this.#take(/\\[1-9]/)) throw new Unreadable();
    return this.#oneOf(this.#character());
  }

  /** One character, or all that a class like `\d` stands for. */
  #character(): string {
    const [, escaped, plain] = this.#take(/\\([\s\S])|([\s\S])/) ?? [];
    if (escaped === undefined && plain === undefined) throw new Unreadable();
    return plain ?? CLASSES[escaped ?? ''] ?? escaped ?? '';
  }

  /** The characters of `[…]`, letters first: a text of them reads best. */
  #characterClass(): string {
    const isNegated = this.#take(/\^/) !== undefined;
    let found = '';
    while (!this.#take(/\]/)) {
      const from = this.#character();
      const to = from.length === 1 && this.#take(/-(?!\])/) ? this.#character() : from;
      if (from.length > 1) found += from;
      for (
        let code = from.charCodeAt(0);
        from.length === 1 && code <= Math.min(to.charCodeAt(0), from.charCodeAt(0) + 200);
        code++
      )
        found += String.fromCharCode(code);
    }
    if (isNegated)
      return [...LETTERS, ...DIGITS, ...LETTERS.toUpperCase(), ' '].filter(char => !found.includes(char)).join('');
    return found.replace(/[^a-z]/g, '') || found;
  }

  #oneOf(characters: string): Atom {
    const all = [...characters];
    if (all.length === 0) throw new Unreadable();
    return n => all[(this.#nth + n) % all.length] ?? '';
  }

  /** The fewest that are allowed; three where that would be one or a few. */
  #repeats(): number {
    const [, from, comma, to] = this.#take(/\{(\d+)(,?)(\d*)\}/) ?? [];
    const sign = from === undefined ? this.#take(/[*+?]/)?.[0] : undefined;
    if (from === undefined && sign === undefined) return 1;
    this.#take(/\?/);
    if (sign !== undefined) return sign === '+' ? 3 : 0;
    const least = Number(from);
    if (least > MAX_REPEATS) throw new Unreadable();
    return Math.max(least, Math.min(3, comma === '' ? least : to === '' ? 3 : Number(to)));
  }
}

const MAX_REPEATS = 4096;
