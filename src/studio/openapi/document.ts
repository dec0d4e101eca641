/**
 * `/openapi.json`: the routes that are served, each as its line in `operations.ts` describes it, over the schemas that requests are
 * checked with. OpenAPI 3.1.
 */
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Method, Rooms, Route } from '../route.ts';
import { ANYWHERE, BEHIND_THE_DOOR, errorNames, type Operation, operations, TAGS } from './operations.ts';
import { anyOf, requestSchemas } from './requests.ts';
import { ref, shapes } from './shapes.ts';

/** Throws (our bug) where a served route has no line in `operations.ts`. */
export function openapi(routes: readonly Route[], studio: Rooms): JsonObject {
  const { strict, library, version, url } = studio;
  const paths: { [path: string]: { [method: string]: Json } } = {};
  const served: Operation[] = [];
  for (const route of routes) {
    for (const method of Object.keys(route.handlers) as Method[]) {
      if (strict && route.observed?.includes(method)) continue;
      const operation = operations.find(one => one.path === route.path && one.method === method);
      if (!operation) throw new Error(`${method} ${route.path} is served and not described`);
      served.push(operation);
      paths[route.path] ??= {};
      paths[route.path]![method.toLowerCase()] = describe(operation, route, studio);
    }
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

function describe(operation: Operation, route: Route, { strict, library }: Rooms): JsonObject {
  const { id, tag, summary, description, gives, query = {}, required = [], takes } = operation;
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
  ];
  const errors = [...operation.errors, ...ANYWHERE, ...(route.open ? [] : BEHIND_THE_DOOR)].sort();
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
      ...Object.fromEntries(errors.map(status => [status, { $ref: `#/components/responses/${nameOf(status)}` }])),
    },
  };
}

function content(gives: Operation['gives'], strict: boolean): JsonObject {
  if ('schema' in gives) {
    const schema = strict ? (gives.strict ?? gives.schema) : gives.schema;
    return { content: { 'application/json': { schema: ref(schema) } } };
  }
  const types = Object.entries(gives.content).map(([type, schema]) => [type, { schema }]);
  return types.length === 0 ? {} : { content: Object.fromEntries(types) };
}

/** Those that some operation refers to. */
function responses(paths: JsonObject): JsonObject {
  const said = JSON.stringify(paths);
  return Object.fromEntries(
    Object.values(errorNames)
      .filter(([name]) => said.includes(`/responses/${name}"`))
      .map(([name, description]) => [
        name,
        { description, ...headersOf(name), content: { 'application/json': { schema: ref('Error') } } },
      ]),
  );
}

const headersOf = (name: string): JsonObject =>
  name === 'TooFast' ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {};

function nameOf(status: number): string {
  const [name] = errorNames[status] ?? [];
  if (name === undefined) throw new Error(`status ${status} has no name`);
  return name;
}
