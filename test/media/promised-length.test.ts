import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promisedLength } from '../../src/media/probe.ts';
import { temporaryFolder } from '../support/temp.ts';

const box = (name: string, length: number, there = length - 8) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, Buffer.alloc(there)]);
};
const wide = (name: string, length: number, there: number) => {
  const head = box(name, 1, 8);
  head.writeBigUInt64BE(BigInt(length), 8);
  return Buffer.concat([head, Buffer.alloc(there)]);
};
const riff = (length: number, there: number) => {
  const head = Buffer.from('RIFF....WAVE');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, Buffer.alloc(there)]);
};
const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x82, 0, 0]);
const segment = (...length: number[]) =>
  Buffer.concat([EBML, Buffer.from([0x18, 0x53, 0x80, 0x67, ...length]), Buffer.alloc(20)]);

test.each<[string, readonly Buffer[], number | undefined]>([
  ['whole boxes', [box('ftyp', 24), box('moov', 100), box('mdat', 1000)], 1124],
  ['a box that reaches past the end', [box('ftyp', 24), box('moov', 100), box('mdat', 5000, 10)], 5124],
  ['a box of 64 bits', [box('ftyp', 24), wide('mdat', 6_000_000_000, 50)], 6_000_000_024],
  ['a head that breaks off', [box('ftyp', 24), Buffer.from([0, 0, 1])], 32],
  ['a box that goes on to the end', [box('ftyp', 24), box('mdat', 0, 30)], undefined],
  ['something behind the last box', [box('ftyp', 24), Buffer.alloc(40, 0xff)], 24],
  [
    'a film in pieces',
    [box('styp', 24), box('moof', 60), box('mdat', 600), box('moof', 60), box('mdat', 600, 3)],
    1344,
  ],
  ['WAV', [riff(100, 96)], 108],
  ['WAV without its last byte, which fills up', [riff(101, 97)], 108],
  ['WAV that was streamed', [riff(0xffffffff, 50)], undefined],
  ['Matroska', [segment(0x43, 0xe8)], 4 + 3 + 4 + 2 + 1000],
  ['Matroska of eight bytes', [segment(0x01, 0, 0, 0, 0, 0, 0x03, 0xe8)], 4 + 3 + 4 + 8 + 1000],
  ['Matroska that was streamed', [segment(0x01, 255, 255, 255, 255, 255, 255, 255)], undefined],
  ['text', [Buffer.from('once upon a time')], undefined],
  ['nothing', [], undefined],
])('%s', async (_, parts, length) => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, Buffer.concat(parts));
  expect(await promisedLength(path)).toBe(length);
});
