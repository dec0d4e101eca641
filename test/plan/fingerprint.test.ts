import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import type { InstanceKey } from '../../src/domain/key.ts';
import { fingerprintOfCommand, fingerprintOfRequest } from '../../src/plan/fingerprint.ts';
import type { KnownMedia } from '../../src/plan/inputs.ts';

const known: ReadonlyMap<string, KnownMedia> = new Map([
  ['https://results.example/a?signed=1', { sha256: 'aa', from: 'shot' as InstanceKey }],
]);
const of = (request: JsonObject, { service = 'studio', model = 'V-RF', media = known } = {}) =>
  fingerprintOfRequest({ service, model, request }, media);
const REQUEST = { input_video: 'https://results.example/a?signed=1', aspect_ratio: '9:16', prompt: 'forest' };

test('version 1 never changes: an upgrade of the tool must not pay for a film again', () => {
  expect(of(REQUEST)).toBe('1bf3e76b1a850c5e408fa34d6fdca022b5238a8e4d1fdc5e3c55fc6119b1a5eb');
  expect(
    fingerprintOfCommand(
      { run: ['cat', '/store/aa'], env: { N: '1' }, files: {}, creates: { film: 'film.mp4' } },
      new Map([['/store/aa', { sha256: 'aa' }]]),
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
      new Map(at.map(([path, sha256]) => [path, { sha256 }])),
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
