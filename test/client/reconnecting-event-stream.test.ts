import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { StreamListener } from '../../src/api/service.ts';
import { htmlPage, json, redirect, type Stub, silent, stream, stubServer, text } from '../support/stub-server.ts';
import { KEY, hub as openHub } from './hub.ts';

/** Everything a listener is told, in order, and a way to wait for more of it. */
class Listener implements StreamListener {
  readonly heard: string[] = [];
  readonly #looks = new Set<() => void>();
  completed = (id: string): void => this.#add(`completed ${id}`);
  up = (): void => this.#add('up');
  down = (reason: string): void => this.#add(`down: ${reason}`);
  has(count: number): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (this.heard.length < count) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }
  #add(line: string): void {
    this.heard.push(line);
    for (const look of [...this.#looks]) look();
  }
}

const deaf: StreamListener = { completed: () => {}, up: () => {}, down: () => {} };

/** A service, and somebody who listens to it. */
const hub = (stub: Stub) => ({ ...openHub(stub), listener: new Listener() });

/** A stub whose streams the test holds, newest last. */
async function streams() {
  const open: ServerResponse[] = [];
  const stub = await stubServer(stream(response => open.push(response)));
  return { stub, open, way: stream(response => open.push(response)) };
}

/** A service with an open stream and a listener. */
async function listening() {
  const { stub, open } = await streams();
  const heard = hub(stub);
  heard.service.listen(heard.listener);
  await heard.listener.has(1);
  return { stub, open, ...heard };
}

const completed = (id: string) => `event: media_generation_completed\ndata: {"generation_id": "${id}"}\n\n`;

test('a completion is told to everybody who listens, over one stream, opened with the key', async () => {
  const { stub, open } = await streams();
  const { service, listener } = hub(stub);
  const other = new Listener();
  service.listen(listener);
  await listener.has(1);
  service.listen(other);
  await other.has(1);
  open[0]?.write(completed('g-1'));
  await Promise.all([listener.has(2), other.has(2)]);
  expect(listener.heard).toEqual(['up', 'completed g-1']);
  expect(other.heard).toEqual(['up', 'completed g-1']);
  expect(stub.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/events']);
  expect(stub.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: 'text/event-stream' });
});

test('garbage is passed over: comments, other events, broken JSON, wrong shapes', async () => {
  const { open, listener } = await listening();
  open[0]?.write(': heartbeat\n\n\u0000\u0001rubbish\n\nevent: other\ndata: {"generation_id": "x"}\n\n');
  open[0]?.write('event: media_generation_completed\ndata: {"generation_id": \n\n');
  open[0]?.write('event: media_generation_completed\ndata: {"generation_id": 7}\n\n');
  open[0]?.write('event: media_generation_completed\ndata: null\n\ndata: {"generation_id": "no-name"}\n\n');
  open[0]?.write(completed('g-1').replaceAll('\n', '\r\n'));
  await listener.has(2);
  expect(listener.heard).toEqual(['up', 'completed g-1']);
});

test('a dropped stream is opened again, and tells where it was', async () => {
  const { stub, open, listener, clock } = await listening();
  open[0]?.write(`id: 41 é\n${completed('g-1')}`);
  await listener.has(2);
  open[0]?.end();
  await listener.has(3);
  expect(await clock.asleep()).toBe(500);
  await clock.advance(500);
  await listener.has(4);
  open[1]?.socket?.resetAndDestroy();
  await listener.has(5);
  expect(listener.heard).toEqual([
    'up',
    'completed g-1',
    'down: the stream ended',
    'up',
    'down: the connection was cut',
  ]);
  expect(stub.seen.map(seen => Buffer.from(String(seen.headers['last-event-id'] ?? ''), 'latin1').toString())).toEqual([
    '',
    '41 é',
  ]);
});

test('waits double while it keeps failing, to half a minute, and begin anew after a good connection', async () => {
  const { stub, open, way } = await streams();
  const { service, listener, clock } = hub(stub);
  stub.answer(json(500, { error: 'in pieces' }));
  service.listen(listener);
  const waits: number[] = [];
  for (let n = 1; n <= 8; n++) {
    waits.push(await clock.asleep(left => left !== 45_000));
    if (n === 8) stub.answer(way);
    await clock.advance(waits.at(-1) ?? 0);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  await listener.has(2);
  await clock.advance(10_000);
  open[0]?.end();
  await listener.has(3);
  expect(await clock.asleep()).toBe(500);
  expect(listener.heard).toEqual([
    `down: ${stub.host} answered the event stream with 500`,
    'up',
    'down: the stream ended',
  ]);
});

test('a stream that is taken and dropped at once, again and again, is not hammered', async () => {
  const stub = await stubServer(stream(response => response.end()));
  const { service, listener, clock } = hub(stub);
  service.listen(listener);
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    await listener.has(2 * n + 2);
    waits.push(await clock.asleep());
    await clock.advance(waits.at(-1) ?? 0);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000]);
});

const refusals = [
  ['401', text(401, 'unauthenticated'), 30_000, 'refuses the key at the event stream (401)'],
  ['404', text(404, 'nothing here'), 300_000, 'offers no event stream'],
  ['405', text(405, ''), 300_000, 'offers no event stream'],
  ['204', text(204, ''), 30_000, 'has closed the event stream (204)'],
  ['a page', htmlPage(200), 30_000, 'answered the event stream with something else'],
  ['429', text(429, '', { 'retry-after': '20' }), 20_000, 'answered the event stream with 429'],
  ['503 for a week', text(503, '', { 'retry-after': '604800' }), 300_000, 'answered the event stream with 503'],
] as const;
for (const [name, way, wait, reason] of refusals) {
  test(`${name} at the event stream is tried again, in its own time`, async () => {
    const { stub, way: good } = await streams();
    stub.answer(way);
    const { service, listener, clock } = hub(stub);
    service.listen(listener);
    await listener.has(1);
    expect(await clock.asleep()).toBe(wait);
    stub.answer(good);
    await clock.advance(wait);
    await listener.has(2);
    expect(listener.heard).toEqual([`down: ${stub.host} ${reason}`, 'up']);
  });
}

test('45 s without a byte is the end of a stream; a comment is life', async () => {
  const { open, listener, clock } = await listening();
  await clock.advance(44_000);
  open[0]?.write(`: heartbeat\n\n${completed('g-1')}`);
  await listener.has(2);
  await clock.advance(44_000);
  expect(listener.heard).toEqual(['up', 'completed g-1']);
  await clock.advance(1000);
  await listener.has(3);
  expect(listener.heard).toEqual(['up', 'completed g-1', 'down: nothing heard for 45 s']);
});

test('a service that takes the request for the stream and says nothing is given up, too', async () => {
  const stub = await stubServer(silent);
  const { service, listener, clock } = hub(stub);
  service.listen(listener);
  await stub.arrived(1);
  await clock.advance(45_000);
  expect(listener.heard).toEqual(['down: nothing heard for 45 s']);
});

test('a line without end is cut off after a mebibyte, not kept', async () => {
  const { open, listener } = await listening();
  const response = open[0]!;
  let sent = 0;
  const more = () => {
    if (response.destroyed || sent >= 100 * 1024 * 1024) return;
    sent += 64 * 1024;
    response.write('x'.repeat(64 * 1024), more);
  };
  response.write('data: ', more);
  await listener.has(2);
  expect(listener.heard).toEqual(['up', 'down: a line of the stream is longer than 1 MiB']);
  // So many bytes fit into the sockets' own buffers.
  expect(sent).toBeLessThan(20 * 1024 * 1024);
});

test('the key does not follow the stream to another origin', async () => {
  const elsewhere = await stubServer(stream(() => {}));
  const stub = await stubServer(redirect(307, `${elsewhere.url}/api/events`));
  const { service, listener } = hub(stub);
  service.listen(listener);
  await listener.has(1);
  expect(listener.heard).toEqual([
    `down: ${stub.host}: it redirects to ${elsewhere.url}, and the key is not sent there; set the base address to where the service is`,
  ]);
  expect(elsewhere.seen).toEqual([]);
});

test('the stream is closed after the last listener, and opened again for the next', async () => {
  const { stub, open } = await streams();
  const { service, listener } = hub(stub);
  const [first, second] = [service.listen(listener), service.listen(listener)];
  await listener.has(2);
  first();
  open[0]?.write(completed('g-1'));
  await listener.has(3);
  const closed = new Promise(resolve => open[0]?.once('close', resolve));
  second();
  await closed;
  service.listen(listener);
  await listener.has(4);
  expect(listener.heard).toEqual(['up', 'up', 'completed g-1', 'up']);
  expect(open.length).toBe(2);
});

test('a listener may leave while it is being told', async () => {
  const { stub, open } = await streams();
  const { service, listener } = hub(stub);
  const shy = service.listen({ ...deaf, up: () => shy() });
  await stub.arrived(1);
  const once = service.listen({
    ...deaf,
    completed: id => {
      listener.completed(id);
      once();
    },
  });
  service.listen({ ...deaf, up: () => listener.up() });
  await listener.has(1);
  open.at(-1)?.write(completed('g-1') + completed('g-2'));
  await listener.has(2);
  expect(listener.heard).toEqual(['up', 'completed g-1']);
});

test('closing the service ends a stream in the middle of its wait', async () => {
  const stub = await stubServer(json(500, {}));
  const { service, listener, clock } = hub(stub);
  service.listen(listener);
  await listener.has(1);
  await clock.asleep();
  await service.close();
  expect(clock.sleeping).toEqual([]);
});

test('events for others, doubles, and ids that never were ours are told as they come, and nothing of them is kept', async () => {
  const { open, listener } = await listening();
  const many = Array.from({ length: 2000 }, (_, n) => `id: ${n}\n${completed(`other-${n % 500}`)}`).join('');
  open[0]?.write(many);
  open[0]?.write(completed('g-1') + completed('g-1'));
  await listener.has(1 + 2000 + 2);
  expect(listener.heard.slice(-2)).toEqual(['completed g-1', 'completed g-1']);
  open[0]?.end();
  await listener.has(1 + 2000 + 3);
  // Only the place in the stream is kept of all that came.
  expect(listener.heard.at(-1)).toBe('down: the stream ended');
});

test('an id that could steer a terminal, is endless, or is no text is passed over', async () => {
  const { open, listener } = await listening();
  const ids = ['\u001b[2J', 'a b', '', 'g\u202e', 'g\u0085', '\ud800', 'x'.repeat(513), ['g'], { $gt: '' }, null, true];
  for (const generation_id of ids) {
    open[0]?.write(`event: media_generation_completed\ndata: ${JSON.stringify({ generation_id })}\n\n`);
  }
  for (const data of [
    '[]',
    '"g"',
    '7',
    '{"generation_id":"g"',
    `${'['.repeat(100_000)}`,
    '{"__proto__":{"generation_id":"g"}}',
  ]) {
    open[0]?.write(`event: media_generation_completed\ndata: ${data}\n\n`);
  }
  open[0]?.write(completed('g-1'));
  await listener.has(2);
  expect(listener.heard).toEqual(['up', 'completed g-1']);
});

test('neither a Retry-After nor a retry field of 0 makes it come back sooner', async () => {
  for (const retryAfter of ['0', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', '0.0001']) {
    const stub = await stubServer(text(503, '', { 'retry-after': retryAfter }));
    const { service, listener, clock } = hub(stub);
    service.listen(listener);
    for (const wait of [500, 1000, 2000]) {
      expect(await clock.asleep(left => left !== 45_000), retryAfter).toBe(wait);
      await clock.advance(wait);
    }
    await service.close();
  }
  const stub = await stubServer(stream(response => response.end('retry: 0\n\n')));
  const { service, listener, clock } = hub(stub);
  service.listen(listener);
  for (const wait of [500, 1000, 2000]) {
    expect(await clock.asleep(left => left !== 45_000)).toBe(wait);
    await clock.advance(wait);
  }
});
