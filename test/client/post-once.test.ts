/** Rules that hold for every POST that moves money. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { NotTaken, Service } from '../../src/api/service.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { json, redirect, stubServer, text } from '../support/stub-server.ts';

const KEY = 'sk-very-secret-key';
const never = new AbortController().signal;
const MEDIA = { model: 'V-T2V-A', prompt: 'a red fox' };
const CHAT = { model: 'C-D', messages: [{ role: 'user', content: 'three beats' }] };

const POSTS: readonly (readonly [
  name: string,
  send: (hub: Service, nonce?: string) => Promise<{ readonly is: string }>,
])[] = [
  ['enqueue', (hub, nonce) => hub.enqueue(MEDIA, never, nonce)],
  ['generate', (hub, nonce) => hub.generateNow('/videos/generate', MEDIA, never, nonce)],
  ['chat', (hub, nonce) => hub.chat(CHAT, never, undefined, nonce)],
  ['chat, streamed', (hub, nonce) => hub.chat({ ...CHAT, stream: true }, never, () => {}, nonce)],
];

function service(baseUrl: string, clock = new FakeClock()): Service {
  const made = connect({ name: 'hub', baseUrl, key: KEY, clock });
  onTestFinished(() => made.close());
  return made;
}

describe.each(POSTS)('%s', (_name, send) => {
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
