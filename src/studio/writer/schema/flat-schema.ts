/** A schema made plain: references followed, `allOf` joined, one branch of each choice taken. */
import { canonical, isObject, type Json, type JsonObject } from '../../../model/text/json.ts';

/** Nothing fits, or nothing was found that does; the message says why. */
export class Impossible extends Error {}

/** Takes one of so many ways; the first is the likeliest. */
export type Choose = (ways: number) => number;

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** @param root of the references in `given` */
export function flatten(given: Json, root: JsonObject, choose: Choose, depth = 0): JsonObject {
  if (given === false) throw new Impossible('nothing is allowed where something must be');
  if (!isObject(given)) return {};
  if (depth > 40) throw new Impossible('the schema refers to itself and to nothing else');
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas, ...own } = given;
  const parts: (Json | undefined)[] = [...arrayOf(allOf), ...Object.values(objectOf(dependentSchemas))];
  if (typeof $ref === 'string') parts.push(referred(root, $ref));
  for (const branches of [arrayOf(anyOf), arrayOf(oneOf)])
    if (branches.length > 0) parts.push(chosen(branches, choose));
  if (condition !== undefined) parts.push(...(choose(2) === 0 ? [condition, then] : [otherwise]));
  return parts
    .filter(part => part !== undefined)
    .map(part => flatten(part, root, choose, depth + 1))
    .reduce(join, own);
}

/** One of several schemas, or names of types; `null` is the least likely. */
export function chosen(options: readonly Json[], choose: Choose): Json {
  const isNull = (one: Json) => one === 'null' || (isObject(one) && (one.type === 'null' || one.const === null));
  const order = [...options.filter(one => !isNull(one)), ...options.filter(isNull)];
  return order[choose(order.length)] ?? true;
}

/** What a pointer like `#/$defs/beat`, or an anchor like `#beat`, leads to. */
function referred(root: JsonObject, ref: string): Json {
  const [, ...steps] = decodeURIComponent(ref).split('/');
  const step = (at: Json | undefined, name: string): Json | undefined =>
    (at as { readonly [name: string]: Json } | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  const found = /^#(\/|$)/.test(ref) ? steps.reduce<Json | undefined>(step, root) : anchored(root, ref.slice(1));
  if (found === undefined) throw new Impossible(`the schema refers to ${ref}, which is not in it`);
  return found;
}

function anchored(schema: Json, name: string): Json | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (isObject(schema) && schema.$anchor === name) return schema;
  const parts = Object.values(schema) as readonly Json[];
  return parts.map(part => anchored(part, name)).find(found => found !== undefined);
}

/** Both at once, as far as one schema can say that; the check of the whole answer finds the rest. */
function join(a: JsonObject, b: JsonObject): JsonObject {
  const result: { [name: string]: Json } = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const had = result[key];
    const [, combine] = JOINS.find(([keys]) => keys.test(key)) ?? [];
    result[key] = had === undefined || combine === undefined ? value : combine(had, value);
  }
  return result;
}

const both = (a: Json, b: Json): Json =>
  a === false || b === false ? false : !isObject(a) ? b : !isObject(b) ? a : { allOf: [a, b] };

const JOINS: readonly (readonly [keys: RegExp, combine: (a: Json, b: Json) => Json])[] = [
  [/^(min|exclusiveMin)/, (a, b) => Math.max(Number(a), Number(b))],
  [/^(max|exclusiveMax)/, (a, b) => Math.min(Number(a), Number(b))],
  [/^(items|additionalProperties|contains|propertyNames)$/, both],
  [
    /^(properties|patternProperties)$/,
    (a, b) => {
      const joint = Object.entries(objectOf(b)).map(([name, part]) => [name, both(objectOf(a)[name] ?? true, part)]);
      return { ...objectOf(a), ...Object.fromEntries(joint) };
    },
  ],
  [/^required$/, (a, b) => [...new Set([...arrayOf(a), ...arrayOf(b)])]],
  [/^multipleOf$/, (a, b) => (Number(a) % Number(b) === 0 ? a : Number(a) * Number(b))],
  [
    /^enum$/,
    (a, b) => {
      const kept = arrayOf(a).filter(value => arrayOf(b).some(other => canonical(other) === canonical(value)));
      if (kept.length === 0) throw new Impossible('two lists of allowed values have none in common');
      return kept;
    },
  ],
  [
    /^type$/,
    (a, b) => {
      const [mine, theirs] = [[a].flat(), [b].flat()];
      const isIn = (type: Json, types: readonly Json[]) =>
        types.includes(type) || (type === 'integer' && types.includes('number'));
      const kept = [...mine.filter(type => isIn(type, theirs)), ...theirs.filter(type => isIn(type, mine))];
      if (kept.length === 0) throw new Impossible(`nothing is both ${mine.join(' or ')} and ${theirs.join(' or ')}`);
      return [...new Set(kept)];
    },
  ],
];
