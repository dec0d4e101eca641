/**
 * An answer that fits a JSON Schema, whatever the schema: values that mean something by their names, bent until they fit. Where a schema
 * leaves a choice (a branch, an optional field, a length), the likeliest is taken first. The schema itself checks the answer; the other
 * choices are tried one by one, then at random. Considered and dropped: json-schema-faker 0.6, whose answers fit 29 of the 38 schemas of
 * `chat-schema.test.ts`, and mean nothing.
 */
import { schemaProblem, violations } from '../../../api/answer-schema.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../../model/text/json.ts';
import { invalid } from '../../shared/http-refusal.ts';
import { Random } from '../../shared/random.ts';
import type { Material } from '../material.ts';
import { arrayOf, Choices, Impossible, numberOr, objectOf, Schemas, textMatching } from './flat-schema.ts';
import { numberFor, type Spot, slug, textFor, unitNamed, yesOrNo } from './property-values.ts';

const MOST_TRIES = 800;
const DEEPEST = 6;
const MOST_ITEMS = 1_000;
const WHERE = 'response_format.json_schema.schema';

/** @throws {Refusal} 400 for a schema that is none, and for one that nothing fits. */
export function fillSchema(given: Json, material: Material): Json {
  const schema: JsonObject = isObject(given) ? given : given === false ? { not: {} } : {};
  const problem = schemaProblem(schema)?.replace(/^Maximum call stack.*/, 'it refers to itself without end');
  if (problem !== undefined) throw invalid([{ path: WHERE, message: `${WHERE} is no JSON Schema: ${problem}` }]);
  let why = '';
  for (const choices of tries()) {
    try {
      const value = new Filling(schema, material, choices).value(schema, TOP, 0);
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

/** First everything as is likeliest, then every single other choice, then at random; always in the same order. */
function* tries(): Iterable<Choices> {
  const plain = new Choices([]);
  yield plain;
  let tried = 1;
  const sizes = [...plain.sizes].slice(0, 80);
  for (const [at, size] of sizes.entries()) {
    for (let other = 1; other < Math.min(size, 16) && tried < MOST_TRIES / 2; other++, tried++) {
      yield new Choices([...Array<number>(at).fill(0), other]);
    }
  }
  const random = new Random('other choices');
  for (; tried < MOST_TRIES && sizes.length > 0; tried++) {
    yield new Choices(Array.from({ length: 40 }, () => (random.chance(0.4) ? random.whole(0, 7) : 0)));
  }
}

class Filling {
  readonly #schemas: Schemas;
  readonly #material: Material;
  readonly #choices: Choices;

  constructor(root: JsonObject, material: Material, choices: Choices) {
    this.#schemas = new Schemas(root, choices);
    this.#material = material;
    this.#choices = choices;
  }

  value(given: Json, spot: Spot, depth: number): Json {
    if (depth > 24) throw new Impossible('the schema goes on for ever');
    const schema = this.#schemas.flat(given);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return this.#oneOf(schema.enum, spot);
    switch (this.#schemas.typeOf(schema, spot.name)) {
      case 'object':
        return this.#object(schema, spot, depth);
      case 'array':
        return this.#list(schema, spot, depth);
      case 'integer':
        return fitNumber(schema, Math.round(numberFor(this.#material, spot, scaleOf(schema))), true);
      case 'number':
        return fitNumber(schema, numberFor(this.#material, spot, scaleOf(schema)), false);
      case 'boolean':
        return this.#choices.pick(2) === 0 ? yesOrNo(this.#material, spot) : !yesOrNo(this.#material, spot);
      case 'null':
        return null;
      default:
        return fitText(schema, textFor(this.#material, spot), spot.index);
    }
  }

  /** One that the story names; in a list each its own. */
  #oneOf(values: readonly Json[], spot: Spot): Json {
    const { idea, time, mood } = this.#material.story;
    const said = `${textFor(this.#material, spot)} ${idea} ${time} ${mood}`.toLowerCase();
    const likely = values.findIndex(
      value => typeof value === 'string' && value !== '' && said.includes(value.toLowerCase().replaceAll(/[_-]/g, ' ')),
    );
    const from = likely >= 0 ? likely : spot.index;
    return values[(from + this.#choices.pick(values.length)) % values.length] ?? null;
  }

  #object(schema: JsonObject, spot: Spot, depth: number): JsonObject {
    const properties = objectOf(schema.properties);
    const required = arrayOf(schema.required).map(String);
    const most = numberOr(schema.maxProperties, Number.POSITIVE_INFINITY);
    // Deep in a schema that refers to itself, only what must be there.
    const isFull = this.#choices.pick(2) === (depth < DEEPEST ? 0 : 1);
    const optional = Object.keys(properties).filter(
      name => isFull && !required.includes(name) && properties[name] !== false,
    );
    const names = [...required, ...optional].slice(0, Math.max(required.length, most));
    for (const [name, needed] of Object.entries(objectOf(schema.dependentRequired)))
      if (names.includes(name))
        names.push(
          ...arrayOf(needed)
            .map(String)
            .filter(one => !names.includes(one)),
        );
    const isMap =
      Object.keys(properties).length === 0 &&
      (isObject(schema.additionalProperties) || isObject(schema.patternProperties));
    const usual = isMap && isFull ? Math.max(names.length, 3) : names.length;
    const wanted = Math.min(most, Math.max(numberOr(schema.minProperties, 0), usual));
    for (let n = 1; names.length < wanted && n <= MOST_ITEMS; n++) {
      const name = this.#schemas.newName(schema, n, spot.name);
      if (!names.includes(name)) names.push(name);
    }
    // In the order of the schema.
    const order = [...new Set([...Object.keys(properties), ...names])].filter(name => names.includes(name));
    return Object.fromEntries(
      order.map(name => [
        name,
        this.value(this.#schemas.property(schema, name), { ...spot, name, among: names }, depth + 1),
      ]),
    );
  }

  #list(schema: JsonObject, spot: Spot, depth: number): readonly Json[] {
    const prefix = arrayOf(schema.prefixItems);
    const items = schema.items ?? true;
    const least = numberOr(schema.minItems, 0);
    const most = Math.min(
      numberOr(schema.maxItems, Number.POSITIVE_INFINITY),
      items === false ? prefix.length : Number.POSITIVE_INFINITY,
    );
    if (least > MOST_ITEMS)
      throw new Impossible(`a list of ${least.toLocaleString('en')} items is longer than this writer writes`);
    if (least > most) throw new Impossible(`a list of at least ${least} items has at most ${most}`);
    const asked = this.#material.count(unitNamed(spot.name)) ?? Math.max(3, prefix.length);
    const usual = prefix.length > 0 && schema.items === undefined ? prefix.length : asked;
    const likely = depth < DEEPEST ? Math.min(most, Math.max(least, usual)) : least;
    const lengths = [...new Set([likely, least, Math.min(most, least + 1), Math.min(most, 12)])].filter(
      length => length >= least,
    );
    const length = lengths[this.#choices.pick(lengths.length)] ?? likely;
    const beats = length > 0 && length <= 100 ? this.#material.beats(length) : [];
    const contains = schema.contains === undefined ? 0 : Math.max(1, numberOr(schema.minContains, 1));
    const made: Json[] = [];
    const of = Math.max(length, contains);
    for (let index = 0; index < of; index++) {
      const item = prefix[index] ?? items;
      const own = index < contains ? { allOf: [item, schema.contains ?? true] } : item;
      const at = { ...spot, index, of, beat: beats[index] ?? spot.beat };
      made.push(schema.uniqueItems === true ? this.#unlike(made, own, at, depth + 1) : this.value(own, at, depth + 1));
    }
    return made;
  }

  /** One that is not among those; after a few tries, the schema's own check has the last word. */
  #unlike(made: readonly Json[], schema: Json, spot: Spot, depth: number): Json {
    const seen = new Set(made.map(canonical));
    let value = this.value(schema, spot, depth);
    for (let n = 1; seen.has(canonical(value)) && n <= 24; n++)
      value = this.value(schema, { ...spot, index: spot.index + n }, depth);
    return value;
  }
}

const scaleOf = ({ minimum, maximum }: JsonObject): readonly [from: number, to: number] | undefined =>
  typeof minimum === 'number' && typeof maximum === 'number' && minimum < maximum ? [minimum, maximum] : undefined;

/** A number or a text that means something, bent as little as it takes to fit its schema. */
function fitNumber(schema: JsonObject, likely: number, isWhole: boolean): number {
  const [least, most] = [numberOr(schema.minimum, -Infinity), numberOr(schema.maximum, Infinity)];
  const [above, below] = [numberOr(schema.exclusiveMinimum, -Infinity), numberOr(schema.exclusiveMaximum, Infinity)];
  const [low, high] = [Math.max(least, above), Math.min(most, below)];
  if (low > high) throw new Impossible(`no number is at least ${low} and at most ${high}`);
  const step = stepOf(numberOr(schema.multipleOf, 0), isWhole);
  const inside = Number.isFinite(low + high) ? (low + high) / 2 : Number.isFinite(low) ? low + 1 : high - 1;
  const multiple = (value: number) => exact(value * step);
  const tries =
    step === 0
      ? [likely, least, most, inside, low + 1e-3]
      : [
          Math.round(likely / step),
          Math.ceil(low / step),
          Math.ceil(low / step) + 1,
          Math.floor(high / step),
          Math.floor(high / step) - 1,
        ].map(multiple);
  const found = tries.find(
    value => Number.isFinite(value) && value >= least && value <= most && value > above && value < below,
  );
  if (found === undefined)
    throw new Impossible(
      step === 0
        ? `no number lies between ${low} and ${high}`
        : `no multiple of ${step} lies between ${low} and ${high}`,
    );
  return found;
}

/** 0 for any number. Whole numbers are multiples of one; every second multiple of a half is whole, too. */
function stepOf(multipleOf: number, isWhole: boolean): number {
  if (!isWhole || multipleOf === 0) return multipleOf || Number(isWhole);
  for (let times = 1; times <= 10_000; times++) {
    const step = exact(multipleOf * times);
    if (Number.isInteger(step)) return step;
  }
  throw new Impossible(`no whole number is a multiple of ${multipleOf}`);
}

/** Without the tail of binary fractions: 0.1 × 3. */
const exact = (value: number): number => Number(value.toPrecision(12));

function fitText(schema: JsonObject, likely: string, nth: number): string {
  const [least, most] = [numberOr(schema.minLength, 0), numberOr(schema.maxLength, Infinity)];
  if (least > most) throw new Impossible(`no text has at least ${least} and at most ${most} characters`);
  if (least > MAX_TEXT)
    throw new Impossible(`a text of ${least.toLocaleString('en')} characters is longer than this writer writes`);
  if (typeof schema.pattern === 'string') return patterned(schema.pattern, likely, nth, least, most);
  const made = typeof schema.format === 'string' ? FORMATS[schema.format]?.(nth, likely) : undefined;
  return made ?? lengthened(shortened(likely, most), least, most);
}

const MAX_TEXT = 100_000;

function patterned(pattern: string, likely: string, nth: number, least: number, most: number): string {
  const expression = new RegExp(pattern, 'u');
  const short = slug(likely);
  // Repeats inside repeats take for ever on a long text that nearly fits: there, only what was made for the pattern is tried.
  const isSafe = !/[*+}]\)[*+{]|\)[*+{]/.test(pattern);
  const prose = isSafe
    ? [likely, short, short.replaceAll('-', '_'), short.slice(0, Math.min(most, 24)).replace(/-$/, '')]
    : [];
  const stretched = pattern.replace(/(\]|\.|\\[wdsS])(?:[+*]|\{\d+,\})/, `$1{${least}}`);
  const made = [
    textMatching(pattern, nth),
    textMatching(stretched, nth),
    textMatching(pattern, nth + 1),
    textMatching(pattern, 0),
  ];
  const found = [...prose, ...made].find(
    text => text !== undefined && [...text].length >= least && [...text].length <= most && expression.test(text),
  );
  if (found === undefined) throw new Impossible(`no text was found that matches ${pattern}`);
  return found;
}

/** Whole words, where there are any. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/[\s,;:—-]+$/, '');
  return words.length > most / 2 ? words : cut;
}

const FILLERS = [
  'seen from where the light is',
  'held a little longer than expected',
  'with nothing else in the frame',
  'and then the cut',
];

function lengthened(text: string, least: number, most: number): string {
  let long = text;
  for (let n = 0; [...long].length < least; n++) long += `${long === '' ? '' : ', '}${FILLERS[n % FILLERS.length]}`;
  const kept = shortened(long, most);
  return [...kept].length >= least ? kept : [...long].slice(0, least).join('');
}

type Format = (nth: number, likely: string) => string;
const two = (n: number): string => String(n).padStart(2, '0');
const email: Format = nth => `crew${nth + 1}@example.com`;
const hostname: Format = nth => `set${nth + 1}.example.com`;
const uri: Format = nth => `https://example.com/shots/${nth + 1}`;
const path: Format = nth => `/shots/${nth + 1}`;
const FORMATS: Readonly<Record<string, Format>> = {
  date: nth => `2026-01-${two((nth % 28) + 1)}`,
  time: nth => `06:${two(nth % 60)}:00Z`,
  'date-time': nth => `2026-01-${two((nth % 28) + 1)}T06:00:00Z`,
  duration: nth => `PT${nth + 4}S`,
  ...{ email, 'idn-email': email, hostname, 'idn-hostname': hostname },
  ...{ uri, iri: uri, url: uri, 'uri-reference': path, 'iri-reference': path, 'json-pointer': path },
  ipv4: nth => `192.0.2.${(nth % 250) + 1}`,
  ipv6: nth => `2001:db8::${(nth + 1).toString(16)}`,
  'uri-template': nth => `https://example.com/shots/{id}?take=${nth + 1}`,
  uuid: nth => `00000000-0000-4000-8000-${String(nth + 1).padStart(12, '0')}`,
  'relative-json-pointer': nth => `${nth}/shots`,
  regex: () => '^shot-[0-9]+$',
  byte: (_, likely) => Buffer.from(likely.slice(0, 24)).toString('base64'),
};
