import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { guardFor, type UrlGuard } from '../../src/machine/net/url-guard.ts';

const why = (guard: UrlGuard, urls: readonly string[]) =>
  urls.map(url => {
    const refusal = guard.refuses(new URL(url));
    return refusal === undefined ? 'fetched' : Object.values(refusal).join(' ');
  });

test('public addresses are fetched, over https alone', () => {
  const guard = guardFor('https://hub.example');
  expect(
    why(guard, [
      'https://cdn.example/x.mp4?sig=1',
      'https://93.184.215.14/x.mp4',
      'https://172.32.0.1/x.mp4',
      'https://[2606:2800:21f::1]/x.mp4',
      'https://hub.example:8443/x.mp4',
      'http://cdn.example/x.mp4',
      'http://hub.example/x.mp4',
      'file:///etc/passwd',
      'ftp://cdn.example/x.mp4',
      'https://me:pw@cdn.example/x.mp4',
    ]),
  ).toEqual([
    'fetched',
    'fetched',
    'fetched',
    'fetched',
    'fetched',
    'plain',
    'plain',
    'scheme file:',
    'scheme ftp:',
    'credentials',
  ]);
});

test('plain http is turned into https, but for a service that is spoken to in plain http itself', () => {
  const secured = (base: string, url: string) => guardFor(base).secured(new URL(url)).href;
  expect([
    secured('https://hub.example', 'http://cdn.example/x.mp4?sig=a%2Fb'),
    secured('https://hub.example', 'https://cdn.example/x.mp4'),
    secured('http://127.0.0.1:4000', 'http://localhost:4000/x.mp4'),
    secured('http://127.0.0.1:4000', 'http://cdn.example:80/x.mp4'),
  ]).toEqual([
    'https://cdn.example/x.mp4?sig=a%2Fb',
    'https://cdn.example/x.mp4',
    'http://localhost:4000/x.mp4',
    'https://cdn.example/x.mp4',
  ]);
});

test('a service on this machine may send us to itself, in plain http too, and to public addresses, but nowhere else near', () => {
  expect(
    why(guardFor('http://127.0.0.1:4000'), [
      'http://127.0.0.1:4000/files/x.mp4',
      'http://localhost:4000/files/x.mp4',
      'https://cdn.example/x.mp4',
      'http://cdn.example/x.mp4',
      'http://192.168.0.1/x.mp4',
      'https://192.168.0.1/x.mp4',
      'https://[fd00::1]/x.mp4',
    ]),
  ).toEqual(['fetched', 'fetched', 'fetched', 'plain', 'plain', 'private 192.168.0.1', 'private fd00::1']);
  expect(why(guardFor('https://10.0.0.5'), ['https://10.0.0.5/x.mp4', 'https://10.0.0.6/x.mp4'])).toEqual([
    'fetched',
    'private 10.0.0.6',
  ]);
});

test('a name is checked by where it leads, at the moment of connecting', async () => {
  const zone: Record<string, LookupAddress[]> = {
    'cdn.example': [{ address: '93.184.215.14', family: 4 }],
    'trap.example': [
      { address: '93.184.215.14', family: 4 },
      { address: '::ffff:169.254.169.254', family: 6 },
    ],
    'hub.corp.example': [{ address: '10.0.0.5', family: 4 }],
  };
  const guard = guardFor('https://hub.corp.example', (hostname, callback) => callback(null, zone[hostname] ?? []));
  const look = (hostname: string, all: boolean) =>
    new Promise(resolve => guard.lookup(hostname, { all }, (error, address) => resolve(error?.message ?? address)));
  expect(await look('cdn.example', false)).toBe('93.184.215.14');
  expect(await look('cdn.example', true)).toEqual(zone['cdn.example']);
  expect(await look('trap.example', true)).toBe('trap.example leads to ::ffff:169.254.169.254, a private address');
  expect(await look('hub.corp.example', false)).toBe('10.0.0.5');
  expect(await look('nobody.example', false)).toBe('no address for nobody.example');
});
