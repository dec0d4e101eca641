/** The studio's writer: a conversation in, an answer out. No neural network, no memory, no chance: the same request is answered the same. */
import { isObject, type Json, type JsonObject, jsonIn } from '../../model/text/json.ts';
import { readBrief } from './brief.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { Material } from './material.ts';
import { fillSchema } from './schema/fill-schema.ts';
import { snakeCase } from './schema/property-values.ts';

/** @throws {HttpRefusal} 400 for a schema that nothing fits. */
export function write(chat: ParsedChatRequest): string {
  const { format, turns, system } = chat;
  const material = new Material(readBrief(chat));
  if (format.is === 'text' && !material.brief.json) return material.text();
  // The shape may be described in words: in the instruction, further back, or in the system message.
  const asked = turns.filter(({ by }) => by === 'person').map(({ text }) => text);
  const described = () => [...asked.reverse(), system].map(schemaIn).find(shape => shape !== undefined);
  const schema = format.is === 'schema' ? format.schema : (described() ?? usualSchema(material));
  // A number or a text alone is an answer too, where the schema asks for one.
  return JSON.stringify(fillSchema(schema, material), null, isObject(schema) ? 2 : 0);
}

const text = { type: 'string' } as const;
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The shape of JSON that a text describes: by a schema, an example, or names of keys. */
export function schemaIn(words: string): JsonObject | undefined {
  // `…` and `...` in an example mean more of the same.
  const json = jsonIn(
    words.slice(words.indexOf('{'), words.lastIndexOf('}') + 1).replace(/,?\s*(?:\.\.\.|…)(?=\s*[\]}])/g, ''),
  );
  if (isObject(json) && (isObject(json.properties) || json.$ref !== undefined || TYPES.has(json.type as string)))
    return json;
  if (isObject(json) && Object.keys(json).length > 0) return shapeOf(json);
  const keys = /\b(?:keys?|fields?|properties)\b\s*(?:named|called|are)?[:\s]+([^.;\n{]{2,300})/i.exec(words)?.[1];
  const names = keys
    ?.replace(/\([^)]*\)|[`"'“”]/g, '')
    .split(/,|\band\b/)
    .map(name => name.trim())
    .filter(name => /^[A-Za-z_][\w-]{0,40}$/.test(name));
  if (!names?.length) return undefined;
  return object(Object.fromEntries(names.map(name => [name, shapeNamed(snakeCase(name))])));
}

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

function shapeOf(example: Json): JsonObject {
  if (Array.isArray(example)) return { type: 'array', items: example.length > 0 ? shapeOf(example[0] as Json) : text };
  if (isObject(example))
    return object(Object.fromEntries(Object.entries(example).map(([name, part]) => [name, shapeOf(part)])));
  if (typeof example === 'string') return TYPES.has(example) ? { type: example } : text;
  return { type: Number.isInteger(example) ? 'integer' : typeof example === 'number' ? 'number' : 'boolean' };
}

const shapeNamed = (name: string): JsonObject =>
  /score|rating|seconds|duration|count|number|seed|fps/.test(name)
    ? { type: 'number' }
    : /[^s]s$/.test(name)
      ? { type: 'array', items: text }
      : text;

/** What an answer to the brief usually has. */
function usualSchema({ brief: { task }, units }: Material): JsonObject {
  if (task === 'score') return object({ score: { type: 'integer' }, reason: text });
  if (task !== 'write') return object({ [task === 'rewrite' ? 'prompt' : 'answer']: text });
  const list = (count: number) => ({ type: 'array', items: text, minItems: count, maxItems: count });
  const parts = units.map(({ unit, count }) => (count === 1 ? { [unit]: text } : { [`${unit}s`]: list(count) }));
  const title = units.some(({ count }) => count > 1) ? { title: text } : {};
  return object(Object.assign(title, ...parts) as JsonObject);
}
