/** A film that carries its clean plate: who reads which of its two tracks. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { beforeAll, describe, expect, test } from 'vitest';
import { extractPlate, joinPlate, PLATE_NAME } from '../../src/media/clean-plate.ts';
import { readFrames } from '../../src/media/decode.ts';
import { derive } from '../../src/media/derived/derive.ts';
import { encode, h264, hevcMain10, rateOf } from '../../src/media/encoder.ts';
import { libav } from '../../src/media/libav.ts';
import { readPackets, writePackets } from '../../src/media/packets.ts';
import { probe } from '../../src/media/probe.ts';
import { openTimedFrames } from '../../src/media/timed-frames.ts';
import { verifyMedia } from '../../src/media/verify.ts';
import { film, workFolder } from './footage.ts';

const SIZE = { width: 160, height: 96 };
const FRAMES = 36;

let folder: string;
let slated: string;
let plate: string;
let joined: string;
const at = (name: string) => join(folder, name);

/** A film of one grey. */
async function flat(name: string, grey: number, frames = FRAMES): Promise<string> {
  const colour = `0x${grey.toString(16).repeat(3)}`;
  const graph = `color=${colour}:size=${SIZE.width}x${SIZE.height}:rate=24,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,trim=end_frame=${frames}[v]`;
  await encode({ graph, video: h264(rateOf(24)), out: at(name) });
  return at(name);
}

beforeAll(async () => {
  folder = await workFolder();
  slated = await film(at('slated.mp4'), { ...SIZE, frames: FRAMES });
  plate = await flat('plate.mp4', 0x60);
  joined = at('joined.mp4');
  await joinPlate(slated, plate, joined);
});

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

  test('has two video tracks, of which only the first is enabled', async () => {
    using input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(joined) });
    const tracks = await input.getVideoTracks();
    const said = await Promise.all(tracks.map(async track => (await track.getDisposition()).default));
    expect(said).toEqual([true, false]);
    expect((await input.getPrimaryVideoTrack())?.id).toBe(tracks[0]?.id);
    expect((await readFile(joined)).includes(PLATE_NAME)).toBe(true);
  });

  test('gives its plate to cuts and to frames that are taken out of it', async () => {
    expect(await lastFrameIsFlat(joined)).toBe(true);
    expect(await isCutFromFlat(joined)).toBe(true);
    expect(await extractPlate(joined, at('taken.mp4'))).toBe(true);
    const [mine, theirs] = [await readPackets(plate, 'video'), await readPackets(at('taken.mp4'), 'video')];
    expect(theirs?.packets).toEqual(mine?.packets);
  });

  test('is the same bytes each time', async () => {
    await joinPlate(slated, plate, at('again.mp4'));
    expect(await readFile(at('again.mp4'))).toEqual(await readFile(joined));
  });

  test('keeps the tag of its codec', async () => {
    const deep = at('deep.mp4');
    const graph = `color=0x405060:size=${SIZE.width}x${SIZE.height}:rate=24,trim=end_frame=${FRAMES}[v]`;
    await encode({ graph, video: hevcMain10(rateOf(24)), out: deep });
    await joinPlate(deep, plate, at('deep-joined.mp4'));
    expect((await readFile(at('deep-joined.mp4'))).includes('hvc1')).toBe(true);
    expect(await verifyMedia(at('deep-joined.mp4'), 'video')).toEqual(await probe(deep));
    expect(await probe(deep)).toMatchObject({ video_codec: 'hevc' });
  });
});

describe('a second track that is no plate of ours', () => {
  const track = async (path: string, name?: string) => ({
    kind: 'video' as const,
    like: path,
    packets: (await readPackets(path, 'video'))!.packets,
    ...(name === undefined ? {} : { name }),
  });

  test.each([
    ['has no name', undefined],
    ['is called something else', 'clean plate'],
  ])('because it %s is left alone', async (_, name) => {
    const path = at('foreign.mp4');
    await writePackets(path, [await track(slated), await track(plate, name)]);
    expect(await lastFrameIsFlat(path)).toBe(false);
    expect(await isCutFromFlat(path)).toBe(false);
    expect(await extractPlate(path, at('nothing.mp4'))).toBe(false);
  });

  test('because somebody shortened the film beside it is left alone', async () => {
    const path = at('shortened.mp4');
    const longer = await flat('longer.mp4', 0x60, FRAMES + 12);
    await writePackets(path, [await track(slated), await track(longer, PLATE_NAME)]);
    expect(await lastFrameIsFlat(path)).toBe(false);
    expect(await isCutFromFlat(path)).toBe(false);
  });

  test('a film with one track is read as it is', async () => {
    expect(await lastFrameIsFlat(slated)).toBe(false);
    expect(await extractPlate(slated, at('nothing.mp4'))).toBe(false);
  });
});
