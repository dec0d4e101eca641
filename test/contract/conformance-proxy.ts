/**
 * Stands between a client and a studio and holds everything that passes to the studio's own `/openapi.json`: the route and the method
 * must be described, the status among those described, the body what its schema says. Accepted requests are held to theirs.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, onTestFinished } from 'vitest';
import { DONE } from '../../src/api/chat-completions.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { observingProxy, type ProxyEvent, type Tell } from './observing-proxy.ts';

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Responses = { readonly [status: string]: JsonObject };
export interface Description {
  readonly components: { readonly responses: JsonObject };
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { responses: Responses; requestBody?: object } };
  };
}

/** Watches over one kind of studio, in as many tests as there are. */
export class ConformanceProxy {
  readonly #described = new Set<string>();
  readonly #seen = new Set<string>();
  /** Words for states and errors: those that are described, and those that were told. */
  readonly #words = new Set<string>();
  readonly #told = new Set<string>();

  /**
   * The address to use instead of the service's. When the test ends, everything that passed must have been as described: by the service
   * itself, when no other description is given. `tell` hears what passes.
   */
  async before(url: string, description?: Description, tell: Tell = () => {}): Promise<string> {
    const known = description ?? ((await (await fetch(`${url}/openapi.json`)).json()) as Description);
    for (const answer of answersOf(known)) this.#described.add(answer);
    for (const word of [...valuesOf(known, 'status'), ...valuesOf(known.components.responses, 'type')].flatMap(enumOf))
      this.#words.add(word);
    const objections: string[] = [];
    const judge = validatorOf(known);
    const open = new Map<number, Extract<ProxyEvent, { is: 'asked' }>>();
    const between = await observingProxy(url, passed => {
      tell(passed);
      if (passed.is === 'asked') open.set(passed.n, passed);
      const { method, path, body: sent } = open.get(passed.n)!;
      if (passed.is === 'told') {
        const stream = { status: 200, type: 'text/event-stream', text: passed.frame };
        objections.push(...judge({ method, path, sent, ...stream }));
      }
      if (passed.is !== 'answered') return;
      const type = (passed.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
      const text = passed.body.toString('utf8');
      objections.push(...judge({ method, path, sent, status: passed.status, type, text }));
      for (const name of ['status', 'type'])
        for (const word of valuesOf(parsed(text), name)) this.#told.add(String(word));
      const route = routeOf(known, path.split('?')[0] ?? '');
      this.#seen.add(`${method} ${route} ${passed.status}`);
    });
    onTestFinished(async () => {
      await between.close();
      expect(objections).toEqual([]);
    });
    return between.url;
  }

  /** Answers that are described and were given in no test: `GET /api/ai/models 200`. Those that no request can bring about count once. */
  get unseen(): readonly string[] {
    const once = (answer: string) => (answer.endsWith(' 500') ? 'any 500' : answer);
    const seen = new Set([...this.#seen].map(once));
    return [...new Set([...this.#described].map(once))].filter(answer => !seen.has(answer)).sort();
  }

  /** States of a generation or a deployment, and the words of errors, that are described and were told in no test. */
  get untold(): readonly string[] {
    return [...this.#words].filter(word => !this.#told.has(word)).sort();
  }
}

/** Every value that stands under this name, however deep. */
function valuesOf(json: unknown, name: string): readonly unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(value, name)]);
}

const enumOf = (schema: unknown): readonly string[] => (schema as { readonly enum?: readonly string[] }).enum ?? [];

const answersOf = ({ paths }: Description): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map(status => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );

type Judge = (exchange: Exchange) => readonly string[];
/** Descriptions differ from test to test in nothing but the address they were served at. */
const judges = new Map<string, Judge>();

/** Finds what is wrong with an exchange, by a description. */
export function validatorOf(description: Description): Judge {
  const text = JSON.stringify({ ...description, servers: [] });
  const judge = judges.get(text) ?? newJudge(description);
  judges.set(text, judge);
  return judge;
}

function newJudge(description: Description): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(description, 'studio');
  const validators = new Map<string, ValidateFunction>();
  const errorsOf = (pointer: readonly string[], value: unknown): string => {
    const $ref = `studio#/${pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };

  return ({ method, path, sent, status, type, text }) => {
    const said = `${method} ${path} ${status}`;
    if (/<html|<!doctype|\bat .*\.[jt]s:\d/i.test(text)) return [`${said}: a page, or a stack: ${text}`];
    const route = routeOf(description, path.split('?')[0] ?? '');
    const operation = route === undefined ? undefined : description.paths[route]?.[method.toLowerCase()];
    if (route === undefined || operation === undefined) {
      const refused = [401, 404, 405, 421, 429].includes(status);
      const wrong = errorsOf(['components', 'schemas', 'Error'], parsed(text));
      return refused && wrong === '' ? [] : [`${said}: not described ${wrong}`];
    }
    const objections: string[] = [];
    const described = operation.responses[String(status)];
    if (described === undefined) return [`${said}: no such status is described`];
    const at =
      typeof described.$ref === 'string'
        ? described.$ref.slice(2).split('/')
        : ['paths', route, method.toLowerCase(), 'responses', String(status)];
    const content = (resolve(description, at).content ?? {}) as JsonObject;
    const kinds = Object.keys(content);
    const isDescribed = kinds.length === 0 || kinds.some(kind => kind === type || kind === `${type.split('/')[0]}/*`);
    if (!isDescribed) objections.push(`${said}: ${type} is not among ${kinds.join(', ')}`);
    else if (type === 'text/event-stream') {
      const [, data = DONE] = /^data: (.*)$/m.exec(text) ?? [];
      const { contentSchema } = (content[type] as JsonObject).schema as JsonObject;
      const wrong =
        contentSchema === undefined || data === DONE
          ? ''
          : errorsOf([...at, 'content', type, 'schema', 'contentSchema'], parsed(data));
      if (wrong !== '') objections.push(`${said}: ${wrong} in ${data}`);
    } else if (type === 'application/json' && method !== 'HEAD') {
      const wrong = errorsOf([...at, 'content', type, 'schema'], parsed(text));
      if (wrong !== '') objections.push(`${said}: ${wrong} in ${text}`);
    }
    if (status === 200 && operation.requestBody) {
      const body = ['paths', route, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
      const wrong = errorsOf(body, parsed(sent));
      if (wrong !== '') objections.push(`${said}: it took what its description forbids: ${wrong}`);
    }
    return objections;
  };
}

/** A fixed segment stands before a `{name}` in its place. */
function routeOf({ paths }: Description, path: string): string | undefined {
  const fits = (route: string) => {
    const [wanted, given] = [route.split('/'), path.split('/')];
    return wanted.length === given.length && wanted.every((part, n) => part.startsWith('{') || part === given[n]);
  };
  return Object.keys(paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find(fits);
}

const resolve = (from: unknown, path: readonly string[]): JsonObject =>
  path.reduce((at, part) => (at as { [name: string]: unknown })[part], from) as JsonObject;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
