import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchSource, type Network, internet as realInternet } from '../../src/studio/service/inputs/fetch-source.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';

const PUBLIC = '93.184.215.14';

/** An internet of one server: every public address leads to it, and every name has the addresses it is given here. */
async function internet(listener: RequestListener, names: Record<string, readonly string[]> = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const network: Network = {
    lookup: async host => {
      const addresses = names[host];
      if (!addresses) throw new Error('ENOTFOUND');
      return addresses;
    },
    get: async (url, address, signal) => {
      asked.push(`${url.href} at ${address}`);
      const request = get({ host: '127.0.0.1', port, path: url.pathname, signal });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response;
    },
  };
  const clock = new FakeClock();
  const stop = new AbortController();
  const to = join(await temporaryFolder(), 'input');
  return {
    asked,
    to,
    clock,
    stop,
    fetch: async (url: string, most = 1000) => {
      try {
        await fetchSource('input_video', new URL(url), to, { network, clock, most, signal: stop.signal });
        return await readFile(to, 'utf8');
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a source is fetched from the address that was judged', async () => {
  await using net = await internet((_request, response) => response.end('a clip'), { 'films.example': [PUBLIC] });
  expect(await net.fetch('https://films.example/clip.mp4')).toBe('a clip');
  expect(net.asked).toEqual([`https://films.example/clip.mp4 at ${PUBLIC}`]);
});

test('redirects are followed five times, each hop judged anew', async () => {
  const hops = (request: IncomingMessage) => Number(request.url?.slice(1));
  await using net = await internet(
    (request, response) => {
      if (request.url === '/inside') return response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
      if (request.url === '/plain') return response.writeHead(302, { location: 'http://films.example/1' }).end();
      if (request.url === '/named') return response.writeHead(302, { location: '//inside.example/' }).end();
      if (request.url === '/odd') return response.writeHead(302, { location: 'https://' }).end();
      if (hops(request) === 0) return response.end('a clip');
      return response.writeHead(307, { location: `/${hops(request) - 1}` }).end();
    },
    { 'films.example': [PUBLIC], 'inside.example': [PUBLIC, '10.0.0.7'] },
  );
  const elsewhere = 'is in a private network, where the studio does not read: use a public address';
  for (const [path, answer] of [
    ['5', 'a clip'],
    ['6', "input_video: https://films.example redirects more than 5 times: name the file's own address"],
    ['inside', `input_video: 127.0.0.1 ${elsewhere}`],
    ['named', `input_video: inside.example ${elsewhere}`],
    ['plain', 'input_video: http: addresses are not fetched: use https:'],
    ['odd', 'input_video: https://films.example redirects to something that is no address'],
  ])
    expect(await net.fetch(`https://films.example/${path}`)).toBe(answer);
});

test('what cannot be had is said in a sentence', async () => {
  await using net = await internet(
    (request, response) => {
      if (request.url === '/gone') return response.writeHead(403).end('<html>');
      if (request.url === '/large') return response.end('x'.repeat(2000));
      if (request.url === '/endless') return response.write('x'.repeat(2000));
      response.writeHead(200, { 'content-length': 500 }).write('x'.repeat(100), () => response.destroy());
    },
    { 'films.example': [PUBLIC] },
  );
  for (const [url, answer] of [
    [
      'films.example/gone',
      ': https://films.example answered 403: check that the address can be read without signing in',
    ],
    ['films.example/large', ' is larger than 1000 bytes, the most that is fetched'],
    ['films.example/endless', ' is larger than 1000 bytes, the most that is fetched'],
    ['films.example/broken', ': the download broke off after 100 bytes: aborted'],
    ['nowhere.example/', ': no such host: nowhere.example'],
    ['user:word@films.example/', ': the address carries a user name or password: use one that needs none'],
  ])
    expect(await net.fetch(`https://${url}`)).toBe(`input_video${answer}`);
});

test('the real network goes to the judged address, whatever the name means by now', async () => {
  const { promise: hello, resolve } = Promise.withResolvers<string>();
  const server = createTcpServer(socket =>
    socket.once('data', bytes => {
      resolve(bytes.toString('latin1'));
      socket.destroy();
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`https://films.invalid:${(server.address() as AddressInfo).port}/clip.mp4`);
  await expect(realInternet.get(url, '127.0.0.1', new AbortController().signal)).rejects.toThrow();
  // The first words of TLS name the host in clear.
  expect(await hello).toContain('films.invalid');
  server.close();
});

test('a server that trickles is given up after five minutes', async () => {
  const { promise: trickling, resolve } = Promise.withResolvers<void>();
  await using net = await internet((_request, response) => void response.write('x', () => resolve()), {
    'films.example': [PUBLIC],
  });
  const fetched = net.fetch('https://films.example/');
  await trickling;
  await net.clock.advance(5 * 60_000);
  expect(await fetched).toBe('input_video: films.example took longer than 5 minutes: use a faster address');
});

test('a cancel ends a download', async () => {
  const { promise: trickling, resolve } = Promise.withResolvers<void>();
  await using net = await internet((_request, response) => void response.write('x', () => resolve()), {
    'films.example': [PUBLIC],
  });
  const fetched = net.fetch('https://films.example/');
  await trickling;
  net.stop.abort();
  expect(await fetched).toBe('The operation was aborted');
});

test('a disk that does not take it is said, and is nobody’s download that broke off', async () => {
  await using net = await internet((_request, response) => response.end('a clip'), { 'films.example': [PUBLIC] });
  await mkdir(net.to);
  expect(await net.fetch('https://films.example/')).toBe(
    `input_video could not be kept: ${net.to}: a folder is in its place; move that away, or choose another name, then run again`,
  );
});
