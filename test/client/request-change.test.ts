import { describe, expect, test } from 'vitest';
import type { FineTune } from '../../src/api/fine-tunes.ts';
import type { Answer, Changed } from '../../src/api/service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { htmlPage, json, resetAfterRequest, silent, stubServer, text } from '../support/stub-server.ts';
import { never, service } from './hub.ts';

const PLACE = { namespace: 'film house', repo: 'looks', id: 'a/b' };

test('a model is activated with a POST that has no body', async () => {
  const stub = await stubServer(json(200, { id: 'a/b', deployments: [{ status: 'deploying' }] }));
  expect(await service(stub.url).activate('a/b', never)).toMatchObject({
    is: 'ok',
    value: { id: 'a/b', deployments: [{ status: 'deploying' }] },
  });
  const [{ method, path, body, headers }] = stub.seen as [(typeof stub.seen)[number]];
  expect([method, path, body, headers['content-type'], headers['content-length']]).toEqual([
    'POST',
    '/api/ai/models/a%2Fb/activate',
    '',
    undefined,
    '0',
  ]);
  await service(stub.url).deactivate('a/b', never);
  expect(stub.seen[1]?.path).toBe('/api/ai/models/a%2Fb/deactivate');
});

test('questions of the catalog carry their words in the query', async () => {
  const stub = await stubServer(json(200, { data: [] }));
  const hub = service(stub.url);
  await hub.searchModels('a b&c', never);
  await hub.models(never, { developer_name: 'R & D', action: 'train' });
  await hub.models(never, {});
  await hub.model('x', never);
  await hub.model('x', never, { live: true });
  expect(stub.seen.map(({ path }) => path)).toEqual([
    '/api/ai/models/search?search=a+b%26c',
    '/api/ai/models?developer_name=R+%26+D&action=train',
    '/api/ai/models',
    '/api/ai/models/x',
    '/api/ai/models/x?deployment_status=live',
  ]);
});

describe('a fine-tune is tokenized, or the reason is told', () => {
  const ok = (value: FineTune): Changed<FineTune> => ({ is: 'ok', value });
  const cases: readonly [string, Parameters<typeof stubServer>[0], (host: string) => Changed<FineTune>][] = [
    [
      'as observed',
      json(200, { status: 'success', fine_tune: { id: 'a/b', status: 'created', steps: 4 } }),
      () => ok({ id: 'a/b', status: 'created', steps: 4 }),
    ],
    ['bare', json(200, { id: 'a/b' }), () => ok({ id: 'a/b' })],
    ['without its id', json(200, { fine_tune: { status: 7 } }), () => ok({ id: 'a/b' })],
    [
      '200 with no object',
      json(200, 'done'),
      host => ({ is: 'unavailable', message: `${host} answered 200 without a fine-tune` }),
    ],
    ['404', json(404, { status: 'error', status_message: 'no' }), () => ({ is: 'absent', message: 'no' })],
    ['405', text(405, 'not here'), () => ({ is: 'absent', message: 'not here' })],
    ['401', text(401, 'unauthenticated'), () => ({ is: 'unauthenticated', message: 'unauthenticated' })],
    ['409', json(409, { error: 'running' }), () => ({ is: 'refused', status: 409, message: 'running' })],
    [
      '429',
      text(429, 'slow', { 'retry-after': '2' }),
      () => ({ is: 'unavailable', message: 'slow', retryAfter: 2000 }),
    ],
    ['500', htmlPage(500), host => ({ is: 'unavailable', message: `${host} answered 500 without a reason` })],
    ['a reset', resetAfterRequest, host => ({ is: 'unavailable', message: `${host}: the connection was cut` })],
  ];
  test.each(cases)('%s', async (_name, way, expected) => {
    const stub = await stubServer(way);
    expect(await service(stub.url).tokenize(PLACE, never)).toEqual(expected(stub.host));
    expect(stub.seen.map(({ path }) => path)).toEqual(['/api/repos/film%20house/looks/fine_tunes/a%2Fb/tokenize']);
  });
});

describe('a fine-tune is read where a service lets it be', () => {
  const ok = (value: FineTune): Answer<FineTune> => ({ is: 'ok', value });
  const absent = (message: string): Answer<FineTune> => ({ is: 'absent', message });
  const noFineTune = (host: string) => absent(`${host} answered with something that is not a fine-tune`);
  type Case = readonly [string, Parameters<typeof stubServer>[0], (host: string) => Answer<FineTune>];
  const cases: readonly Case[] = [
    [
      'wrapped, as tokenize answers',
      json(200, { status: 'success', fine_tune: { id: 'a/b', status: 'tokenizing', progress: 0.5 } }),
      () => ok({ id: 'a/b', status: 'tokenizing', progress: 0.5 }),
    ],
    ['bare', json(200, { id: 'a/b', status: 'tokenized' }), () => ok({ id: 'a/b', status: 'tokenized' })],
    ['another one', json(200, { fine_tune: { id: 'c', status: 'tokenized' } }), noFineTune],
    ['something else that has succeeded', json(200, { status: 'success', repository: { id: 1 } }), noFineTune],
    ['a page for people', htmlPage(200), noFineTune],
    ...[400, 403, 404, 405, 422, 501].map(
      (status): Case => [`${status}`, text(status, 'not here'), () => absent(`not here (${status})`)],
    ),
    ['401', text(401, 'unauthenticated'), () => ({ is: 'unauthenticated', message: 'unauthenticated (401)' })],
    [
      '429',
      text(429, 'slow', { 'retry-after': '2' }),
      () => ({ is: 'unavailable', message: 'slow (429)', retryAfter: 2000, busy: true }),
    ],
    ['502', htmlPage(502), host => ({ is: 'unavailable', message: `${host} answered 502 without a reason` })],
  ];
  test.each(cases)('%s', async (_name, way, expected) => {
    const stub = await stubServer(way);
    expect(await service(stub.url).fineTune(PLACE, never)).toEqual(expected(stub.host));
    expect(stub.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/repos/film%20house/looks/fine_tunes/a%2Fb',
    ]);
  });
});

test('a service that says nothing is given up after a minute', async () => {
  const stub = await stubServer(silent);
  const clock = new FakeClock();
  const answer = service(stub.url, clock).activate('x', never);
  await stub.arrived(1);
  await clock.advance(60_000);
  expect(await answer).toEqual({ is: 'unavailable', message: `${stub.host}: no answer within 60 s` });
});
