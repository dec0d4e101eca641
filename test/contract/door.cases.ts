/** Rules that hold for every operation alike. The operations are read from the very table that `/openapi.json` is made of. */
import { expect } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import { apiRoutes } from '../../src/studio/service/routes/index.ts';
import { error, rawHttp } from './raw-http.ts';
import type { Cases } from './service-fixture.ts';

const served = (strict: boolean) =>
  apiRoutes
    .filter(({ observed }) => !(strict && observed))
    .map(route => ({ ...route, path: route.path.replaceAll(/\{\w+\}/g, 'x'), isOpen: route.open === true }));

/** Bytes. */
const largestAt = (path: string): number => (path === routes.chat ? 8 : 1) * 1024 * 1024;
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

export const DOOR_CASES: Cases = {
  'without a key, or with another one, every operation is 401 `unauthenticated`': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    for (const { method, path, isOpen } of served(service.strict)) {
      if (isOpen) continue;
      expect((await fetch(service.url + path, { method })).status).toBe(401);
      for (const authorization of ['', 'Bearer no', `Basic ${service.key}`, service.key]) {
        const { status, headers, body } = await ask(method, path, { headers: { authorization } });
        expect([method, path, status, headers.get('www-authenticate'), body]).toEqual([
          method,
          path,
          401,
          'Bearer',
          error('unauthenticated', 'unauthenticated'),
        ]);
      }
    }
  },

  'under another machine’s name every operation is 421': async open => {
    const service = await open();
    const { under } = rawHttp(service);
    for (const { method, path } of served(service.strict)) {
      const body = error('wrong_host', 'the studio answers on this machine only: use http://127.0.0.1');
      const heard = method === 'HEAD' ? '' : body;
      expect([method, path, await under('evil.test', method, path)]).toEqual([
        method,
        path,
        { status: 421, body: heard },
      ]);
    }
  },

  'when too many come, every operation is 429 with `Retry-After`': async open => {
    const service = await open({ perSecond: 0.2 });
    const { ask } = rawHttp(service);
    expect((await ask('GET', '/api/ai/models/V-RF')).status).toBe(200);
    for (const { method, path, isOpen } of served(service.strict)) {
      if (isOpen) continue;
      const { status, headers, body } = await ask(method, path);
      expect([method, path, status, headers.get('retry-after'), body]).toEqual([
        method,
        path,
        429,
        '5',
        error('rate_limited', 'too many requests: try again in 5 s'),
      ]);
    }
  },

  'a method that a path does not take is 405, with those that it takes': async open => {
    const service = await open();
    const { ask } = rawHttp(service);
    const methods = new Map<string, (typeof apiRoutes)[number]['method'][]>();
    for (const { method, path } of served(service.strict)) methods.set(path, [...(methods.get(path) ?? []), method]);
    for (const [path, allowed] of methods) {
      const { status, headers, body } = await ask('PUT', path);
      const said = error('method_not_allowed', `${path} takes ${headers.get('allow')?.replace(', ', ' or ')}, not PUT`);
      expect([path, status, headers.get('allow')?.split(', ').sort(), body]).toEqual([path, 405, allowed.sort(), said]);
    }
  },

  'what nobody serves is 404, in JSON': async open => {
    const { ask } = rawHttp(await open());
    for (const path of ['/api', '/api/ai/videos', '/api/ai/models/a/b/c', '/api/v2/ai/queue', '/results/x']) {
      expect(await ask('GET', path)).toMatchObject({
        status: 404,
        body: error('route_not_found', `nothing is served at ${path}`),
      });
    }
  },

  'a body that is no JSON object of a decent size and depth is 400, 413 or 415': async open => {
    const service = await open();
    const { ask, post } = rawHttp(service);
    for (const { method, path, takes } of served(service.strict)) {
      if (!takes) continue;
      const send = (body: string, headers: Record<string, string>) => ask(method, path, { body, headers });
      const json = { 'content-type': 'application/json' };
      for (const body of ['', '{"model":', 'model'])
        expect(await post(path, body)).toMatchObject({
          status: 400,
          body: { error: { type: 'invalid_json', message: expect.stringMatching(/^the body is not JSON: /) } },
        });
      for (const body of ['[]', '"model"', 'null'])
        expect(await post(path, body)).toMatchObject({
          status: 400,
          body: error('invalid_json', 'the body must be a JSON object'),
        });
      expect(await post(path, nested(40))).toMatchObject({
        status: 400,
        body: error('invalid_json', 'the body is nested deeper than 32 levels'),
      });
      expect(await post(path, { model: 'x'.repeat(largestAt(path)) })).toMatchObject({
        status: 413,
        body: error('body_too_large', `the body is larger than ${largestAt(path)} bytes: name media by URL`),
      });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        expect(await send('model=V-RF', { 'content-type': type })).toMatchObject({
          status: 415,
          body: error('unsupported_media_type', 'send the body with Content-Type: application/json'),
        });
      expect(await send('{}', { ...json, 'content-encoding': 'gzip' })).toMatchObject({
        status: 415,
        body: error('unsupported_media_type', 'send the body without Content-Encoding'),
      });
    }
  },

  'the description is for everybody': async open => {
    const service = await open();
    const response = await fetch(`${service.url}/openapi.json`);
    const { openapi, servers } = (await response.json()) as { openapi: string; servers: object[] };
    expect([response.status, openapi, servers]).toEqual([200, '3.1.0', [{ url: service.url }]]);
  },
};
