import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Enqueued } from '../../src/api/service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { brokenRefusal, endless, htmlPage, json, silent, stubServer, text } from '../support/stub-server.ts';
import { KEY, never, service } from './hub.ts';

const REQUEST = { model: 'V-T2V-A', prompt: 'a red fox' };

test('a generation is accepted with the id of its first item, and the key goes with the request', async () => {
  const stub = await stubServer(json(200, { generations: [{ generation_id: 'g-1', status: 'queued' }] }));
  expect(await service(`${stub.url}/hub/`).enqueue(REQUEST, never)).toEqual({ is: 'accepted', id: 'g-1' });
  expect(stub.seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    { method: 'POST', path: '/hub/api/ai/queue', body: '{"model":"V-T2V-A","prompt":"a red fox"}' },
  ]);
  expect(stub.seen[0]?.headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
  });
});

test('every POST has a connection of its own, and leaves none behind', async () => {
  const stub = await stubServer(json(201, { generations: [{ generation_id: 'g-1' }] }));
  const hub = service(stub.url);
  await hub.enqueue(REQUEST, never);
  await hub.enqueue(REQUEST, never);
  expect(stub.connections).toBe(2);
});

describe('one bad answer, one POST, one outcome', () => {
  const refused = (status: number, message: string, retryAfter?: number): Enqueued => ({
    is: 'refused',
    status,
    message,
    ...(retryAfter !== undefined && { retryAfter }),
  });
  const now = new FakeClock().now();
  const cases: readonly [string, Parameters<typeof stubServer>[0], (host: string) => Enqueued][] = [
    ['400 with an error text', json(400, { error: 'bad seed' }), () => refused(400, 'bad seed')],
    ['401 in plain text', text(401, 'unauthenticated'), () => refused(401, 'unauthenticated')],
    ['402 with a message', json(402, { message: 'no\n credit \u001b[31mleft' }), () => refused(402, 'no credit left')],
    [
      '422 with a list of reasons',
      json(422, { detail: [{ loc: ['seed'], msg: 'too large' }, { msg: 'no prompt' }] }),
      () => refused(422, 'too large; no prompt'),
    ],
    ['a refusal that breaks off', brokenRefusal, host => refused(400, `${host} gives no reason`)],
    ['403 with a page of HTML', htmlPage(403), host => refused(403, `${host} gives no reason`)],
    [
      '429 with a date',
      text(429, 'slow down', { 'retry-after': new Date(now + 90_000).toUTCString() }),
      () => refused(429, 'slow down', 90_000),
    ],
    [
      '429 with a date gone by',
      text(429, 'slow down', { 'retry-after': new Date(now - 90_000).toUTCString() }),
      () => refused(429, 'slow down', 0),
    ],
    ['429 with nonsense', text(429, 'slow down', { 'retry-after': 'soon' }), () => refused(429, 'slow down')],
    [
      'a refusal that quotes the key',
      json(401, { error: { message: `no such key: ${KEY}!` } }),
      () => refused(401, 'no such key: (key)!'),
    ],
    [
      'a refusal that hides the key in its length',
      json(401, { error: `${'x'.repeat(290)} ${KEY}` }),
      () => refused(401, `${'x'.repeat(290)} (key)`),
    ],
    [
      'a refusal that hides the key in its colours',
      json(401, { error: `no ${KEY.slice(0, 5)}\u001b[1m${KEY.slice(5)}` }),
      () => refused(401, 'no (key)'),
    ],
    ['a refusal that is a book', text(400, 'x'.repeat(100_000)), () => refused(400, `${'x'.repeat(299)}…`)],
    [
      '504 that breaks off',
      (response, request) => {
        response.writeHead(504, { 'content-length': '1000' });
        response.write('upstream', () => request.socket.destroy());
      },
      host => ({ is: 'unknown', message: `${host} answered 504 without a reason`, gateway: true }),
    ],
    [
      'two ids, of which the first is ours',
      json(200, { generations: [{ generation_id: 'g-1' }, { generation_id: 'g-2' }, { generation_id: 'g-1' }] }),
      () => ({ is: 'accepted', id: 'g-1' }),
    ],
    [
      '200 without an id',
      json(200, { generations: [] }),
      host => ({ is: 'unknown', message: `${host} answered 200 without a generation id` }),
    ],
    [
      '200 with an id that is no text',
      json(200, { generations: [{ generation_id: { $gt: '' } }] }),
      host => ({ is: 'unknown', message: `${host} answered 200 without a generation id` }),
    ],
    [
      '200 that is a page',
      htmlPage(200),
      host => ({ is: 'unknown', message: `${host} answered 200 without a generation id` }),
    ],
    ['an endless body', endless, host => ({ is: 'unknown', message: `${host}: the answer is longer than 1 MiB` })],
  ];
  for (const [name, way, outcome] of cases) {
    test(name, async () => {
      const stub = await stubServer(way);
      expect(await service(stub.url).enqueue(REQUEST, never)).toEqual(outcome(stub.host));
      expect(stub.seen.length).toBe(1);
    });
  }
});

describe('provably nothing was sent', () => {
  test('the host has no name', async () => {
    const outcome = await service('https://nobody.invalid').enqueue(REQUEST, never);
    expect(outcome.is).toBe('unreached');
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/^nobody\.invalid: (no such host name|the host name could not be looked up)$/),
    );
  });

  test('no TLS is spoken there', async () => {
    const stub = await stubServer(silent);
    const outcome = await service(stub.url.replace('http:', 'https:')).enqueue(REQUEST, never);
    expect(outcome).toEqual({ is: 'unreached', message: `${stub.host}: it does not speak TLS there` });
    expect(stub.seen).toEqual([]);
  });

  test('the connection never stands', async () => {
    // The server takes the TLS connection and then says nothing, so the handshake never ends.
    const mute = createServer(socket => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const host = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const clock = new FakeClock();
    const outcome = service(`https://${host}`, clock).enqueue(REQUEST, never);
    await clock.asleep(left => left === 10_000);
    await clock.advance(10_000);
    expect(await outcome).toEqual({ is: 'unreached', message: `${host}: no connection within 10 s` });
  });
});

test('called off after it was sent, it may have been taken', async () => {
  const stub = await stubServer(silent);
  const stop = new AbortController();
  const outcome = service(stub.url).enqueue(REQUEST, stop.signal);
  await stub.arrived(1);
  stop.abort();
  expect(await outcome).toEqual({ is: 'unknown', message: `${stub.host}: stopped` });
});

test('a service that takes the request and stays silent is given up after a minute of our own clock', async () => {
  const stub = await stubServer(silent);
  const clock = new FakeClock();
  const outcome = service(stub.url, clock).enqueue(REQUEST, never);
  await stub.arrived(1);
  await clock.advance(60_000);
  expect(await outcome).toEqual({ is: 'unknown', message: `${stub.host}: no answer within 60 s` });
});
