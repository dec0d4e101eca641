/**
 * Stands between a client and a studio and holds everything that passes to the studio's own `/openapi.json`: the route and the method
 * must be described, the status among those described, the body what its schema says. Accepted requests are held to theirs.
 */
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';

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
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { responses: Responses; requestBody?: object } };
  };
}

/** Watches over one kind of studio, in as many tests as there are. */
export class Witness {
  readonly #described = new Set<string>();
  readonly #seen = new Set<string>();

  /** The address to use instead of the studio's. When the test ends, everything that passed must have been as described. */
  async before(url: string): Promise<string> {
    const description = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
    for (const answer of answersOf(description)) this.#described.add(answer);
    const objections: string[] = [];
    const judge = judgeBy(description);
    const witness = await passOn(url, exchange => {
      objections.push(...judge(exchange));
      const route = routeOf(description, exchange.path.split('?')[0] ?? '');
      this.#seen.add(`${exchange.method} ${route} ${exchange.status}`);
    });
    onTestFinished(async () => {
      await witness.close();
      expect(objections).toEqual([]);
    });
    return witness.url;
  }

  /** Answers that are described and were given in no test: `GET /api/ai/models 200`. Those of every route count once: `401`. */
  get unseen(): readonly string[] {
    const once = (answer: string) => (EVERYWHERE.has(lastOf(answer)) ? lastOf(answer) : answer);
    const seen = new Set([...this.#seen].map(once));
    return [...new Set([...this.#described].map(once))].filter(answer => !seen.has(answer)).sort();
  }
}

const EVERYWHERE = new Set(['401', '421', '429', '500']);
const lastOf = (answer: string): string => answer.split(' ').at(-1) ?? '';

const answersOf = ({ paths }: Description): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map(status => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );

/** A server that asks another and tells what passed. */
async function passOn(to: string, tell: (exchange: Exchange) => void) {
  const server = createServer(async (incoming, outgoing) => {
    const sent = await read(incoming);
    const { method = 'GET', url: path = '/', headers } = incoming;
    const onward = forward(to + path, { method, headers }, async response => {
      const exchange = { method, path, sent, status: response.statusCode ?? 0, type: typeOf(response) };
      outgoing.writeHead(exchange.status, response.headers);
      // A stream has no end to wait for.
      if (exchange.type === 'text/event-stream') {
        tell({ ...exchange, text: '' });
        response.on('error', () => outgoing.destroy());
        response.pipe(outgoing);
        const whole = await readBytes(response).catch(() => undefined);
        if (whole !== undefined) tell({ ...exchange, text: whole.toString('utf8') });
        return;
      }
      const body = await readBytes(response).catch(() => undefined);
      if (body === undefined) return void outgoing.destroy();
      tell({ ...exchange, text: body.toString('utf8') });
      outgoing.end(body);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** What is wrong with an exchange, by a description. */
export function judgeBy(description: Description): (exchange: Exchange) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(description, 'studio');
  const errorsOf = (pointer: readonly string[], value: unknown): string => {
    const ref = `studio#/${pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };

  return ({ method, path, sent, status, type, text }) => {
    const said = `${method} ${path} ${status}`;
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
      const { contentSchema } = (content[type] as JsonObject).schema as JsonObject;
      if (contentSchema !== undefined) {
        for (const data of text.split('\n\n').filter(event => event !== '' && event !== 'data: [DONE]')) {
          const wrong = errorsOf(
            [...at, 'content', type, 'schema', 'contentSchema'],
            parsed(data.replace(/^data: /, '')),
          );
          if (wrong !== '') objections.push(`${said}: ${wrong} in ${data}`);
        }
      }
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

async function readBytes(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const read = async (message: IncomingMessage): Promise<string> => (await readBytes(message)).toString('utf8');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const typeOf = (response: IncomingMessage): string =>
  (response.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
