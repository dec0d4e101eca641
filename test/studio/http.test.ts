import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { rateLimiter } from '../../src/studio/service/http/server.ts';
import { HttpRefusal } from '../../src/studio/shared/http-refusal.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { KEY, testStudio } from './fake-studio.ts';

/** Sends bytes as they are, and gives all that comes back. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

const error = (message: string, type: string) => ({ error: { message, type } });

test('without the key, what the description does not name is unauthenticated as well', async () => {
  await using studio = await testStudio();
  for (const path of ['/page/generations', '/nothing']) {
    for (const authorization of ['', 'Bearer ', `Bearer ${KEY}x`]) {
      const { status, headers, body } = await studio.get(path, { authorization });
      expect({ status, body }).toEqual({ status: 401, body: error('unauthenticated', 'unauthenticated') });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  }
});

test('the scheme of the key is read in any case', async () => {
  await using studio = await testStudio();
  expect((await studio.get('/api/ai/models', { authorization: `bearer  ${KEY}` })).status).toBe(200);
});

test('unknown paths are 404, also the ones that try to climb', async () => {
  await using studio = await testStudio();
  for (const path of [
    '/api',
    '/api/ai/models/a/b',
    '/api/ai/queue/a/b',
    '//evil.example/api/ai/models',
    '/api/ai/%ff',
  ]) {
    const { status, body } = await studio.get(path);
    expect({ status, body }).toEqual({ status: 404, body: error(`nothing is served at ${path}`, 'route_not_found') });
  }
  const answer = await raw(
    studio.url,
    `GET /api/../results/..%2f..%2fstudio.sqlite/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found');
});

test('a browser on another site gets nothing: no CORS, and no answer under a foreign host name', async () => {
  await using studio = await testStudio();
  const preflight = await fetch(`${studio.url}/api/ai/models`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', authorization: `Bearer ${KEY}` },
  });
  expect(preflight.status).toBe(405);
  expect([...preflight.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
  for (const host of [
    undefined,
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    '192.168.0.1',
    '',
    '127.0.0.1@evil',
  ]) {
    const answer = await raw(
      studio.url,
      `GET /api/ai/models HTTP/1.1\r\n${host === undefined ? '' : `Host: ${host}\r\n`}Authorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body] = answer.split('\r\n\r\n');
    expect([head.split('\r\n')[0], JSON.parse(body ?? '')]).toEqual([
      'HTTP/1.1 421 Misdirected Request',
      error('the studio answers on this machine only: use http://127.0.0.1', 'wrong_host'),
    ]);
  }
  for (const host of ['localhost', 'LOCALHOST:99', '127.0.0.1', '[::1]:4000', '127.1.2.3']) {
    const answer = await raw(
      studio.url,
      `GET /api/ai/queue HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
  }
});

test('what is not HTTP is answered in JSON', async () => {
  await using studio = await testStudio();
  expect(await raw(studio.url, 'EHLO mail.example\r\n\r\n')).toBe(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      'content-length: 73',
      'connection: close',
      '',
      '{"error":{"message":"this is not an HTTP request","type":"bad_request"}}\n',
    ].join('\r\n'),
  );
  const long = await raw(studio.url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(long.split('\r\n\r\n')[1]).toBe(
    '{"error":{"message":"the headers are larger than 16 KiB","type":"headers_too_large"}}\n',
  );
});

test('a body must be UTF-8, and may say so', async () => {
  await using studio = await testStudio();
  expect(await studio.post('/api/ai/queue', Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
    status: 400,
    body: error('the body is not UTF-8', 'invalid_json'),
  });
  const said = { 'content-type': 'application/json; charset=utf-8' };
  expect(await studio.post('/api/ai/queue', Buffer.from('{"model":"I-GEN-A"}'), said)).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request' } },
  });
});

test('a body without a declared length is cut off at 1 MiB too', async () => {
  await using studio = await testStudio();
  const response = await fetch(`${studio.url}/api/ai/queue`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    duplex: 'half',
    body: ReadableStream.from(Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, 'x'))),
  } as RequestInit);
  expect([response.status, await response.json()]).toEqual([
    413,
    error('the body is larger than 1048576 bytes: name media by URL', 'body_too_large'),
  ]);
});

test('hostile values are refused, not believed', async () => {
  await using studio = await testStudio();
  const asked = (more: string) => `{"model":"I-GEN-A","prompt":${more}}`;
  const fields = 'it takes prompt, num_inference_steps, seed, output_format';
  for (const [body, status, message] of [
    [asked('{"$pending":"x"}'), 400, 'prompt must be a value, not an object'],
    [asked('"x","__proto__":{"seed":1}'), 400, `I-GEN-A has no field __proto__; ${fields}`],
    ['{"model":"__proto__"}', 404, 'Model not found: __proto__'],
    ['{"model":{}}', 400, 'model must be a text'],
    ['{}', 400, 'model is required'],
    [asked('"x","seed":1e999'), 400, 'seed is too large a number'],
    [asked('['.repeat(200_000) + ']'.repeat(200_000)), 400, 'the body is nested deeper than 32 levels'],
  ] as const)
    expect(await studio.post('/api/ai/queue', Buffer.from(body))).toMatchObject({
      status,
      body: { error: { message } },
    });
  expect(studio.log.filter(line => line.startsWith('a request'))).toEqual([]);
});

test('the port and the folder are held by one studio', async () => {
  await using studio = await testStudio();
  await expect(testStudio({ folder: studio.folder })).rejects.toThrow(
    `another studio is already serving from ${studio.folder}: stop it first, or give this one a folder of its own`,
  );
  const port = Number(new URL(studio.url).port);
  await expect(testStudio({ port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken: choose another, or 0 for a free one`,
  );
  expect((await studio.get('/api/ai/queue')).status).toBe(200);
});

/** `ok`, or the seconds to wait. */
function asked(mind: () => void): string {
  try {
    mind();
    return 'ok';
  } catch (error) {
    return error instanceof HttpRefusal ? `${error.status} ${error.headers['retry-after']}` : String(error);
  }
}

test('three a second: three at once, then one for each third of a second', async () => {
  const clock = new FakeClock();
  const mind = rateLimiter({ perSecond: 3 }, clock);
  const four = () => [1, 2, 3, 4].map(() => asked(mind));
  expect(four()).toEqual(['ok', 'ok', 'ok', '429 1']);
  await clock.advance(334);
  expect(four()).toEqual(['ok', '429 1', '429 1', '429 1']);
  await clock.advance(60_000);
  expect(four()).toEqual(['ok', 'ok', 'ok', '429 1']);
});

test('one in ten seconds: whoever waits as long as told gets through', async () => {
  const clock = new FakeClock();
  const mind = rateLimiter({ perSecond: 0.1 }, clock);
  expect([asked(mind), asked(mind)]).toEqual(['ok', '429 10']);
  await clock.advance(4_000);
  expect(asked(mind)).toBe('429 6');
  await clock.advance(6_000);
  expect(asked(mind)).toBe('ok');
});
