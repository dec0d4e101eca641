/**
 * `/openapi.json`: the routes that are served, as each describes its operations, over the schemas that requests are checked with.
 * OpenAPI 3.1.
 */
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { type Also, type ApiRoute, TAGS } from '../route.ts';
import type { Services } from '../services.ts';
import { ANYWHERE, errorAnswers, WITH_CREDENTIAL } from './errors.ts';
import { anyOf, requestSchemas } from './request-schemas.ts';
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
  const said = JSON.stringify(paths);
  return Object.fromEntries(
    Object.values(errorAnswers)
      .filter(({ name }) => said.includes(`/responses/${name}"`))
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
