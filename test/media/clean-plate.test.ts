/** A film that carries its clean plate: which programs see it, and which do not. */
import { appendFile, copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { readFrames } from '../../src/media/decode/decode.ts';
import { readPackets, readStreams } from '../../src/media/decode/packets.ts';
import { openTimedFrames } from '../../src/media/decode/timed-frames.ts';
import { verifyMedia } from '../../src/media/decode/verify.ts';
import { derive } from '../../src/media/derived/derive.ts';
import { appendPlate, extractPlate, withoutPlate, withStillPlate } from '../../src/media/encode/clean-plate.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { libav } from '../../src/media/libav.ts';
import { edited } from '../../src/media/marking/byte-edits.ts';
import { probe } from '../../src/media/probe.ts';
import { workFolder } from '../support/temp.ts';
import { film } from './footage.ts';

const SIZE = { width: 160, height: 96 };
const FRAMES = 36;

const folder = await workFolder();
const at = (name: string) => join(folder, name);

/** A film of one grey. */
async function flat(name: string, grey: number, frames = FRAMES): Promise<string> {
  const colour = `0x${grey.toString(16).repeat(3)}`;
  const graph = `color=${colour}:size=${SIZE.width}x${SIZE.height}:rate=24,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,trim=end_frame=${frames}[v]`;
  await encode({ graph, video: h264(rateOf(24)), out: at(name) });
  return at(name);
}

/** The boxes of an MP4: ISO/IEC 14496-12, 4.2. */
function boxesOf(file: Buffer): readonly { readonly type: string; readonly end: number }[] {
  const boxes = [];
  for (let at = 0; at < file.length; ) {
    const size = file.readUInt32BE(at);
    const end = at + (size === 1 ? Number(file.readBigUInt64BE(at + 8)) : size);
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), end });
    at = end;
  }
  return boxes;
}

const slated = await film(at('slated.mp4'), { ...SIZE, frames: FRAMES });
const plate = await flat('plate.mp4', 0x60);
const joined = at('joined.mp4');
await copyFile(slated, joined);
await appendPlate(joined, plate);

/** Grey where the flat plate is read: its pixels are all alike. */
function isFlat(pixels: Uint8Array): boolean {
  return Math.max(...pixels) - Math.min(...pixels) < 8;
}

async function lastFrameIsFlat(path: string): Promise<boolean> {
  const out = at(`${Math.random()}.png`);
  await derive({ path, what: { is: 'last_frame' }, out });
  const { default: sharp } = await import('sharp');
  return isFlat(new Uint8Array(await sharp(out).greyscale().raw().toBuffer()));
}

async function isCutFromFlat(path: string): Promise<boolean> {
  const av = await libav();
  await using frames = await openTimedFrames(av, path, 0.8);
  const frame = await frames.at(0.8);
  const luma = new Uint8Array(frame.toBuffer()).subarray(0, SIZE.width * SIZE.height);
  return isFlat(luma);
}

describe('a film with its clean plate', () => {
  test('is the same film to whoever looks at it', async () => {
    expect(await probe(joined)).toEqual(await probe(slated));
    expect(await verifyMedia(joined, 'video')).toEqual(await probe(slated));
    for (const kind of ['video', 'audio'] as const) {
      const [before, after] = [await readPackets(slated, kind), await readPackets(joined, kind)];
      expect(after?.packets).toEqual(before?.packets);
      expect(after?.extradata).toEqual(before?.extradata);
      expect(after?.timeBase).toEqual(before?.timeBase);
    }
    for await (const { pixels } of readFrames(joined, { pixelFormat: 'gray' })) {
      expect(isFlat(pixels)).toBe(false);
      break;
    }
  });

  test('has one track of pictures and one of sound', async () => {
    using input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(joined) });
    expect((await input.getTracks()).map(({ type }) => type)).toEqual(['video', 'audio']);
    expect((await readStreams(joined)).map(({ kind }) => kind)).toEqual(['video', 'audio']);
  });

  test('is whole boxes to its end, of which the last is one that players skip', async () => {
    const boxes = boxesOf(await readFile(joined));
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'free', 'mdat', 'free']);
    expect(boxes.at(-1)?.end).toBe((await stat(joined)).size);
  });

  test('loses the plate in a copy for others, which is the film as it was', async () => {
    await writeFile(at('placed.mp4'), edited(joined, await withoutPlate(joined)));
    expect(await readFile(at('placed.mp4'))).toEqual(await readFile(slated));
    expect(await withoutPlate(slated)).toEqual([]);
    const [still, plate] = [Buffer.from('a picture'), Buffer.from('the same, clean')];
    await writeFile(at('still.png'), withStillPlate(still, plate));
    await writeFile(at('placed.png'), edited(at('still.png'), await withoutPlate(at('still.png'))));
    expect(await readFile(at('placed.png'))).toEqual(still);
  });

  test('gives its plate to cuts and to frames that are taken out of it', async () => {
    expect(await lastFrameIsFlat(joined)).toBe(true);
    expect(await isCutFromFlat(joined)).toBe(true);
    expect(await extractPlate(joined, at('taken.mp4'))).toBe(true);
    const [mine, theirs] = [await readPackets(plate, 'video'), await readPackets(at('taken.mp4'), 'video')];
    expect(theirs?.packets).toEqual(mine?.packets);
  });
});

describe('what is no plate', () => {
  test('one of another length than the film, which was shortened, is left alone', async () => {
    const path = at('shortened.mp4');
    await copyFile(slated, path);
    await appendPlate(path, await flat('longer.mp4', 0x60, FRAMES + 12));
    expect(await extractPlate(path, at('nothing.mp4'))).toBe(false);
    expect(await lastFrameIsFlat(path)).toBe(false);
    expect(await isCutFromFlat(path)).toBe(false);
  });

  test('one that breaks off is left alone', async () => {
    const path = at('broken.mp4');
    await copyFile(joined, path);
    await appendFile(path, 'more');
    expect(await lastFrameIsFlat(path)).toBe(false);
    expect(await extractPlate(path, at('nothing.mp4'))).toBe(false);
  });

  test('a film without one is read as it is', async () => {
    expect(await lastFrameIsFlat(slated)).toBe(false);
    expect(await extractPlate(slated, at('nothing.mp4'))).toBe(false);
  });
});
