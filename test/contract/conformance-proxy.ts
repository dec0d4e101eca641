/**
 * Stands between a client and a studio and holds everything that passes to the studio's own `/openapi.json`: the route and the method
 * must be described, the status among those described, the body what its schema says. Accepted requests are held to theirs.
 */
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, onTestFinished } from 'vitest';
import { DONE } from '../../src/api/chat-completions.ts';
import type { JsonObject } from '../../src/model/text/json.ts';

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Responses = { readonly [status: string]: JsonObject };
interface Description {
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

  /** The address to use instead of the service's. When the test ends, everything that passed must have been as the service describes it. */
  async before(url: string): Promise<string> {
    const known = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
    for (const answer of answersOf(known)) this.#described.add(answer);
    for (const word of [...valuesOf(known, 'status'), ...valuesOf(known.components.responses, 'type')].flatMap(enumOf))
      this.#words.add(word);
    const objections: string[] = [];
    const judge = validatorOf(known);
    const between = await observingProxy(url, (exchange, isFrame) => {
      objections.push(...judge(exchange));
      if (isFrame) return;
      for (const name of ['status', 'type'])
        for (const word of valuesOf(parsed(exchange.text), name)) this.#told.add(String(word));
      const route = routeOf(known, exchange.path.split('?')[0] ?? '');
      this.#seen.add(`${exchange.method} ${route} ${exchange.status}`);
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

/**
 * A server that asks another one and shows what passes: an answer or the head of an event stream, and each frame of it. Addresses of the
 * other become its own, so that results come this way too.
 */
async function observingProxy(to: string, show: (exchange: Exchange, isFrame: boolean) => void) {
  let own = '';
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = (await readAll(incoming)).toString('utf8');
    const onward = Buffer.from(body.replaceAll(own, to));
    const length = headers['content-length'] === undefined ? {} : { 'content-length': onward.length };
    const asked = forward(to + path, { method, headers: { ...headers, ...length } }, response => {
      void answer(response, outgoing, { method, path, sent: body }).catch(() => outgoing.destroy());
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    asked.end(onward);
  });

  async function answer(
    response: IncomingMessage,
    outgoing: ServerResponse,
    asked: Pick<Exchange, 'method' | 'path' | 'sent'>,
  ) {
    const { statusCode: status = 0, headers } = response;
    const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
    if (type === 'text/event-stream') {
      outgoing.writeHead(status, headers).flushHeaders();
      show({ ...asked, status, type, text: '' }, false);
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        const frames = (rest + (chunk as string)).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          const text = frame.replaceAll(to, own);
          show({ ...asked, status, type, text }, true);
          outgoing.write(`${text}\n\n`);
        }
      }
      return void outgoing.end();
    }
    const body = await readAll(response);
    const passed = type === 'application/json' ? Buffer.from(body.toString('utf8').replaceAll(to, own)) : body;
    show({ ...asked, status, type, text: passed.toString('utf8') }, false);
    const { 'transfer-encoding': _, ...kept } = headers;
    // The length in the answer to a HEAD is not that of its own body.
    const length = body.length > 0 ? { 'content-length': passed.length } : {};
    outgoing.writeHead(status, { ...kept, ...length }).end(passed);
  }

  own = await listen(server);
  return { url: own, close: () => closeServer(server) };
}

export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
}

export async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
