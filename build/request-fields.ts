/** The fields of models' requests, as an editor is told of them. */
import { fieldSentence } from '../src/cli/models/model-fields.ts';
import { chatFields } from '../src/language/steps/chat-prompt.ts';
import type { FieldSchema, Model } from '../src/model/model.ts';
import type { Json } from '../src/model/text/json.ts';

type Schema = { readonly [keyword: string]: Json };

/** What stands where a value of some type is wanted, and in a text. */
export const EXPRESSIONS = {
  expression: { type: 'string', pattern: '^\\s*\\$\\{\\{[\\s\\S]*\\}\\}\\s*$' },
  text_with_expression: { type: 'string', pattern: '\\$\\{\\{' },
} as const;
const ref = (name: keyof typeof EXPRESSIONS): Schema => ({ $ref: `#/$defs/${name}` });

/** The schema of `with:` for one label. */
export function requestFields(model: Model): Schema {
  const { label, summary, rules, request } = model;
  const { patternProperties, required } = request;
  const about = [
    `${label}: ${summary}`,
    ...required.map(name => `needs \`${name}\``),
    ...rules.map(({ refuse }) => refuse),
  ];
  return {
    type: 'object',
    description: `${about.join('; ')}.`,
    additionalProperties: request.additionalProperties,
    properties: mapValues(fieldsOf(model), (field, name) =>
      fieldSchema(field, required.includes(name) ? REQUIRED : ''),
    ),
    ...(patternProperties ? { patternProperties: mapValues(patternProperties, field => fieldSchema(field, '')) } : {}),
  };
}

const REQUIRED = 'Required: ';

/** Nothing but what a request must have. A chat's messages may be written as its prompt. */
export const requiredFields = ({ kind, request }: Model): Schema =>
  kind === 'chat'
    ? { anyOf: [{ required: ['prompt'] }, { required: [...request.required] }] }
    : { required: [...request.required] };

/** Under `defaults.with`: each field that any model has, and which ones have it. */
export function defaultFields(models: readonly Model[]): Schema {
  const owners = new Map<string, string[]>();
  for (const model of models)
    for (const name of Object.keys(fieldsOf(model))) owners.set(name, [...(owners.get(name) ?? []), model.label]);
  return Object.fromEntries(
    [...owners].map(([name, labels]) => [name, { description: `A field of ${labels.join(', ')}.`, type: ANY_VALUE }]),
  );
}

const ANY_VALUE = ['string', 'number', 'boolean', 'array', 'object'];

const fieldsOf = (model: Model): { readonly [name: string]: FieldSchema } => ({
  ...chatFields(model),
  ...model.request.properties,
});

function fieldSchema(field: FieldSchema, before: string): Schema {
  const { default: preset, examples, type, enum: choices } = field;
  const said: Schema = {
    description: before + fieldSentence(field),
    ...(preset === undefined ? {} : { default: preset }),
    ...(examples === undefined ? {} : { examples }),
  };
  if (takesAnyText(field)) return { ...said, type };
  const instead = ref(type === 'string' && choices === undefined ? 'text_with_expression' : 'expression');
  return { ...said, anyOf: [shapeOf(field), instead] };
}

const takesAnyText = ({ type, enum: choices, minLength, maxLength }: FieldSchema): boolean =>
  type === 'string' && choices === undefined && minLength === undefined && maxLength === undefined;

/** Media are addresses, or paths relative to the file: no `format` is asked of them. */
function shapeOf(field: FieldSchema): Schema {
  const { type, enum: choices, minimum, maximum, minLength, maxLength, maxItems, items, properties, required } = field;
  const said = { type, enum: choices, minimum, maximum, minLength, maxLength, maxItems, required };
  return {
    ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Schema),
    ...(items === undefined ? {} : { items: fieldSchema(items, '') }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, partSchema) }),
  };
}

const partSchema = (part: FieldSchema | { readonly anyOf: readonly FieldSchema[] }): Schema =>
  'anyOf' in part ? { anyOf: part.anyOf.map(option => fieldSchema(option, '')) } : fieldSchema(part, '');

const mapValues = <T>(map: { readonly [name: string]: T }, change: (value: T, name: string) => Schema): Schema =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]));
