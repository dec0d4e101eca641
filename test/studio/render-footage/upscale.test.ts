import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPackets } from '../../../src/media/decode/packets.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { escapePath } from '../../../src/media/filtergraph.ts';
import { restored } from '../../../src/studio/animatic/kinds/upscale.ts';
import { film, psnr } from '../../media/footage.ts';
import { folder, given, mp4, picture, pictures, render, roughness } from './rig.ts';

let source: string;
let noisy: string;
beforeAll(async () => {
  const place = await folder();
  source = await film(join(place, 'source.mp4'), { width: 240, height: 136, frames: 24 });
  noisy = join(place, 'noisy.mp4');
  const graph = `movie=${escapePath(source)},noise=c0s=24:c0f=t:c0_seed=1[v]`;
  await encode({ graph, video: h264(rateOf(24), { crf: 20 }), out: noisy });
});

const up = async (request: Record<string, number | boolean | string>, path = source) =>
  await render('V-UP', request, { input_video: [await given(path)] });

/** Without any control, drawn once for each source. */
const plain: { [path: string]: ReturnType<typeof up> } = {};
const uncontrolled = (path: string) => (plain[path] ??= up({ resolution: '540p' }, path));

const NONE = { compression: 0, noise: 0, details: 0, blur: 0, halo: 0, grain: 0 };

describe('V-UP', () => {
  test('1080p keeps the ratio, every picture, and the sound as it is', async () => {
    const larger = await up({ resolution: '1080p' });
    expect(larger.facts).toEqual(mp4(476, 270, 1));
    expect((await readPackets(larger.path, 'video'))?.packets.length).toBe(24);
    const sound = async (path: string) => (await readPackets(path, 'audio'))?.packets.map(packet => packet.data);
    expect(await sound(larger.path)).toEqual(await sound(source));
    const back = await pictures(larger.plate, 'scale=240:136:flags=area');
    for (const [i, { pixels }] of (await pictures(source)).entries()) {
      expect(psnr(back[i]!.pixels, pixels)).toBeGreaterThan(34);
    }
  });

  test('the label defaults to 1080p, and an upright film has it across', async () => {
    const upright = await film(join(await folder(), 'upright.mp4'), {
      width: 90,
      height: 160,
      frames: 3,
      sound: false,
    });
    expect((await up({}, upright)).facts).toMatchObject({ width: 270, height: 480, audio_codec: null });
  });

  test('interpolation doubles the pictures: the length stays, and the new ones lie between their neighbours', async () => {
    const smooth = await up({ resolution: '540p', interpolate_frames: true, target_fps: 48 });
    expect(smooth.facts).toMatchObject({ fps: 48, duration: 1 });
    const [frames, old] = [await pictures(smooth.plate), await pictures(source, 'scale=240:136')];
    expect(frames.length).toBe(48);
    expect(psnr(frames[20]!.pixels, old[10]!.pixels)).toBeGreaterThan(30);
    // Between two pictures there is motion from both, where repeating would give the one again.
    expect(psnr(frames[21]!.pixels, frames[20]!.pixels)).toBeLessThan(40);
  });

  test('a target rate without interpolation repeats pictures', async () => {
    const repeated = await up({ resolution: '540p', interpolate_frames: false, target_fps: 30 });
    expect(repeated.facts).toMatchObject({ fps: 30, duration: 1 });
  });

  test.each(['grain', 'details', 'blur'])('%s makes the picture rougher', async control => {
    const [without, controlled] = [await uncontrolled(source), await up({ resolution: '540p', [control]: 0.8 })];
    const [before, after] = [await picture(without.plate, 12), await picture(controlled.plate, 12)].map(roughness);
    expect(after).toBeGreaterThan(before! * 1.02);
  });

  // The encoder takes noise away as well, so what the controls do is looked at before it.
  test.each(['noise', 'compression'])('%s makes a noisy film smoother', async control => {
    const filtered = async (amount: number) =>
      roughness((await pictures(noisy, restored({ width: 480, height: 272 }, { ...NONE, [control]: amount })))[12]!);
    expect(await filtered(0.8)).toBeLessThan((await filtered(0)) * 0.95);
  });

  test('halo takes back what sharpening overshoots', async () => {
    const sharp = await up({ resolution: '720p', blur: 1, details: 1 });
    const clamped = await up({ resolution: '720p', blur: 1, details: 1, halo: 1 });
    const span = (pixels: Uint8Array) => {
      const sorted = pixels.toSorted();
      return sorted.at(-1)! - sorted[0]!;
    };
    const [wide, narrow] = [await picture(sharp.plate, 12), await picture(clamped.plate, 12)];
    expect(span(narrow.pixels)).toBeLessThan(span(wide.pixels) - 8);
  });
});
