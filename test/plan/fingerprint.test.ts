import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { type KnownMedia, MediaIndex, MediaTable } from '../../src/plan/media/media-index.ts';
import { fingerprintOfCommand, fingerprintOfRequest } from '../../src/plan/owned/instance-fingerprint.ts';

const known: ReadonlyMap<string, KnownMedia> = new Map([
  ['https://results.example/a?signed=1', { sha256: 'aa', from: 'shot' as InstanceKey }],
]);
const knowing = (media: Iterable<readonly [string, KnownMedia]>) => new MediaIndex([MediaTable.of(media)]);
const of = (request: JsonObject, { service = 'studio', model = 'V-RF', media = known } = {}) =>
  fingerprintOfRequest({ service, model, request }, knowing(media));
const REQUEST = { input_video: 'https://results.example/a?signed=1', aspect_ratio: '9:16', prompt: 'forest' };

test('version 1 never changes: an upgrade of the tool must not pay for a film again', () => {
  expect(of(REQUEST)).toBe('1bf3e76b1a850c5e408fa34d6fdca022b5238a8e4d1fdc5e3c55fc6119b1a5eb');
  expect(
    fingerprintOfCommand(
      { run: ['cat', '/store/aa'], env: { N: '1' }, files: {}, creates: { film: 'film.mp4' } },
      knowing([['/store/aa', { sha256: 'aa' }]]),
    ),
  ).toBe('185aa3e075131b276e8f28cc2c5e29a9c772c2e17b3aa7d4396795a381c6ce07');
});

test('the order of fields and the address of a result do not matter', () => {
  const elsewhere = new Map([['https://results.example/b?signed=2', { sha256: 'aa' }]]);
  const { input_video: _, ...rest } = REQUEST;
  expect(of({ ...rest, input_video: 'https://results.example/b?signed=2' }, { media: elsewhere })).toBe(of(REQUEST));
});

test.each<[string, string]>([
  ['a field', of({ ...REQUEST, prompt: 'valley' })],
  ['a field more', of({ ...REQUEST, resolution: '720p' })],
  ['the content of a result', of(REQUEST, { media: new Map([[REQUEST.input_video, { sha256: 'bb' }]]) })],
  ['a result that became a foreign address', of(REQUEST, { media: new Map() })],
  ['the model', of(REQUEST, { model: 'V-UP' })],
  ['the service', of(REQUEST, { service: 'production' })],
  ['a number that became a text', of({ ...REQUEST, prompt: 1 })],
])('%s matters', (_, other) => {
  expect(other).not.toBe(of(REQUEST));
});

test('results inside lists are found', () => {
  const list = (address: string) => ({ prompt: 'relight', input_image: [address] });
  const moved = new Map([['https://results.example/c', { sha256: 'aa' }]]);
  expect(of(list('https://results.example/c'), { media: moved })).toBe(of(list(REQUEST.input_video)));
});

test('in a command, an address that begins another is not mistaken for it', () => {
  const command = (text: string, at: readonly (readonly [string, string])[]) =>
    fingerprintOfCommand(
      { run: [text], env: {}, files: {}, creates: {} },
      knowing(at.map(([path, sha256]) => [path, { sha256 }])),
    );
  const here = command('-i=/s/1,/s/12', [
    ['/s/1', 'aa'],
    ['/s/12', 'bb'],
  ]);
  const there = command('-i=/other/x,/other/y', [
    ['/other/y', 'bb'],
    ['/other/x', 'aa'],
  ]);
  expect(here).toBe(there);
});

/** A chat request about a clip, as it stands under this address. */
const ask = (address: string, media: ReadonlyMap<string, KnownMedia>) =>
  of({ messages: [{ role: 'user', content: `what happens in ${address}, and why?` }] }, { model: 'C-A', media });
const at = (address: string, sha256 = 'aa') => new Map([[address, { sha256 }]]);

test('an address inside a longer text is its content: a new signature asks nothing new', () => {
  const [before, after] = ['https://cdn.example/a.mp4?sig=1', 'https://elsewhere.example/b.mp4?sig=2'];
  expect(ask(after, at(after))).toBe(ask(before, at(before)));
  expect(ask(after, at(after, 'bb'))).not.toBe(ask(before, at(before)));
  expect(ask(after, new Map())).not.toBe(ask(before, at(before)));
});

test('the parts of a chat message are looked through, the address alone and among words', () => {
  const parts = (url: string) =>
    of(
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url } },
              { type: 'text', text: `(see ${url}) or "${url}"` },
            ],
          },
        ],
      },
      { model: 'C-A', media: at(url) },
    );
  expect(parts('https://cdn.example/x/one.png?X-Amz-Signature=1')).toBe(parts('https://other.example/two.png'));
});

const SIGNED = 'https://bucket.example/films/fox.mp4?versionId=3&X-Amz-Date=20261120&X-Amz-Signature=aa';
test.each<[string, string, boolean]>([
  ['signed anew', SIGNED.replace('20261120', '20261121').replace('=aa', '=bb'), true],
  ['another version of it', SIGNED.replace('versionId=3', 'versionId=4'), false],
  ['another file', SIGNED.replace('fox', 'hare'), false],
  ['another host', SIGNED.replace('bucket.', 'pail.'), false],
  ['not signed at all', 'https://bucket.example/films/fox.mp4?versionId=3', true],
])('a known address, %s', (_, address, isSame) => {
  expect(ask(address, at(SIGNED)) === ask(SIGNED, at(SIGNED))).toBe(isSame);
});

test('a parameter that may be all that tells two files apart is no signature', () => {
  const [one, other] = ['https://host.example/get?token=1', 'https://host.example/get?token=2'];
  expect(ask(other, at(one))).not.toBe(ask(one, at(one)));
});

test('two contents under one address that differ by their signatures are never mixed up', () => {
  const [one, other] = [`${SIGNED}1`, `${SIGNED}2`];
  const both = new Map([
    [one, { sha256: 'aa' }],
    [other, { sha256: 'bb' }],
  ]);
  expect(ask(one, both)).not.toBe(ask(other, both));
  expect(ask(`${SIGNED}3`, both)).not.toBe(ask(one, both));
});

test('an address that nobody knows begins like a known one, and stays what it is', () => {
  const known = at('https://cdn.example/a');
  expect(ask('https://cdn.example/a.mp4', known)).not.toBe(ask('https://cdn.example/b.mp4', known));
});

test('a text of a hundred thousand letters and two thousand addresses is walked once', () => {
  const addresses = Array.from({ length: 2_000 }, (_, n) => `https://cdn.example/results/${n}/film.mp4`);
  let looks = 0;
  class Counting extends MediaTable {
    override at(text: string, place: number) {
      looks++;
      return super.at(text, place);
    }
  }
  const layer = new Counting();
  for (const address of addresses) layer.set(address, { sha256: address.slice(-12) });
  const text = `${'a red fox '.repeat(10_000)}${addresses.join(' ')}`;
  new MediaIndex([layer]).digested(text);
  expect(looks).toBeLessThanOrEqual(text.length);
});
