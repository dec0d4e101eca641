import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFrames } from '../../src/media/decode/decode.ts';
import { openFootage } from '../../src/media/decode/footage.ts';
import { readComment } from '../../src/media/decode/open-input.ts';
import { readPackets, writePackets } from '../../src/media/decode/packets.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { escapePath } from '../../src/media/filtergraph.ts';
import { workFolder } from '../support/temp.ts';
import { turned } from './clips.ts';
import { film } from './footage.ts';

const folder = await workFolder();

describe('openFootage', () => {
  test('knows the exact rate and the number of pictures', async () => {
    const path = await film(join(folder, 'ntsc.mp4'), { width: 64, height: 36, fps: 29.97, frames: 31 });
    expect(await openFootage(path)).toMatchObject({
      width: 64,
      height: 36,
      rate: { num: 30000, den: 1001 },
      frames: 31,
      codec: 'h264',
      even: true,
      sound: { codec: 'aac', graph: '', track: { copyAudio: path } },
    });
  });

  test('a silent film has no sound', async () => {
    const path = await film(join(folder, 'silent.mp4'), { width: 64, height: 36, frames: 5, sound: false });
    expect((await openFootage(path)).sound).toBeNull();
  });

  test('an uneven film, as phones make them, is brought to an even beat of its own length', async () => {
    const even = await film(join(folder, 'even.mp4'), { width: 64, height: 36, fps: 30, frames: 45, sound: false });
    const uneven = join(folder, 'uneven.mp4');
    // Every third picture is missing: 30 pictures over a second and a half, at gaps of one and two beats.
    const graph = `movie=${escapePath(even)},select='mod(n\\,3)'[v]`;
    await encode({ graph, video: h264(rateOf(30)), out: uneven });
    const footage = await openFootage(uneven);
    expect(footage).toMatchObject({ even: false, seconds: expect.closeTo(1.5, 1) });
    const out = join(folder, 'evened.mp4');
    const video = h264(footage.rate);
    expect(await encode({ graph: `${footage.picture}[v]`, video, out })).toEqual({ frames: footage.frames });
    expect((await openFootage(out)).even).toBe(true);
  });
});

describe('a comment', () => {
  test('stays inside the film', async () => {
    const out = join(folder, 'noted.mp4');
    await encode({
      graph: 'color=size=32x32:rate=24,trim=end_frame=2[v]',
      video: h264(rateOf(24)),
      comment: 'für später; a=b',
      out,
    });
    expect(await readComment(out)).toBe('für später; a=b');
    expect(
      await readComment(await film(join(folder, 'bare.mp4'), { width: 32, height: 32, frames: 2 })),
    ).toBeUndefined();
  });
});

test('reading frames may end early, and through filters', async () => {
  const path = await film(join(folder, 'read.mp4'), { width: 64, height: 36, frames: 12, sound: false });
  const sizes: string[] = [];
  for await (const frame of readFrames(path, { pixelFormat: 'rgb24', through: 'scale=16:8' })) {
    sizes.push(`${frame.width}x${frame.height}, ${frame.pixels.length} bytes`);
    if (frame.index === 1) break;
  }
  expect(sizes).toEqual(['16x8, 384 bytes', '16x8, 384 bytes']);
});

test('a phone’s film lies on its side and says so: it is turned upright', async () => {
  const path = await film(join(folder, 'lying.mp4'), { width: 64, height: 36, frames: 6, sound: false });
  const footage = await openFootage(await turned(path, join(folder, 'turned.mp4')));
  expect(footage).toMatchObject({ width: 36, height: 64, even: false, frames: 6 });
  const out = join(folder, 'upright.mp4');
  await encode({ graph: `${footage.picture}[v]`, video: h264(footage.rate), out });
  const first = async (file: string) => (await readFrames(file, { pixelFormat: 'gray' }).next()).value!;
  const [lying, upright] = [await first(path), await first(out)];
  expect([upright.width, upright.height]).toEqual([36, 64]);
  // What was at the left, the bright bar of the first picture, is now at the top.
  const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(lying.pixels[18 * 64]!).toBeGreaterThan(200);
  expect(mean(upright.pixels.subarray(0, 36))).toBeGreaterThan(200);
});

test('a clip that was cut without encoding has the pictures that are seen, and its sound starts with them', async () => {
  const whole = await film(join(folder, 'whole.mp4'), { width: 160, height: 90, frames: 48 });
  const cut = join(folder, 'cut.mp4');
  // Ten pictures stay before the first one that is shown, because the others are made from them.
  const early = async (kind: 'video' | 'audio') => {
    const { packets, timeBase } = (await readPackets(whole, kind))!;
    const by = BigInt(Math.round((10 / 24) * (timeBase.den / timeBase.num)));
    const shifted = packets.map(packet => ({ ...packet, pts: packet.pts - by, dts: packet.dts - by }));
    return { kind, like: whole, packets: shifted };
  };
  await writePackets(cut, [await early('video'), await early('audio')]);
  const footage = await openFootage(cut);
  expect([footage.frames, footage.even]).toEqual([38, false]);
  let shown = 0;
  for await (const _ of readFrames(cut, { picture: footage.picture })) shown++;
  expect(shown).toBe(38);
  expect(footage.sound?.graph).toMatch(/^;amovie=.*asetpts=PTS-0\/TB\[a\]$/);
});
