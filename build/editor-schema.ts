/**
 * `schema/editor.schema.json`: what an editor is told of a pipeline file. It is `schema/pipeline.schema.json`, and what only the models
 * know: their labels with a sentence each, and the fields under `with:` of each label with their values, defaults and limits.
 *
 * A schema cannot follow a file's own names (`models: { film: V-T2V-A }`) and knows no catalog: steps that name such a model take any
 * field. A field of any type takes an expression as well. No schema says what `check` says of expressions, paths and combinations.
 */

import type { Model } from '../src/model/model.ts';
import type { Json, JsonObject } from '../src/model/text/json.ts';
import { defaultFields, EXPRESSIONS, requestFields, requiredFields } from './request-fields.ts';
import { withMarkdown, withShownExamples } from './shown-examples.ts';

type Schema = { readonly [keyword: string]: Json };
type Schemas = { readonly [name: string]: Schema };

export function editorSchema(file: Schema, models: readonly Model[]): Schema {
  const pipeline = withShownExamples(file);
  const defs = pipeline.$defs as Schemas;
  const properties = pipeline.properties as Schemas;
  // Editors head each key's text with the nearest title: with one title alone, that is the same line over everything.
  const { title: _, ...untitled } = pipeline;
  const told = withMarkdown({
    ...untitled,
    $id: 'pipeline',
    $comment: 'Made by `npm run reference`, of pipeline.schema.json and models/*.json.',
    properties: {
      ...properties,
      models: namedModels(known(properties, 'models'), models),
      defaults: defaults(known(properties, 'defaults'), models),
    },
    ...requiredByModels(models),
    $defs: {
      ...defs,
      generate: generate(known(defs, 'generate'), models),
      step: stepOfAnyKind(known(defs, 'step'), defs),
      ...Object.fromEntries(models.map(model => [fieldsOf(model.label), requestFields(model)])),
      ...EXPRESSIONS,
    },
  });
  return mappingsFirst(told) as Schema;
}

/** Where nothing fits, an editor speaks of the first alternative: of a mapping with a wrong key it is to say which key. */
function mappingsFirst(node: Json): Json {
  if (Array.isArray(node)) return node.map(mappingsFirst);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, mappingsFirst(value)]));
  if (!Array.isArray(inner.anyOf)) return inner;
  const isMapping = (option: Json) => (option as Schema).type === 'object';
  return { ...inner, anyOf: [...inner.anyOf.filter(isMapping), ...inner.anyOf.filter(one => !isMapping(one))] };
}

function known(schemas: Schemas, name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`pipeline.schema.json has no \`${name}\` for the models to be added to`);
  return schema;
}

const fieldsOf = (label: string): string => `with_${label}`;
const modelIs = (label: string): Schema => ({ required: ['model'], properties: { model: { const: label } } });
/** Other keywords of a schema, without what it says of names that it does not list. */
const ofAnyName = ({ additionalProperties: _, ...rest }: Schema): Schema => rest;

function generate(step: Schema, models: readonly Model[]): Schema {
  const properties = step.properties as Schemas;
  const model = known(properties, 'model');
  return {
    ...step,
    properties: {
      ...properties,
      model: { ...annotations(model), anyOf: [labels(models), OTHER_MODELS] },
      with: { type: 'object' },
      only: { ...known(properties, 'only'), properties: fieldsOfEach(models) },
    },
    allOf: [
      ...models.map(({ label }) => ({
        if: modelIs(label),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { with: { $ref: `#/$defs/${fieldsOf(label)}` } } },
      })),
      // An editor shows the first description that it finds: the general one would hide each label's.
      {
        if: { properties: { model: { enum: models.map(({ label }) => label) } } },
        else: { properties: { with: ofAnyName(known(properties, 'with')) } },
      },
    ],
  };
}

const fieldsOfEach = (models: readonly Model[]): Schema =>
  Object.fromEntries(models.map(({ label }) => [label, { $ref: `#/$defs/${fieldsOf(label)}` }]));

const labels = (models: readonly Model[]): Schema => ({
  type: 'string',
  enum: models.map(({ label }) => label),
  enumDescriptions: models.map(({ summary }) => summary),
});

/** All that does not look like a label: `V-RTX` is a slip, `fox-look` may be a model of the service. */
const OTHER_MODELS: Schema = {
  type: 'string',
  pattern: '^(?![VIC]-)(?=.*[a-z/])',
  description: "A name under `models:`, an id of the service's catalog, or an expression.",
};

const annotations = ({ description, markdownDescription }: Schema): Schema => ({
  ...(description === undefined ? {} : { description }),
  ...(markdownDescription === undefined ? {} : { markdownDescription }),
});

/** `models:`, where the label is offered as well. */
function namedModels(section: Schema, models: readonly Model[]): Schema {
  const named = section.additionalProperties as Schema;
  const options = (named.anyOf as readonly Schema[]).filter(({ type }) => type !== 'string');
  return {
    ...section,
    additionalProperties: { ...annotations(named), anyOf: [labels(models), OTHER_MODELS, ...options] },
  };
}

function defaults(section: Schema, models: readonly Model[]): Schema {
  const properties = section.properties as Schemas;
  return {
    ...section,
    properties: { ...properties, with: { ...known(properties, 'with'), properties: defaultFields(models) } },
  };
}

/** What a model cannot do without is demanded in a file without `defaults:`, which may give what a step leaves out. */
function requiredByModels(models: readonly Model[]): Schema {
  const rules = models.map(model => ({
    if: modelIs(model.label),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['with'], properties: { with: { ...requiredFields(model), doNotSuggest: true } } },
  }));
  return {
    if: { not: { required: ['defaults'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { steps: { doNotSuggest: true, additionalProperties: { allOf: rules } } } },
  };
}

/** A step without any key that says what it is: the keys of all kinds are offered, the last kind's first. */
function stepOfAnyKind(step: Schema, defs: Schemas): Schema {
  const kinds = kindsOf(step)
    .map(name => known(defs, name))
    .reverse();
  const [last] = kinds;
  const undecided: Schema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.assign({}, ...kinds.map(({ properties }) => properties as JsonObject)),
    anyOf: kinds.map(({ required }) => ({ required: required ?? [] })),
  };
  return withLastElse(step, last?.required ?? [], undecided);
}

function kindsOf(step: Schema): readonly string[] {
  if (!step.if) return [String(step.$ref).replace('#/$defs/', '')];
  return [...kindsOf(step.then as Schema), ...kindsOf(step.else as Schema)];
}

/** The last kind is chosen where no other is: here, only where its own key is there. */
function withLastElse(step: Schema, key: Json, undecided: Schema): Schema {
  if (step.if) return { ...step, else: withLastElse(step.else as Schema, key, undecided) };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: { type: 'object', required: key }, then: step, else: undecided };
}
