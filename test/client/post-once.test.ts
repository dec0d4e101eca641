/** Rules that hold for every POST that moves money. */
import { describe, expect, test } from 'vitest';
import type { NotTaken, Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';
import {
  halfABody,
  htmlPage,
  json,
  redirect,
  resetAfterRequest,
  silent,
  stubServer,
  text,
  type Way,
} from '../support/stub-server.ts';
import { KEY, never, service } from './hub.ts';

const MEDIA = { model: 'V-T2V-A', prompt: 'a red fox' };
const CHAT = { model: 'C-D', messages: [{ role: 'user', content: 'three beats' }] };

const POSTS: readonly (readonly [
  name: string,
  send: (hub: Service, nonce?: string, signal?: AbortSignal) => Promise<{ readonly is: string }>,
])[] = [
  ['enqueue', (hub, nonce, signal = never) => hub.enqueue(MEDIA, signal, nonce)],
  ['generate', (hub, nonce, signal = never) => hub.generateNow('/videos/generate', MEDIA, signal, nonce)],
  ['chat', (hub, nonce, signal = never) => hub.chat(CHAT, signal, undefined, nonce)],
  ['chat, streamed', (hub, nonce, signal = never) => hub.chat({ ...CHAT, stream: true }, signal, () => {}, nonce)],
];

const unknown = (message: string): NotTaken => ({ is: 'unknown', message });
const refused = (status: number, message: string): NotTaken => ({ is: 'refused', status, message });

const OUTCOMES: readonly (readonly [string, Way, (host: string) => NotTaken])[] = [
  [
    'a reason in JSON',
    json(400, { error: { message: 'prompt is too long' } }),
    () => refused(400, 'prompt is too long'),
  ],
  [
    'a moment to come again',
    text(429, 'slow', { 'retry-after': '3' }),
    () => ({ ...refused(429, 'slow'), retryAfter: 3000 }) as NotTaken,
  ],
  ['a service in trouble', json(500, { error: 'out of memory' }), () => unknown('out of memory (500)')],
  [
    'the page of a proxy',
    htmlPage(502),
    host => ({ ...unknown(`${host} answered 502 without a reason`), gateway: true }) as NotTaken,
  ],
  ['a reset', resetAfterRequest, host => unknown(`${host}: the connection was cut`)],
  ['half an answer', halfABody, host => unknown(`${host}: the connection was cut`)],
];

describe.each(POSTS)('%s', (_name, send) => {
  test.each(OUTCOMES)('is sent once, and tells of %s', async (_answer, way, outcome) => {
    const stub = await stubServer(way);
    expect(await send(service(stub.url))).toEqual(outcome(stub.host));
    expect([stub.seen.length, stub.connections]).toEqual([1, 1]);
  });

  test('was provably not sent where nothing listens, and where it was stopped before', async () => {
    const stub = await stubServer(silent);
    const { host } = stub;
    expect(await send(service(stub.url), undefined, AbortSignal.abort())).toEqual({
      is: 'unreached',
      message: `${host}: stopped`,
    });
    expect(stub.connections).toBe(0);
    await stub.stop();
    const message = `${host}: nothing answers there (connection refused)`;
    expect(await send(service(stub.url))).toEqual({ is: 'unreached', message });
  });

  test('carries its nonce, once, in the one request it makes', async () => {
    const nonces: string[][] = [];
    const stub = await stubServer((response, request) => {
      nonces.push(request.headersDistinct['idempotency-key'] ?? []);
      text(503, 'in repair')(response, request);
    });
    const hub = service(stub.url);
    await send(hub, 'n-1');
    await send(hub, 'n-2');
    await send(hub);
    expect(nonces).toEqual([['n-1'], ['n-2'], []]);
    expect(stub.seen.map(({ body }) => body.includes('n-'))).toEqual([false, false, false]);
  });

  test('is not sent by a process that stood still while it was connected', async () => {
    const stub = await stubServer(json(200, {}));
    const clock = new FakeClock();
    const sending = send(service(stub.url, clock));
    // As when it is stopped and woken: the time is another, and no timer was there to tell.
    clock.set(30_000);
    expect((await sending).is).toBe('unreached');
    expect([stub.connections, stub.seen.length]).toEqual([1, 0]);
  });

  test('is unknown after 408, every 5xx and every 3xx, and may still be on its way behind 408, 502 and 504', async () => {
    let status = 0;
    const stub = await stubServer((response, request) => text(status, '')(response, request));
    const hub = service(stub.url);
    const statuses = [408, ...Array.from({ length: 100 }, (_, n) => [300 + n, 500 + n]).flat(), 600, 999];
    const behind: number[] = [];
    for (status of statuses) {
      const outcome = (await send(hub)) as NotTaken;
      expect(outcome.is, String(status)).toBe('unknown');
      if ('gateway' in outcome) behind.push(status);
    }
    expect(behind.sort()).toEqual([408, 502, 504]);
    expect(stub.seen.length).toBe(statuses.length);
  });

  test('is refused by every other 4xx', async () => {
    let status = 0;
    const stub = await stubServer((response, request) => text(status, 'no')(response, request));
    const hub = service(stub.url);
    for (status = 400; status < 500; status++) {
      if (status === 408) continue;
      expect(await send(hub), String(status)).toEqual({ is: 'refused', status, message: 'no' });
    }
  });

  test('follows no redirect: neither the key nor the nonce is seen elsewhere', async () => {
    const elsewhere = await stubServer(json(200, { generations: [{ generation_id: 'stolen' }] }));
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [`${elsewhere.url}/api/ai/queue`, '/api/ai/queue', `//${elsewhere.host}/`, 'x://']) {
        const stub = await stubServer(redirect(status, location));
        expect(await send(service(stub.url), 'n-1')).toEqual({
          is: 'unknown',
          message: `${stub.host} answered ${status}: it redirects; set the base address to where the service is`,
        });
        expect(stub.seen.length).toBe(1);
      }
    }
    expect([elsewhere.seen, elsewhere.connections]).toEqual([[], 0]);
  });
});

test('a service tells accounts apart by address and key, and nobody reads the key out of it', () => {
  const account = (baseUrl: string, key: string) =>
    connect({ name: 'hub', baseUrl, key, clock: new FakeClock() }).account;
  expect(account('https://hub.test/a/', KEY)).toBe(account('https://HUB.test/a', KEY));
  const all = [
    ['https://hub.test', KEY],
    ['https://hub.test', `${KEY}2`],
    ['https://hub.test/a', KEY],
    ['https://other.test', KEY],
  ].map(([url, key]) => account(url!, key!));
  expect(new Set(all).size).toBe(4);
  expect(all.join()).not.toContain(KEY);
  expect(all[0]).toMatch(/^https:\/\/hub\.test [0-9a-f]{16}$/);
});
