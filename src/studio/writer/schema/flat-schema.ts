/** A schema made plain: references followed, `allOf` joined, one branch of each choice taken. */
import { canonical, isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import { textMatching } from './pattern.ts';

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
