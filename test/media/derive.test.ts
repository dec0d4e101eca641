import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../src/media/decode/decode.ts';
import { NotMedia } from '../../src/media/decode/not-media.ts';
import { derive } from '../../src/media/derived/derive.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { aac, h264, hevcMain10, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { DRAWN_WITH_SOUND, EXACT, escapePath } from '../../src/media/filtergraph.ts';
import { probe } from '../../src/media/probe.ts';
import type { DerivedPart } from '../../src/model/media/derived-media.ts';
import { workFolder } from '../support/temp.ts';
import { type Colours, numberOf, oneColour, type Pixels, pixelsOf, shownFor, turned } from './clips.ts';
import { drift, film, tone } from './footage.ts';

const folder = await workFolder();
let made = 0;

const LAST: DerivedPart = { is: 'last_frame' };
const FIRST: DerivedPart = { is: 'first_frame' };
const at = (seconds: number): DerivedPart => ({ is: 'frame_at', at: seconds });

async function taken(path: string, what: DerivedPart): Promise<Pixels> {
  const out = join(folder, `taken-${++made}.png`);
  const facts = await derive({ path, what, out });
  expect(await probe(out)).toEqual(facts);
  return pixelsOf(out);
}

/** All pictures of the file, decoded one after the other. */
async function whole(path: string): Promise<Pixels[]> {
  const all: Pixels[] = [];
  const through = `scale=out_range=pc:flags=bicubic+${EXACT}`;
  for await (const { width, height, pixels } of readFrames(path, { pixelFormat: 'rgb24', through }))
    all.push({ width, height, rgb: pixels });
  return all;
}

/** B-frames and groups that lean on one another: nothing can be cut out without knowing how they are made. */
const LEANING = 'keyint=20:min-keyint=20:bframes=6:b-pyramid=normal:open-gop=1:ref=4:scenecut=0';
const SIZE = { width: 160, height: 96 };

describe('a frame is the one that decoding all of the video shows then', () => {
  test('with B-frames, in groups that lean on one another', async () => {
    const path = await film(join(folder, 'leaning.mp4'), { ...SIZE, frames: 70, extra: LEANING });
    const all = await whole(path);
    expect(all).toHaveLength(70);
    expect(await taken(path, LAST)).toEqual(all[69]);
    expect(await taken(path, FIRST)).toEqual(all[0]);
    for (const n of [0, 1, 19, 20, 21, 39, 41, 60, 68, 69])
      expect([n, await taken(path, at(n / 24))]).toEqual([n, all[n]]);
    expect(numberOf(await taken(path, LAST), 70)).toBe(69);
  });

  test('between two pictures the earlier one is still shown', async () => {
    const path = await film(join(folder, 'between.mp4'), { ...SIZE, frames: 24, sound: false });
    expect(numberOf(await taken(path, at(0.5 - 0.01)), 24)).toBe(11);
    expect(numberOf(await taken(path, at(0.5)), 24)).toBe(12);
    expect(numberOf(await taken(path, at(0.5 + 0.03)), 24)).toBe(12);
  });

  test('counted from the end', async () => {
    const path = await film(join(folder, 'backwards.mp4'), { ...SIZE, frames: 48, extra: LEANING });
    expect(numberOf(await taken(path, at(-1)), 48)).toBe(24);
    expect(numberOf(await taken(path, at(-0.001)), 48)).toBe(47);
    expect(numberOf(await taken(path, at(-2)), 48)).toBe(0);
  });

  test('at the very end it is the last one, and past the end there is none', async () => {
    const path = await film(join(folder, 'ends.mp4'), { ...SIZE, frames: 24, sound: false });
    expect(numberOf(await taken(path, at(1)), 24)).toBe(23);
    await expect(taken(path, at(1.5))).rejects.toThrow(new NotMedia('it is 1s long and has no frame at 1.5s'));
    await expect(taken(path, at(-1.5))).rejects.toThrow('has no frame at -1.5s');
  });

  test('where sound goes on after the pictures', async () => {
    const path = join(folder, 'longer-sound.mp4');
    const frames = { ...SIZE, fps: rateOf(24), pixels: drift(SIZE.width, SIZE.height, 30) };
    await encode({
      ...{ frames, sound: tone(6), graph: DRAWN_WITH_SOUND },
      ...{ video: h264(rateOf(24), { extra: LEANING }), audio: aac(), out: path },
    });
    expect(numberOf(await taken(path, LAST), 30)).toBe(29);
    expect(numberOf(await taken(path, at(-0.02)), 30)).toBe(29);
  });

  test('where an edit hides the end, and whole groups of it', async () => {
    const path = await film(join(folder, 'to-be-cut.mp4'), { ...SIZE, frames: 72, extra: LEANING, sound: false });
    for (const seconds of [0.5, 1, 1.25, 2]) {
      const cut = await shownFor(path, seconds, join(folder, `cut-${seconds}.mp4`));
      const all = await whole(cut);
      expect(all.length).toBeLessThan(72);
      expect(await taken(cut, LAST)).toEqual(all.at(-1));
      expect(numberOf(await taken(cut, LAST), 72)).toBe(seconds * 24 - 1);
    }
  });

  test('with pictures at uneven times', async () => {
    const even = await film(join(folder, 'even.mp4'), { ...SIZE, fps: 30, frames: 45, sound: false });
    const path = join(folder, 'uneven.mkv');
    // Every third picture is missing: 30 of 45, at gaps of one and two beats.
    const graph = `movie=${escapePath(even)},select='mod(n\\,3)'[v]`;
    await encode({ graph, video: h264(rateOf(30), { extra: LEANING }), out: path });
    const all = await whole(path);
    expect(await taken(path, LAST)).toEqual(all.at(-1));
    // Picture 4 of the even film is the third here, and 6 is missing: 5 is shown for two beats.
    expect(numberOf(await taken(path, at(3 / 30)), 45)).toBe(4);
    expect(numberOf(await taken(path, at(5.5 / 30)), 45)).toBe(5);
  });

  test('in ten bits', async () => {
    const path = join(folder, 'ten.mp4');
    const graph = '[raw]scale=out_color_matrix=bt709:out_range=tv,format=yuv420p10le[v]';
    const frames = { ...SIZE, fps: rateOf(24), pixels: drift(SIZE.width, SIZE.height, 30) };
    await encode({ frames, graph, video: hevcMain10(rateOf(24)), out: path });
    expect(await probe(path)).toMatchObject({ video_codec: 'hevc' });
    const all = await whole(path);
    expect(await taken(path, LAST)).toEqual(all.at(-1));
    expect(numberOf(await taken(path, LAST), 30)).toBe(29);
    expect(numberOf(await taken(path, at(0.25)), 30)).toBe(6);
  });

  test('of one frame alone', async () => {
    const path = await film(join(folder, 'one.mp4'), { ...SIZE, frames: 1, sound: false });
    const [only] = await whole(path);
    for (const what of [FIRST, LAST, at(0), at(0.03), at(-0.01)]) expect(await taken(path, what)).toEqual(only);
  });

  test('upright, as its camera was held', async () => {
    const path = await film(join(folder, 'lying.mp4'), { ...SIZE, frames: 6, sound: false });
    const lying = await taken(path, LAST);
    const upright = await taken(await turned(path, join(folder, 'turned.mp4')), LAST);
    expect(upright).toMatchObject({ width: 96, height: 160 });
    // Clockwise: the lower left corner comes to the upper left.
    const pixel = ({ rgb, width }: Pixels, x: number, y: number) => [
      ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
    ];
    expect(pixel(upright, 0, 0)).toEqual(pixel(lying, 0, 95));
    expect(pixel(upright, 95, 159)).toEqual(pixel(lying, 159, 0));
  });

  test.each<[string, Colours]>([
    ['HD', { format: 'yuv420p', matrix: 'bt709', range: 'tv', says: 1 }],
    ['old video', { format: 'yuv420p', matrix: 'smpte170m', range: 'tv', says: 6 }],
    ['full range', { format: 'yuv420p', matrix: 'bt709', range: 'pc', says: 1 }],
    ['ten bits of UHD', { format: 'yuv420p10le', matrix: 'bt2020', range: 'tv', says: 9 }],
    ['old video that says nothing', { format: 'yuv420p', matrix: 'smpte170m', range: 'tv', says: 2 }],
    ['HD that says nothing', { format: 'yuv420p', matrix: 'bt709', range: 'tv', says: 2, height: 720 }],
    ['RGB', { format: 'bgr0', matrix: 'bt709', range: 'pc', says: 0 }],
  ])('in the colours that it is in: %s', async (name, colours) => {
    const path = await oneColour(join(folder, `${name.replaceAll(' ', '-')}.mkv`), '3060c0', colours);
    const { rgb } = await taken(path, LAST);
    const off = [0x30, 0x60, 0xc0].map((wanted, i) => Math.abs(rgb[i]! - wanted));
    expect(Math.max(...off)).toBeLessThanOrEqual(2);
  });

  test('the same bytes each time, with nothing in them but the picture', async () => {
    const path = await film(join(folder, 'same.mp4'), { ...SIZE, frames: 12 });
    const [one, two] = [join(folder, 'same-1.png'), join(folder, 'same-2.png')];
    await derive({ path, what: LAST, out: one });
    await derive({ path, what: LAST, out: two });
    const bytes = await readFile(one);
    expect(bytes.equals(await readFile(two))).toBe(true);
    const chunks: string[] = [];
    for (let place = 8; place < bytes.length; place += 12 + bytes.readUInt32BE(place))
      chunks.push(bytes.toString('latin1', place + 4, place + 8));
    expect([...new Set(chunks)]).toEqual(['IHDR', 'IDAT', 'IEND']);
  });

  test('what holds no picture says so', async () => {
    const path = join(folder, 'lie.mp4');
    await writeFile(path, 'this is no video at all, whatever it is called');
    await expect(taken(path, LAST)).rejects.toThrow(NotMedia);
    const broken = join(folder, 'broken.mp4');
    const bytes = await readFile(await film(join(folder, 'whole.mp4'), { ...SIZE, frames: 24, sound: false }));
    const data = bytes.indexOf('mdat') + 4;
    bytes.fill(0, data, bytes.length > data + 4 ? bytes.length : data);
    await writeFile(broken, bytes);
    await expect(taken(broken, LAST)).rejects.toThrow(NotMedia);
  });
});

describe('the sound of a video', () => {
  const WAV: DerivedPart = { is: 'sound' };
  const soundOf = async (path: string) => {
    const out = join(folder, `taken-${++made}.wav`);
    const facts = await derive({ path, what: WAV, out });
    return { out, facts };
  };

  test('is 48 kHz of 16 bits, as long as its pictures, where the sound goes on longer', async () => {
    const path = join(folder, 'sounding.mp4');
    const frames = { ...SIZE, fps: rateOf(24), pixels: drift(SIZE.width, SIZE.height, 36) };
    await encode({ frames, sound: tone(4), graph: DRAWN_WITH_SOUND, video: h264(rateOf(24)), audio: aac(), out: path });
    const { out, facts } = await soundOf(path);
    expect(facts).toMatchObject({ kind: 'audio', format: 'wav', duration: 1.5 });
    expect(await probe(out)).toMatchObject(facts);
    expect((await stat(out)).size).toBe(44 + 1.5 * 48_000 * 4);
    const { left } = await readAudio(out);
    expect(left).toHaveLength(72_000);
  });

  test('is in step with the picture: what begins later has silence before it', async () => {
    const path = join(folder, 'late.mkv');
    // A tone that begins half a second after the first picture, and says so by its time alone.
    const graph =
      'color=size=64x64:rate=24,trim=end_frame=48[v];sine=frequency=440:sample_rate=48000:duration=1,asetpts=PTS+0.5/TB,aformat=channel_layouts=mono[a]';
    await encode({ graph, video: h264(rateOf(24)), audio: aac(), out: path });
    const { out } = await soundOf(path);
    const { left } = await readAudio(out);
    expect(left).toHaveLength(96_000);
    const begins = left.findIndex(sample => Math.abs(sample) > 0.02) / 48_000;
    expect(begins).toBeGreaterThan(0.45);
    expect(begins).toBeLessThan(0.55);
    expect(left.subarray(80_000).every(sample => Math.abs(sample) < 0.001)).toBe(true);
  });

  test('of a silent video is none', async () => {
    const path = await film(join(folder, 'silent.mp4'), { ...SIZE, frames: 5, sound: false });
    await expect(soundOf(path)).rejects.toThrow(new NotMedia('it has no sound'));
  });
});
