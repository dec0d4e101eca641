/** Plain HTTP requests to a service, without any client. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { MEDIA_ENDPOINTS, routes } from '../../src/api/routes.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { ServiceFixture } from './service-fixture.ts';

/** Where a request for media may be sent. */
export const POSTS = [routes.queue, ...MEDIA_ENDPOINTS.map(routes.generateNow)];

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON, or the text that is none. */
  readonly body: Json;
}

interface RawHttp {
  /** With the key, unless the headers say otherwise. */
  ask(method: string, path: string, init?: RequestInit): Promise<RawAnswer>;
  /** A JSON body. */
  post(path: string, body: JsonObject | string): Promise<RawAnswer>;
  /** Under another machine's name, which `fetch` would not let one give. */
  under(host: string, method: string, path: string): Promise<{ readonly status: number; readonly body: Json }>;
}

export function rawHttp({ url, key }: ServiceFixture): RawHttp {
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<RawAnswer> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await fetch(url + path, { method, ...init, headers });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  };
  return {
    ask,
    post: (path, body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return ask('POST', path, { headers: { 'content-type': 'application/json' }, body: text });
    },
    under: (host, method, path) =>
      new Promise((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${key}` };
        request(url + path, { method, headers }, async response => {
          resolve({ status: response.statusCode ?? 0, body: parsed(await text(response)) });
        })
          .on('error', reject)
          .end();
      }),
  };
}

/** The one shape of every error. */
export const error = (type: string, message: string) => ({ error: { message, type } });

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
