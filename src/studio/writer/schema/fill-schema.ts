/**
 * Fills any JSON Schema with values that suit the names of their fields, changed as far as the schema demands. Where a schema leaves a
 * choice (a branch, an optional field, a length), the likeliest is tried first. The schema checks each answer; one that does not fit is
 * followed by answers with other choices. Considered and dropped: json-schema-faker 0.6, whose answers fit 29 of the 38 schemas of
 * `chat-schema.test.ts`, and mean nothing.
 */
import { schemaProblem, violations } from '../../../api/answer-schema.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import { invalid } from '../../shared/http-refusal.ts';
import { Random } from '../../shared/random.ts';
import type { Material } from '../material.ts';
import { fitNumber, fitText, textMatching } from './fit.ts';
import { arrayOf, type Choose, chosen, flatten, Impossible, objectOf } from './flat-schema.ts';
import { numberFor, type Spot, textFor, unitNamed, yesOrNo } from './property-values.ts';

const MAX_TRIES = 300;
const MAX_ITEMS = 1_000;
/** From here on, only what a schema that refers to itself requires. */
const DEEP = 6;
const WHERE = 'response_format.json_schema.schema';

/** @throws {HttpRefusal} 400 for a schema that is none, and for one that nothing fits. */
export function fillSchema(given: Json, material: Material): Json {
  const schema: JsonObject = isObject(given) ? given : given === false ? { not: {} } : {};
  const problem = schemaProblem(schema)?.replace(/^Maximum call stack.*/, 'it refers to itself without end');
  if (problem !== undefined) throw invalid([{ path: WHERE, message: `${WHERE} is no JSON Schema: ${problem}` }]);
  let why = '';
  let hasChoice = true;
  for (let tried = 0; hasChoice && tried < MAX_TRIES; tried++) {
    const random = new Random(`choices ${tried}`);
    const choose: Choose = ways => {
      hasChoice ||= ways > 1;
      return random.chance(tried / MAX_TRIES) ? random.whole(0, ways - 1) : 0;
    };
    hasChoice = false;
    try {
      const value = new Filling(schema, material, choose).value(schema, TOP, 0);
      const reasons = violations(schema, value);
      if (reasons.length === 0) return value;
      why ||= reasons[0] ?? '';
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      why ||= error.message;
    }
  }
  throw invalid([{ path: WHERE, message: `no answer was found that fits ${WHERE}: ${why}` }]);
}

const TOP: Spot = { name: '', among: [], index: 0, of: 0, beat: undefined };

/** Keywords that tell the type of a schema without one. */
const TYPICAL: readonly (readonly [type: string, keys: RegExp])[] = [
  ['object', /^(?:properties|required|additionalProperties|patternProperties|minProperties|propertyNames)$/],
  ['array', /^(?:items|prefixItems|minItems|maxItems|contains|uniqueItems)$/],
  ['number', /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
];

class Filling {
  readonly #root: JsonObject;
  readonly #material: Material;
  readonly #choose: Choose;

  constructor(root: JsonObject, material: Material, choose: Choose) {
    this.#root = root;
    this.#material = material;
    this.#choose = choose;
  }

  value(given: Json, spot: Spot, depth: number): Json {
    if (depth > 24) throw new Impossible('the schema goes on for ever');
    const schema = flatten(given, this.#root, this.#choose);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return this.#oneOf(schema.enum, spot);
    const type = this.#typeOf(schema, spot.name);
    switch (type) {
      case 'object':
        return this.#object(schema, spot, depth);
      case 'array':
        return this.#list(schema, spot, depth);
      case 'integer':
      case 'number': {
        const { minimum: from, maximum: to } = schema;
        const scale =
          typeof from === 'number' && typeof to === 'number' && from < to ? ([from, to] as const) : undefined;
        return fitNumber(schema, numberFor(this.#material, spot, scale), type === 'integer');
      }
      case 'boolean':
        return yesOrNo(this.#material, spot) === (this.#choose(2) === 0);
      case 'null':
        return null;
      default:
        return fitText(schema, textFor(this.#material, spot), spot.index);
    }
  }

  #typeOf(schema: JsonObject, name: string): Json {
    const types = [schema.type ?? []].flat();
    if (types.length > 0) return chosen(types, this.#choose);
    const keys = Object.keys(schema);
    const typical = TYPICAL.find(([, pattern]) => keys.some(key => pattern.test(key)))?.[0];
    return typical ?? (name === '' && keys.every(key => /^\$|^title$|^description$/.test(key)) ? 'object' : 'string');
  }

  /** One that the story names; in a list each its own. */
  #oneOf(values: readonly Json[], spot: Spot): Json {
    const { idea, time, mood } = this.#material.story;
    const text = `${textFor(this.#material, spot)} ${idea} ${time} ${mood}`.toLowerCase();
    const likely = values.findIndex(
      value => typeof value === 'string' && value !== '' && text.includes(value.toLowerCase().replaceAll(/[_-]/g, ' ')),
    );
    return values[((likely >= 0 ? likely : spot.index) + this.#choose(values.length)) % values.length] ?? null;
  }

  #object(schema: JsonObject, spot: Spot, depth: number): JsonObject {
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY, additionalProperties } = schema;
    const properties = objectOf(schema.properties);
    const known = Object.keys(properties).filter(name => properties[name] !== false);
    const required = arrayOf(schema.required).map(String);
    const isFull = this.#choose(2) === (depth < DEEP ? 0 : 1);
    const optional = known.filter(name => isFull && !required.includes(name));
    const names = new Set([...required, ...optional].slice(0, Math.max(required.length, Number(maxProperties))));
    for (const [name, needed] of Object.entries(objectOf(schema.dependentRequired)))
      if (names.has(name)) for (const other of arrayOf(needed)) names.add(String(other));
    const isMap = known.length === 0 && (isObject(additionalProperties) || isObject(schema.patternProperties));
    const wanted = Math.min(Number(maxProperties), Math.max(Number(minProperties), isMap && isFull ? 3 : 0));
    for (let n = 0; names.size < wanted && n < MAX_ITEMS; n++) names.add(newName(schema, n, spot.name));
    // In the order of the schema.
    const order = [...known.filter(name => names.has(name)), ...[...names].filter(name => !known.includes(name))];
    const part = (name: string) => this.value(propertySchema(schema, name), { ...spot, name, among: order }, depth + 1);
    return Object.fromEntries(order.map(name => [name, part(name)]));
  }

  #list(schema: JsonObject, spot: Spot, depth: number): readonly Json[] {
    const { items = true, contains, minItems, maxItems, minContains } = schema;
    const prefix = arrayOf(schema.prefixItems);
    const least = Number(minItems ?? 0);
    const most = Math.min(Number(maxItems ?? Number.POSITIVE_INFINITY), items === false ? prefix.length : Infinity);
    if (least > MAX_ITEMS)
      throw new Impossible(`a list of ${least.toLocaleString('en')} items is longer than this writer writes`);
    if (least > most) throw new Impossible(`a list of at least ${least} items has at most ${most}`);
    const asked = this.#material.count(unitNamed(spot.name)) ?? Math.max(3, prefix.length);
    const usual = prefix.length > 0 && schema.items === undefined ? prefix.length : asked;
    const lengths = [depth < DEEP ? usual : least, least, least + 1, 12].map(one =>
      Math.min(most, Math.max(least, one)),
    );
    const length = lengths[this.#choose(lengths.length)] ?? least;
    const beats = length > 0 && length <= 100 ? this.#material.beats(length) : [];
    const containing = contains === undefined ? 0 : Math.max(1, Number(minContains ?? 1));
    const made: Json[] = [];
    for (let index = 0; index < Math.max(length, containing); index++) {
      const item = prefix[index] ?? items;
      const own = index < containing ? { allOf: [item, contains ?? true] } : item;
      const at = { ...spot, index, of: Math.max(length, containing), beat: beats[index] ?? spot.beat };
      made.push(this.#item(schema.uniqueItems === true ? made : [], own, at, depth + 1));
    }
    return made;
  }

  /** One that is not among those; after a few tries, the schema's own check decides. */
  #item(others: readonly Json[], schema: Json, spot: Spot, depth: number): Json {
    const seen = new Set(others.map(canonical));
    let value = this.value(schema, spot, depth);
    for (let n = 1; seen.has(canonical(value)) && n <= 24; n++)
      value = this.value(schema, { ...spot, index: spot.index + n }, depth);
    return value;
  }
}

function propertySchema(schema: JsonObject, name: string): Json {
  const own = Object.hasOwn(objectOf(schema.properties), name) ? [objectOf(schema.properties)[name] ?? true] : [];
  const matching = Object.entries(objectOf(schema.patternProperties))
    .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    .map(([, part]) => part);
  const parts = [...own, ...matching];
  return parts.length === 0 ? (schema.additionalProperties ?? true) : { allOf: parts };
}

/** A name for the nth property that the schema does not name. */
function newName(schema: JsonObject, n: number, of: string): string {
  const { enum: names, pattern } = objectOf(schema.propertyNames);
  const fixed = arrayOf(names)[n];
  if (typeof fixed === 'string') return fixed;
  const patterns = schema.additionalProperties ? [] : Object.keys(objectOf(schema.patternProperties));
  const rule = pattern ?? patterns[n % Math.max(1, patterns.length)];
  const made = typeof rule === 'string' ? textMatching(rule, n) : undefined;
  return made ?? `${of === '' ? 'part' : of.replace(/s$/, '')}_${n + 1}`;
}
