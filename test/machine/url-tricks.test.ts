/** Known tricks to make a server read its own network, against both doors: downloads and the studio's fetches. */
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guardFor, isPublicAddress, type LookUpAll } from '../../src/machine/net/url-guard.ts';
import { bareHost, isLoopback } from '../../src/model/loopback.ts';
import { download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { fetchSource, type Network } from '../../src/studio/service/inputs/fetch-source.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { redirect, stubServer } from '../support/stub-server.ts';
import { temporaryFolder } from '../support/temp.ts';

const PUBLIC = '93.184.215.14';

/** Hosts as they stand in a URL; each leads inside. */
const INSIDE = `
127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 127.255.255.255 127.0.0.2 127.127.127.127
2130706433 2130706433. 0x7f000001 0X7F000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1 0177.0x0.0.01 0x7F.0.0x0.1
0 0.0.0.0 00 0x0 0.0 0.0.0.1 0.255.255.255 %31%32%37.0.0.1 127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.0.0.1 ①②⑦.⓪.⓪.①
10.0.0.1 10.1 10.255.255.255 167772161 0xa000001 0xA.1 012.0.0.1 0012.0.0.0x1 １０.0.0.1 10。0。0。1
172.16.0.1 172.16.1 172.31.255.255 172.20.10.2 2886729729 0xac100001 0254.020.0.1 0xac.0x10.1
192.168.0.1 192.168.1 192.168.255.255 3232235521 0xc0a80001 0300.0250.0.1 0xc0.0xa8.0.1 192。168。0。1
169.254.169.254 169.254.43518 2852039166 0xa9fea9fe 0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 169。254。169。254 169.254.170.2
100.64.0.1 100.100.100.200 100.127.255.255 1681915905 192.0.0.1 192.0.0.192 192.0.0.8 192.0.2.1 198.18.0.1 198.19.255.255
198.51.100.7 203.0.113.9 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
4294967295 0xffffffff 168.63.129.16
[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [::127.0.0.1] [::7f00:1] [::] [0:0::0] [::0.0.0.1]
[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:10.0.0.1] [::ffff:a9fe:a9fe] [::ffff:93.184.215.14]
[::ffff:0:10.0.0.1] [::ffff:0:7f00:1] [::ffff:0:0:1] [::10.0.0.1] [::a00:1] [::93.184.215.14] [::fffe:10.0.0.1]
[64:ff9b::10.0.0.1] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b::] [64:ff9b::1] [64:ff9b:1::10.0.0.1] [64:ff9b:1::1] [64:ff9b:1:ffff::1]
[2002:7f00:1::] [2002:a00:1::1] [2002:c0a8:1::] [2002:5db8:d70e::1] [2001::1] [2001:0:7f00:1::] [2001:2::1] [2001:10::1] [2001:20::1] [2001:1ff::1]
[2001:db8::1] [3fff::1] [3fff:fff:ffff::1] [5f00::1] [100::1] [100:0:0:1::1] [2620:4f:8000::1] [4000::1] [1::1]
[fc00::1] [fd00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [ff02::1] [ff0e::1] [ffff::1]
localhost LOCALHOST localhost. LocalHost. a.localhost a.b.localhost. ｌｏｃａｌｈｏｓｔ localhost。 ⓛocalhost loc%61lhost
`
  .trim()
  .split(/\s+/);

/** Names and the addresses that they are looked up to, none of which may be used. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'rebound.example': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'zero.example': ['0.0.0.0'],
  'metadata.google.internal': ['169.254.169.254'],
  'printer.local': ['192.168.1.20'],
  intranet: ['10.1.2.3'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'translated.example': ['::ffff:0:10.0.0.1'],
  'nat64.example': ['64:ff9b::a00:1'],
  'papers.example': ['3fff::1'],
  'zoned.example': ['fe80::1%eth0'],
  'mixed.example': [PUBLIC, '10.0.0.7'],
  'mixed-families.example': [PUBLIC, 'fd00::7'],
  'last-of-many.example': [PUBLIC, '93.184.215.15', '93.184.215.16', '172.16.0.9'],
};

const tricks = [
  ...INSIDE.map(host => `https://${host}/x.mp4`),
  ...INSIDE.slice(0, 4).map(host => `https://${host}:8443/x.mp4`),
  ...Object.keys(NAMES).map(name => `https://${name}/x.mp4`),
  'https://REBOUND.example./x.mp4',
  'https:\\\\127.0.0.1\\x.mp4',
  'https:/127.0.0.1/x.mp4',
  'https:127.0.0.1/x.mp4',
  'https://\t127.0.0.1/x.mp4',
  'https://127.0.0.1?@cdn.example/',
  'https://127.0.0.1#@cdn.example/',
  'https://127.0.0.1\\@cdn.example/',
];
/** Addresses that are refused wherever they lead. */
const OTHERWISE = [
  'https://me:word@cdn.example/x.mp4',
  'https://cdn.example@127.0.0.1/x.mp4',
  'https://cdn.example:443@10.0.0.1/x.mp4',
  'https://cdn.example%2F@10.0.0.1/x.mp4',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'ftp://cdn.example/x.mp4',
  'gopher://127.0.0.1:6379/_x',
  'data:video/mp4;base64,AAAA',
  'blob:https://cdn.example/1',
  'javascript:1',
  'ws://127.0.0.1/',
];
const FINE = [
  'https://cdn.example/x.mp4?sig=a%2Fb',
  'https://cdn.example.:8443/x.mp4',
  `https://${PUBLIC}/x.mp4`,
  'https://0x5db8d70e/x.mp4',
  'https://172.15.255.255/x.mp4',
  'https://172.32.0.1/x.mp4',
  'https://100.63.255.255/x.mp4',
  'https://192.167.255.255/x.mp4',
  'https://198.20.0.1/x.mp4',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/x.mp4',
  'https://[2001:4860:4860::8888]/x.mp4',
  'https://[2001:200::1]/x.mp4',
  'https://[3ffe:ffff::1]/x.mp4',
  'https://[64:ff9b::93.184.215.14]/x.mp4',
  'https://127.0.0.1.cdn.example/x.mp4',
  'https://localhost.cdn.example/x.mp4',
  'https://notlocalhost/x.mp4',
];

const answers = (host: string): readonly string[] => NAMES[bareHost(host)] ?? [PUBLIC];
const lookUp: LookUpAll = (host, callback) =>
  callback(
    null,
    answers(host).map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
  );

/** The studio's door: the outcome of a fetch of this address, and every address it went to. */
async function fetched(address: string, redirects: readonly string[] = []) {
  const went: string[] = [];
  const server = createServer((_request, response) => {
    const location = redirects[went.length - 1];
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end('a clip');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const network: Network = {
    lookup: async host => answers(host),
    get: async (_url, to, signal) => {
      went.push(to);
      const [response] = (await once(get({ host: '127.0.0.1', port, signal }), 'response')) as [IncomingMessage];
      return response;
    },
  };
  const to = join(await temporaryFolder(), 'input');
  const signal = new AbortController().signal;
  const told = await fetchSource('input_video', new URL(address), to, {
    network,
    clock: new FakeClock(),
    most: 1000,
    signal,
  }).then(
    () => 'fetched',
    (error: Error) => error.message,
  );
  server.close();
  server.closeAllConnections();
  return { told, went };
}

async function downloadOf(store: LocalStore, address: string, base = 'https://hub.example') {
  const signal = new AbortController().signal;
  const allow = guardFor(base, lookUp);
  const got = await download(address, { store, id: 'g-1', allow, clock: new FakeClock(), signal });
  return got.is === 'ok' ? 'ok' : got.message;
}

test('there are enough of them', () => {
  expect(tricks.length + OTHERWISE.length + FINE.length).toBeGreaterThan(180);
});

const emptyStore = async (): Promise<LocalStore> => LocalStore.open(join(await temporaryFolder(), 'store'));

test('no download goes inside, however the address is written', async () => {
  const store = await emptyStore();
  for (const url of tricks)
    expect([url, await downloadOf(store, url)]).toEqual([
      url,
      expect.stringMatching(/^the result's URL is refused: .* private address$/),
    ]);
  for (const url of OTHERWISE)
    expect([url, await downloadOf(store, url)]).toEqual([url, expect.stringMatching(/^the result's URL is refused: /)]);
});

test('no fetch of the studio goes inside, however the address is written', async () => {
  for (const url of tricks)
    expect([url, await fetched(url)]).toEqual([
      url,
      { told: expect.stringMatching(/^input_video: .* is in a private network/), went: [] },
    ]);
  for (const url of OTHERWISE)
    expect([url, await fetched(url)]).toEqual([url, { told: expect.stringMatching(/^input_video: /), went: [] }]);
});

test('no redirect leads inside, through either door', async () => {
  const store = await emptyStore();
  // A header carries no other letters, and `https:127.0.0.1` is a path where https is spoken already.
  const carried = (url: string) =>
    /^[\x20-\x7e]+$/.test(url) && URL.parse(url, 'https://cdn.example')?.href === new URL(url).href;
  for (const url of [...tricks, ...OTHERWISE].filter(carried)) {
    expect([url, await fetched('https://cdn.example/x.mp4', ['https://cdn.example/y.mp4', url])]).toEqual([
      url,
      { told: expect.stringMatching(/^input_video: /), went: [PUBLIC, PUBLIC] },
    ]);
  }
  // The stub is the service's own machine, so that this machine is not forbidden: only what lies behind it.
  const stub = await stubServer(redirect(302, '/'));
  for (const url of tricks.filter(carried)) {
    if (isLoopback(new URL(url).hostname)) continue;
    stub.answer(redirect(302, url));
    expect([url, await downloadOf(store, `${stub.url}/x.mp4`, stub.url)]).toEqual([
      url,
      expect.stringMatching(/^the result's URL is refused: /),
    ]);
  }
});

test('what is public is fetched', async () => {
  const guard = guardFor('https://hub.example', lookUp);
  for (const url of FINE) {
    const { hostname } = new URL(url);
    expect([url, guard.refuses(new URL(url))]).toEqual([url, undefined]);
    if (isIP(bareHost(hostname)) === 0)
      expect([url, await new Promise(done => guard.lookup(hostname, {}, (error, to) => done(error ?? to)))]).toEqual([
        url,
        PUBLIC,
      ]);
    expect([url, (await fetched(url)).told]).toEqual([url, 'fetched']);
  }
});

test('a name that changes its mind between two questions is judged by the answer that is connected to', async () => {
  const asked: string[] = [];
  const turncoat: LookUpAll = (host, callback) => {
    asked.push(host);
    callback(null, [{ address: asked.length === 1 ? PUBLIC : '127.0.0.1', family: 4 }]);
  };
  const guard = guardFor('https://hub.example', turncoat);
  const look = () => new Promise(done => guard.lookup('turncoat.example', {}, (error, to) => done(error ?? to)));
  expect(await look()).toBe(PUBLIC);
  expect(await look()).toEqual(new Error('turncoat.example leads to 127.0.0.1, a private address'));
  // The studio asks once, and goes where that answer says: see "a source is fetched from the address that was judged".
  onTestFinished(() => expect(asked.length).toBe(2));
});

test('one rule says what this machine is', () => {
  const mine = ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.255.255.255', '[::1]', '::1'];
  const others = [
    '',
    '0.0.0.0',
    '127.0.0.256',
    '127.0.0.01',
    '127.1',
    '128.0.0.1',
    '[::ffff:7f00:1]',
    'localhost.example',
  ];
  expect([...mine, ...others].filter(isLoopback)).toEqual(mine);
  expect(['films.example', '', '1', '127.0.0.1%lo'].filter(isPublicAddress)).toEqual([]);
});
