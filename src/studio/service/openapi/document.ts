/**
 * `/openapi.json`: the routes that are served, as each describes its operations, over the schemas that requests are checked with.
 * OpenAPI 3.1.
 */

import type { Model, ModelLibrary } from '../../../model/model.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { OBSERVED_FIELDS } from '../check-request.ts';
import { type Also, type ApiRoute, type Services, TAGS } from '../route.ts';
import { ref, shapes, text } from './shapes.ts';

export function openapi(routes: readonly ApiRoute[], studio: Services): JsonObject {
  const { strict, library, version, url } = studio;
  const paths: { [path: string]: { [method: string]: Json } } = {};
  const served = routes.filter(({ observed }) => !(strict && observed));
  for (const route of served) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(route, studio) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shotlist studio',
      summary: 'A hosted inference API for media, served on this machine.',
      description: strict
        ? 'Strict: only what the interface document promises.'
        : 'Everything the interface document promises, and what services of this shape were observed to do beyond it.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS)
      .filter(([name]) => served.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: responses(paths),
      schemas: {
        ...shapes(strict),
        ...requestSchemas(library, strict, model => served.some(({ takes }) => takes?.(model))),
      },
    },
  };
}

function describe(route: ApiRoute, { strict, library }: Services): JsonObject {
  const { id, tag, summary, description, gives, also = {}, query = {}, required = [], takes } = route;
  const isRepeatable = route.repeatable === true && !strict;
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
    })),
    ...(isRepeatable ? [IDEMPOTENCY_KEY] : []),
  ];
  const errors = [
    ...route.errors,
    ...(isRepeatable ? [422] : []),
    ...ANYWHERE,
    ...(route.open ? [] : WITH_CREDENTIAL),
  ].sort();
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(route.open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takes
      ? { requestBody: { required: true, content: { 'application/json': { schema: anyOf(library, takes) } } } }
      : {}),
    responses: {
      200: { description: summary, ...content(gives, strict) },
      ...Object.fromEntries(Object.entries(also).map(([status, one]) => [status, other(one, content(gives, strict))])),
      ...Object.fromEntries(errors.map(status => [status, { $ref: `#/components/responses/${nameOf(status)}` }])),
    },
  };
}

/** The requester names a request. */
const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this request (draft-ietf-httpapi-idempotency-key-header). Sent again under it, the same body gets the answer of the first, and nothing is begun twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function content(gives: ApiRoute['gives'], strict: boolean): JsonObject {
  if ('schema' in gives) {
    const schema = strict ? (gives.strict ?? gives.schema) : gives.schema;
    return { content: { 'application/json': { schema: ref(schema) } } };
  }
  const types = Object.entries(gives.content).map(([type, schema]) => [type, { schema }]);
  return types.length === 0 ? {} : { content: Object.fromEntries(types) };
}

function other({ description, isPart, headers = [] }: Also, whole: JsonObject): JsonObject {
  const described = Object.fromEntries(headers.map(name => [name, { schema: text }]));
  return { description, ...(headers.length > 0 ? { headers: described } : {}), ...(isPart ? whole : {}) };
}

/** Those that some operation refers to. */
function responses(paths: JsonObject): JsonObject {
  const pathsText = JSON.stringify(paths);
  return Object.fromEntries(
    Object.values(errorAnswers)
      .filter(({ name }) => pathsText.includes(`/responses/${name}"`))
      .map(({ name, description, types }) => [
        name,
        { description, ...headersOf(name), content: { 'application/json': { schema: errorOf(types) } } },
      ]),
  );
}

/** The one shape of all errors, with the words that can stand in it here. */
const errorOf = (types: readonly string[]): JsonObject => ({
  allOf: [ref('Error'), { properties: { error: { properties: { type: { enum: types } } } } }],
});

const headersOf = (name: string): JsonObject =>
  name === 'TooFast' ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {};

function nameOf(status: number): string {
  const answer = errorAnswers[status];
  if (answer === undefined) throw new Error(`status ${status} has no name`);
  return answer.name;
}

/** By label, for the models that fit. */
function requestSchemas(
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
function anyOf(library: ModelLibrary, fits: (model: Model) => boolean): JsonObject {
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
  const extra = model.produces === 'text' ? CHAT(properties) : strict ? {} : OBSERVED_FIELDS;
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

/** What a refusal is called in `/openapi.json`, by its status, and where it may come from. */
interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  /** The stable words for programs that come with this status. */
  readonly types: readonly string[];
}

const errorAnswers: { readonly [status: number]: ErrorAnswer } = {
  400: {
    name: 'Invalid',
    description: 'The request is not one that can be carried out: every reason, with the path of its field.',
    types: ['invalid_request', 'invalid_json'],
  },
  401: {
    name: 'Unauthenticated',
    description: 'No valid credential: `unauthenticated`.',
    types: ['unauthenticated'],
  },
  404: {
    name: 'NotFound',
    description: 'No such model (`Model not found: <name>`), generation, fine-tune or file.',
    types: ['model_not_found', 'generation_not_found', 'fine_tune_not_found', 'route_not_found'],
  },
  409: {
    name: 'WrongState',
    description: 'It exists, and is not in a state in which this can be done.',
    types: ['model_not_active', 'wrong_state', 'already_finished', 'generation_cancelled'],
  },
  413: { name: 'TooLarge', description: 'The body is too large.', types: ['body_too_large'] },
  415: {
    name: 'WrongType',
    description: 'The body is not `application/json`.',
    types: ['unsupported_media_type'],
  },
  421: { name: 'WrongHost', description: 'Asked for under the name of another machine.', types: ['wrong_host'] },
  422: {
    name: 'KeyReused',
    description: 'The `Idempotency-Key` was sent before with another request.',
    types: ['idempotency_key_reused'],
  },
  429: {
    name: 'TooFast',
    description: 'Too many requests: `Retry-After` tells how many seconds to wait.',
    types: ['rate_limited'],
  },
  500: {
    name: 'Broken',
    description: "The studio's own mistake, or a render that failed through no fault of the request.",
    types: ['internal', 'generation_failed'],
  },
  502: {
    name: 'UpstreamFailed',
    description: 'The service that chat is passed on to failed.',
    types: ['upstream_failed'],
  },
  503: {
    name: 'Unavailable',
    description: 'The studio is closing, or has nobody to pass this on to.',
    types: ['closing', 'upstream_unreachable'],
  },
};

/** Answered under every operation. */
const ANYWHERE = [421, 500];
/** Answered wherever a credential is asked for. */
const WITH_CREDENTIAL = [401, 429];
/** Answered wherever a body is read. */
export const WITH_BODY = [400, 413, 415];
