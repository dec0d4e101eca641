/** The conformance proxy objects to what is not described. */

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { KEY, testStudio } from '../studio/fake-studio.ts';
import { ConformanceProxy, validatorOf } from './conformance-proxy.ts';

const exchange = { method: 'GET', path: '/api/ai/models/V-RF', sent: '', status: 200, type: 'application/json' };

test('whatever is not as described is objected to', async () => {
  await using studio = await testStudio();
  const judge = validatorOf((await studio.get('/openapi.json', { authorization: '' })).body as never);
  const model = (await studio.get('/api/ai/models/V-RF')).body as object;
  const judged = (change: Partial<typeof exchange & { text: string }>) =>
    judge({ ...exchange, text: JSON.stringify(model), ...change });

  expect(judged({})).toEqual([]);
  expect(judged({ text: JSON.stringify({ ...model, id: 7 }) })[0]).toMatch(/^GET \S+ 200: data\/id must be string in/);
  expect(judged({ text: JSON.stringify({ ...model, stack: 'at …' }) })[0]).toMatch(
    /must NOT have additional properties/,
  );
  expect(judged({ status: 404, text: '<!doctype html><title>404</title>' })[0]).toMatch(/a page, or a stack/);
  expect(judged({ status: 404, text: '{"error":{"message":"at door (/studio/http.ts:7:1)"}}' })[0]).toMatch(/a stack/);
  expect(judged({ status: 418 })).toEqual(['GET /api/ai/models/V-RF 418: no such status is described']);
  expect(judged({ type: 'text/html' })).toEqual([
    'GET /api/ai/models/V-RF 200: text/html is not among application/json',
  ]);
  expect(judged({ path: '/nowhere', status: 404 })[0]).toMatch(/^GET \/nowhere 404: not described data must have/);
  const enqueued = {
    method: 'POST',
    path: '/api/ai/queue',
    text: JSON.stringify({ generations: [{ generation_id: 'g', status: 'queued' }] }),
  };
  expect(judged({ ...enqueued, sent: '{"model":"I-GEN-A","prompt":"a fox"}' })).toEqual([]);
  expect(judged({ ...enqueued, sent: '{"model":"I-GEN-A"}' })[0]).toMatch(/it took what its description forbids/);
});

test('the description is served without a key, and needs none to be read', async () => {
  await using studio = await testStudio();
  const { status, body } = await studio.get('/openapi.json', { authorization: '' });
  expect([status, (body as { openapi: string }).openapi]).toEqual([200, '3.1.0']);
  expect(JSON.stringify(body)).not.toContain(KEY);
});

test('what no case brought about is named', async () => {
  const proxy = new ConformanceProxy();
  await using studio = await testStudio();
  const url = await proxy.before(studio.url);
  const before = proxy.unseen;
  await fetch(`${url}/api/ai/models`);
  await fetch(`${url}/api/ai/models/V-RF`, { headers: { authorization: `Bearer ${KEY}` } });
  const seen = before.filter(answer => !proxy.unseen.includes(answer));
  expect(seen).toEqual(['GET /api/ai/models 401', 'GET /api/ai/models/{id} 200']);
  expect(proxy.unseen).toContain('GET /results/{id}/{name} 206');
  expect(proxy.unseen.filter(answer => answer.endsWith(' 500'))).toEqual(['any 500']);
});

test.each([
  ['the studio', false],
  ['the strict studio', true],
] as const)('%s is described without a fault', async (_name, strict) => {
  await using studio = await testStudio({ strict });
  const source = await (await fetch(`${studio.url}/openapi.json`)).text();
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});
