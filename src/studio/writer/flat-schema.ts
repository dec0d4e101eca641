/** A schema made plain: references followed, `allOf` joined, one branch of each choice taken. */
import { canonical, isObject, type Json, type JsonObject } from '../../domain/json.ts';
import { textMatching } from './pattern.ts';
import { arrayOf, type Choices, Impossible } from './schema-choices.ts';

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

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
    const parts: JsonObject[] = [own];
    const add = (part: Json | undefined) => part !== undefined && parts.push(this.flat(part, depth + 1));
    if (typeof $ref === 'string') add(this.#find($ref));
    for (const part of arrayOf(allOf)) add(part);
    for (const branches of [anyOf, oneOf]) if (arrayOf(branches).length > 0) add(this.#branch(arrayOf(branches)));
    if (condition !== undefined && (then !== undefined || otherwise !== undefined)) {
      if (this.#choices.pick(2) === 0) {
        add(condition);
        add(then);
      } else add(otherwise);
    }
    for (const part of Object.values(isObject(dependentSchemas) ? dependentSchemas : {})) add(part);
    return parts.reduce(joined);
  }

  /** `null` is the last thing anybody wants to read. */
  #branch(branches: readonly Json[]): Json {
    const isNull = (branch: Json) => isObject(branch) && (branch.type === 'null' || branch.const === null);
    const order = [...branches.filter(branch => !isNull(branch)), ...branches.filter(isNull)];
    return order[this.#choices.pick(order.length)] ?? true;
  }

  typeOf(schema: JsonObject, name: string, choices: Choices): JsonType {
    const types = [schema.type ?? []].flat().filter(type => typeof type === 'string') as JsonType[];
    if (types.length > 0) {
      const order = [...types.filter(type => type !== 'null'), ...types.filter(type => type === 'null')];
      return order[choices.pick(order.length)] ?? 'string';
    }
    const has = (...keys: readonly string[]) => keys.some(key => schema[key] !== undefined);
    if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames'))
      return 'object';
    if (has('items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'uniqueItems')) return 'array';
    if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
    return name === '' && Object.keys(schema).every(key => /^\$|^title$|^description$/.test(key)) ? 'object' : 'string';
  }

  property(schema: JsonObject, name: string): Json {
    const parts: Json[] = [];
    if (isObject(schema.properties) && schema.properties[name] !== undefined) parts.push(schema.properties[name]);
    for (const [pattern, part] of Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {})) {
      if (new RegExp(pattern, 'u').test(name)) parts.push(part);
    }
    if (parts.length === 0) return schema.additionalProperties ?? true;
    return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts };
  }

  /** A name for a property that the schema does not name. */
  newName(schema: JsonObject, n: number, of: string): string {
    const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    const names = isObject(schema.propertyNames) ? schema.propertyNames : {};
    const fixed = arrayOf(names.enum)[n - 1];
    if (typeof fixed === 'string') return fixed;
    const pattern =
      typeof names.pattern === 'string'
        ? names.pattern
        : schema.additionalProperties === false || schema.additionalProperties === undefined
          ? patterns[(n - 1) % Math.max(1, patterns.length)]
          : undefined;
    const made = pattern === undefined ? undefined : textMatching(pattern, n - 1);
    if (made !== undefined) return made;
    return `${of === '' ? 'part' : of.replace(/s$/, '')}_${n}`;
  }

  #find(ref: string): Json {
    if (!ref.startsWith('#')) throw new Impossible(`the schema refers to ${ref}, which is not in it`);
    const pointer = decodeURIComponent(ref.slice(1));
    if (pointer !== '' && !pointer.startsWith('/')) return anchored(this.#root, pointer) ?? this.#lost(ref);
    let at: Json | undefined = this.#root;
    for (const part of pointer.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined;
    }
    return at ?? this.#lost(ref);
  }

  #lost(ref: string): never {
    throw new Impossible(`the schema refers to ${ref}, which is not in it`);
  }
}

function anchored(schema: Json, name: string): Json | undefined {
  if (isObject(schema) && schema.$anchor === name) return schema;
  const inside = isObject(schema) ? Object.values(schema) : Array.isArray(schema) ? (schema as readonly Json[]) : [];
  for (const part of inside) {
    const found = typeof part === 'object' && part !== null ? anchored(part, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Both at once, as far as that can be said in one schema; what cannot is found out by the check at the end. */
function joined(a: JsonObject, b: JsonObject): JsonObject {
  const both: { [name: string]: Json } = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const had = both[key];
    both[key] = had === undefined ? value : join(key, had, value);
  }
  return both;
}

function join(key: string, a: Json, b: Json): Json {
  switch (key) {
    case 'properties':
    case 'patternProperties':
      return isObject(a) && isObject(b) ? eachJoined(a, b) : b;
    case 'items':
    case 'additionalProperties':
    case 'contains':
    case 'propertyNames':
      if (a === false || b === false) return false;
      return isObject(a) && isObject(b) ? { allOf: [a, b] } : isObject(a) ? a : b;
    case 'required':
      return [...new Set([...arrayOf(a), ...arrayOf(b)])];
    case 'enum': {
      const seen = new Set(arrayOf(b).map(canonical));
      const kept = arrayOf(a).filter(value => seen.has(canonical(value)));
      if (kept.length === 0) throw new Impossible('two lists of allowed values have none in common');
      return kept;
    }
    case 'type': {
      const [mine, theirs] = [[a].flat(), [b].flat()];
      const kept = mine.flatMap(type =>
        theirs.includes(type)
          ? [type]
          : type === 'number' && theirs.includes('integer')
            ? ['integer']
            : type === 'integer' && theirs.includes('number')
              ? ['integer']
              : [],
      );
      if (kept.length === 0) throw new Impossible(`nothing is both ${mine.join(' or ')} and ${theirs.join(' or ')}`);
      return kept as readonly Json[];
    }
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return Math.max(Number(a), Number(b));
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return Math.min(Number(a), Number(b));
    case 'multipleOf':
      return Number(a) % Number(b) === 0 ? a : Number(b) % Number(a) === 0 ? b : Number(a) * Number(b);
    default:
      return b;
  }
}

function eachJoined(a: JsonObject, b: JsonObject): JsonObject {
  const both: { [name: string]: Json } = { ...a };
  for (const [name, part] of Object.entries(b)) {
    const had = both[name];
    both[name] =
      had === undefined || had === true
        ? part
        : part === true
          ? had
          : had === false || part === false
            ? false
            : { allOf: [had, part] };
  }
  return both;
}
