import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { appendPlate } from '../../../src/media/encode/clean-plate.ts';
import { probe } from '../../../src/media/probe.ts';
import { fitInside, frameSize } from '../../../src/studio/animatic/request/frame-size.ts';
import { film, psnr } from '../../media/footage.ts';
import { folder, given, mp4, picture, pictures, render, roughness } from './rig.ts';

const SHAPE = { width: 256, height: 144, fps: 25, frames: 20 };

let source: string;
beforeAll(async () => {
  source = await film(join(await folder(), 'source.mp4'), SHAPE);
});

describe('V-RF', () => {
  test('a wide film becomes an upright one: same length, rate and sound, the source untouched in the middle', async () => {
    const request = { prompt: 'extend the snowy forest at night', aspect_ratio: '9:16', resolution: '540p' };
    const framed = await render('V-RF', request, { input_video: [await given(source)] });
    expect(framed.facts).toEqual(mp4(136, 242, 0.8, { fps: 25 }));
    expect((await readPackets(framed.path, 'video'))?.packets.length).toBe(20);
    const sound = async (path: string) => (await readPackets(path, 'audio'))?.packets.map(packet => packet.data);
    expect(await sound(framed.path)).toEqual(await sound(source));
    // 136 wide at 16:9 is 76 high (even), at the even row nearest the middle.
    const inner = { width: 136, height: 76, y: 82 };
    const scaled = await pictures(source, `scale=${inner.width}:${inner.height}:flags=lanczos+accurate_rnd`);
    for (const path of [framed.path, framed.plate]) {
      const middle = await pictures(path, `crop=${inner.width}:${inner.height}:0:${inner.y}`);
      expect(middle.length).toBe(20);
      for (const [i, { pixels }] of middle.entries()) expect(psnr(pixels, scaled[i]!.pixels)).toBeGreaterThan(40);
    }
    expect(framed.progress.at(-1)).toBe(1);
    expect(framed.left).toEqual(['first-frame.jpg', 'result.mp4']);
  });

  test('the slate stands on the new ground of the result, and not on its clean plate', async () => {
    const request = { prompt: 'a long beach', aspect_ratio: '9:16', resolution: '540p' };
    const framed = await render('V-RF', request, { input_video: [await given(source)] });
    const [result, plate] = [
      await pictures(framed.path, 'crop=136:76:0:0'),
      await pictures(framed.plate, 'crop=136:76:0:0'),
    ];
    expect(psnr(result[0]!.pixels, plate[0]!.pixels)).toBeLessThan(30);
  });

  test('the ground continues the picture: at the edge it is as bright as the source', async () => {
    const request = { prompt: 'more of the same', aspect_ratio: '1:1', resolution: '1080p' };
    const framed = await render('V-RF', request, { input_video: [await given(source)] });
    const [frame] = await pictures(framed.plate);
    const top = frameSize('1:1', '1080p', 'draft').height / 2 - 76;
    const row = (y: number) => {
      const start = y * frame!.width;
      return frame!.pixels.subarray(start, start + frame!.width).reduce((sum, value) => sum + value, 0) / frame!.width;
    };
    expect(Math.abs(row(top - 2) - row(top + 2))).toBeLessThan(6);
  });

  test('what the edge cuts off ends there, and the place that the words name goes on', async () => {
    const reframed = async (prompt: string) => {
      const request = { prompt, aspect_ratio: '9:16', resolution: '540p' };
      return await picture((await render('V-RF', request, { input_video: [await given(source)] })).plate, 4);
    };
    // The source has a bright bar from its upper edge to its lower one.
    const { pixels, width } = await reframed('more');
    const row = (y: number) => pixels.subarray(y * width, (y + 1) * width);
    const contrast = (y: number) => Math.max(...row(y)) - Math.min(...row(y));
    expect(contrast(84)).toBeGreaterThan(80);
    expect(contrast(60)).toBeLessThan(24);
    expect(contrast(180)).toBeLessThan(24);
    expect(roughness(await reframed('a forest in winter'))).toBeGreaterThan(roughness(await reframed('more')) * 1.1);
  });

  test.each(['3:1', '2:1', '21:9', '16:9', '4:3', '3:2', '1:1', '3:4', '2:3', '9:16', '1:2', '1:3'])(
    '%s has its exact size, and in the source’s rectangle it is the source (40 dB or more), with a slate and without',
    async ratio => {
      const short = await film(join(await folder(), 'short.mp4'), { width: 160, height: 120, frames: 3, sound: false });
      const request = { prompt: 'wider', aspect_ratio: ratio, resolution: '720p' };
      const { path, plate } = await render('V-RF', request, { input_video: [await given(short)] });
      const frame = frameSize(ratio, '720p', 'draft');
      expect(await probe(path)).toMatchObject({ ...frame, duration: 0.125, audio_codec: null });
      const { width, height, x, y } = fitInside({ width: 160, height: 120 }, frame);
      expect([width === frame.width || height === frame.height, x % 2, y % 2]).toEqual([true, 0, 0]);
      const scaled = await pictures(short, `scale=${width}:${height}:flags=lanczos+accurate_rnd`);
      for (const file of [path, plate]) {
        const inside = await pictures(file, `crop=${width}:${height}:${x}:${y}`);
        for (const [i, { pixels }] of inside.entries())
          expect(psnr(pixels, scaled[i]!.pixels)).toBeGreaterThanOrEqual(40);
      }
    },
  );

  test('a film that already has the ratio is only resized, and is its own clean plate', async () => {
    const request = { prompt: 'nothing to add', aspect_ratio: '16:9', resolution: '540p' };
    const framed = await render('V-RF', request, { input_video: [await given(source)] });
    expect(framed).toMatchObject({ file: 'result.mp4', plate: framed.path, facts: { width: 242, height: 136 } });
  });

  test('what it draws from is the clean plate, so that slates do not burn in down the chain', async () => {
    const slated = await film(join(await folder(), 'slated.mp4'), { width: 256, height: 144, fps: 25, frames: 20 });
    const other = await given(
      await film(join(await folder(), 'other.mp4'), { width: 320, height: 180, fps: 25, frames: 20 }),
    );
    const request = { prompt: 'a beach', aspect_ratio: '9:16', resolution: '540p' };
    const fromPlate = await render('V-RF', request, { input_video: [{ ...other, cleanPlate: slated }] });
    const direct = await render('V-RF', request, { input_video: [await given(slated)] });
    expect((await pictures(fromPlate.plate))[7]?.pixels).toEqual((await pictures(direct.plate))[7]?.pixels);
  });

  test('a film from elsewhere brings its clean plate with it', async () => {
    const clean = await film(join(await folder(), 'clean.mp4'), { ...SHAPE, extra: ':crf=34' });
    const joined = join(await folder(), 'joined.mp4');
    await copyFile(source, joined);
    await appendPlate(joined, clean);
    const request = { prompt: 'a beach', aspect_ratio: '9:16', resolution: '540p' };
    const brought = await render('V-RF', request, { input_video: [await given(joined)] });
    const direct = await render('V-RF', request, { input_video: [await given(clean)] });
    expect((await pictures(brought.plate))[7]?.pixels).toEqual((await pictures(direct.plate))[7]?.pixels);
    expect(brought.left).toEqual(['first-frame.jpg', 'result.mp4']);
  });
});
