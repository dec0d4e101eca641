import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { never, service } from './hub.ts';

const REQUEST = { model: 'V-T2V-A', prompt: 'a red fox' };
const response = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A server below HTTP: what it does with each connection is the test's own affair. */
async function rawServer(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The outcome for an answer that breaks off after each of its bytes, as runs of equal outcomes: `unknown × 105`. */
async function outcomes(answer: string, end: (socket: Socket) => void): Promise<string[]> {
  let connections = 0;
  let cut = 0;
  const url = await rawServer(socket => {
    connections++;
    socket.once('data', () => socket.write(answer.slice(0, cut), () => end(socket)));
  });
  const hub = service(url);
  const runs: { is: string; times: number }[] = [];
  for (cut = 1; cut <= answer.length; cut++) {
    const { is } = await hub.enqueue(REQUEST, never);
    const last = runs.at(-1);
    if (last?.is === is) last.times++;
    else runs.push({ is, times: 1 });
  }
  expect(connections).toBe(answer.length);
  return runs.map(({ is, times }) => `${is} × ${times}`);
}

test('an acceptance counts when its last byte is there, and is unknown after any of the others', async () => {
  const answer = response('200 OK', '{"generations":[{"generation_id":"g-1"}]}');
  expect(await outcomes(answer, socket => socket.end())).toEqual([`unknown × ${answer.length - 1}`, 'accepted × 1']);
});

test('a refusal counts from the moment its head is whole', async () => {
  const body = '{"error":"slow down"}';
  const answer = response('429 Too Many Requests', body);
  const head = answer.length - body.length;
  expect(await outcomes(answer, socket => socket.end())).toEqual([
    `unknown × ${head - 1}`,
    `refused × ${body.length + 1}`,
  ]);
});

test('a connection that is torn down after any part of the request leaves it unknown, and is not made again', async () => {
  for (const bytes of [1, 20, 150]) {
    let connections = 0;
    const url = await rawServer(socket => {
      connections++;
      socket.on('readable', () => {
        if (socket.read(bytes) !== null) socket.resetAndDestroy();
      });
    });
    const hub = service(url);
    expect((await hub.enqueue(REQUEST, never)).is).toBe('unknown');
    expect(connections).toBe(1);
  }
});

test('what is not HTTP at all is told as that', async () => {
  const url = await rawServer(socket => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
  const hub = service(url);
  const message = `${new URL(url).host}: what answers there does not speak HTTP`;
  expect(await hub.generation('g-1', never)).toEqual({ is: 'unavailable', message });
  expect(await hub.enqueue(REQUEST, never)).toEqual({ is: 'unknown', message });
});
