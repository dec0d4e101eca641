import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { KEY as API_KEY, never, service } from './hub.ts';

/** A self-signed certificate for `localhost` and 127.0.0.1, 2020 to 2120. It opens nothing but the server of this test. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOMpnBoHZJtFHjOqS
wI044qUCkVk/LQf8lqPswBgeCmahRANCAATWJ/mEDqvvY7yiX9EDao6/ANxa7HMH
i5d0ESK/3Hl+ll+a63psIfPXAMheeUGbZuz49hcztJ/xDTSzJnm8b6zH
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNYn+YQOq+9jvKJf
0QNqjr8A3FrscweLl3QRIr/ceX6WX5rremwh89cAyF55QZtm7Pj2FzO0n/ENNLMm
ebxvrMejTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBQok8WvORkSJL7Qbjk9dAxM/J9ykDAKBggqhkjOPQQD
AgNIADBFAiARWiyET+jYkm0SowFpNWMRZrVjIm6d6zYodLABaViiPwIhAOokO1wg
k2GYOIYgavnlwPJKTUkFbxyrXPHGiAcITIab
-----END CERTIFICATE-----
`;

async function secureServer(options: ServerOptions = {}) {
  const seen: string[] = [];
  const server = createServer({ key: KEY, cert: CERTIFICATE, ...options }, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    const answer = { generations: [{ generation_id: 'g-1' }], generation_id: 'g-1', status: 'queued' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

test('nothing is sent to a service whose certificate nobody vouches for', async () => {
  const { seen, port } = await secureServer();
  const hub = service(`https://localhost:${port}`);
  const message = `localhost:${port}: its certificate is self-signed`;
  expect(await hub.enqueue({ model: 'V-UP' }, never)).toEqual({ is: 'unreached', message });
  expect(await hub.generation('g-1', never)).toEqual({ is: 'unavailable', message });
  expect(seen).toEqual([]);
});

test('a trusted service is spoken to by its name and by its address; one under another name is not', async () => {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, CERTIFICATE]);
  onTestFinished(() => setDefaultCACertificates(usual));
  const { seen, port } = await secureServer();
  for (const host of ['localhost', '127.0.0.1']) {
    const hub = service(`https://${host}:${port}`);
    expect(await hub.enqueue({ model: 'V-UP' }, never)).toEqual({ is: 'accepted', id: 'g-1' });
    expect((await hub.generation('g-1', never)).is).toBe('ok');
  }
  expect(seen).toEqual(
    [1, 2].flatMap(() => [`POST /api/ai/queue Bearer ${API_KEY}`, `GET /api/ai/queue/g-1 Bearer ${API_KEY}`]),
  );
  expect(await service(`https://127.0.0.2:${port}`).enqueue({ model: 'V-UP' }, never)).toMatchObject({
    is: 'unreached',
  });
});
