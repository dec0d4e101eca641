/** What may be sent: one schema for each model, from the very schema that its requests are checked against. */

import type { Model, ModelLibrary } from '../../../model/model.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { MAX_PER_REQUEST } from '../check-request.ts';
import { ref, text } from './shapes.ts';

/** Observed: fields of a media request beyond the model's own. */
const OBSERVED: JsonObject = {
  target_namespace: { type: ['string', 'null'] },
  target_repo: { type: ['string', 'null'] },
  target_directory: { type: ['string', 'null'] },
  num_generations: { type: 'integer', minimum: 1, maximum: MAX_PER_REQUEST },
};

/** By label, for the models that fit. */
export function requestSchemas(
  library: ModelLibrary,
  strict: boolean,
  fits: (model: Model) => boolean,
): { readonly [name: string]: JsonObject } {
  return Object.fromEntries(
    all(library)
      .filter(fits)
      .map(model => [model.label, requestSchema(model, strict)]),
  );
}

/** One of the requests of these models; the `model` field decides which. */
export function anyOf(library: ModelLibrary, fits: (model: Model) => boolean): JsonObject {
  const labels = all(library)
    .filter(fits)
    .map(({ label }) => label);
  const mapping = Object.fromEntries(labels.map(label => [label, String(ref(label).$ref)]));
  return { oneOf: labels.map(ref), discriminator: { propertyName: 'model', mapping } };
}

/** An answer to nothing at all cannot be given. */
const CHAT = ({ messages }: Model['request']['properties']): JsonObject => ({
  messages: { ...extended(messages as unknown as JsonObject), minItems: 1 },
});

function requestSchema(model: Model, strict: boolean): JsonObject {
  const { required, properties, additionalProperties, patternProperties } = model.request;
  const extra = model.produces === 'text' ? CHAT(properties) : strict ? {} : OBSERVED;
  return {
    type: 'object',
    title: model.summary,
    required: ['model', ...required],
    properties: { model: { ...text, const: model.label }, ...annotated(properties as unknown as JsonObject), ...extra },
    ...(patternProperties ? { patternProperties: annotated(patternProperties as unknown as JsonObject) } : {}),
    additionalProperties,
    ...(model.rules.length > 0 ? { allOf: model.rules.map(rule => forbidden(rule, model)) } : {}),
  };
}

/** A combination the document forbids; a field that is left out counts as its default. */
function forbidden({ if: when, refuse }: Model['rules'][number], model: Model): JsonObject {
  const fields = Object.entries(when);
  const required = fields
    .filter(([name, values]) => !values.includes(model.request.properties[name]?.default ?? null))
    .map(([name]) => name);
  const properties = Object.fromEntries(fields.map(([name, values]) => [name, { enum: values }]));
  return { description: refuse, not: { required, properties } };
}

/** Our own annotations, under the names that OpenAPI leaves to extensions. */
const EXTENSIONS = ['media', 'atLeast', 'atMost'];

function annotated(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, extended(field as JsonObject)]));
}

function extended(field: JsonObject): JsonObject {
  const entries = Object.entries(field).map(([keyword, value]): readonly [string, Json] => {
    if (EXTENSIONS.includes(keyword)) return [`x-${keyword.toLowerCase()}`, value];
    if (keyword === 'items') return [keyword, extended(value as JsonObject)];
    if (keyword === 'properties') return [keyword, annotated(value as JsonObject)];
    if (keyword === 'anyOf') return [keyword, (value as readonly JsonObject[]).map(extended)];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

const all = (library: ModelLibrary): readonly Model[] =>
  library.labels.map(label => library.get(label)).filter(model => model !== undefined);
