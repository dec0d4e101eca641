import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../../src/media/decode/decode.ts';
import { psnr } from '../../media/footage.ts';
import { folder, given, loudest, mp4, picture, pictures, render, SILENT, still } from './rig.ts';

let image: string;
beforeAll(async () => {
  image = await still(join(await folder(), 'still.png'), 960, 540);
});

/** In how many runs of columns a colour stands. */
function columnsOf(colour: string, pixels: Uint8Array, width: number): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16));
  const columns = new Set<number>();
  for (let i = 0; i < pixels.length; i += 3) {
    const away = Math.abs(pixels[i]! - r) + Math.abs(pixels[i + 1]! - g) + Math.abs(pixels[i + 2]! - b);
    if (away < 100) columns.add((i / 3) % width);
  }
  return [...columns].filter(column => !columns.has(column - 1)).length;
}

/** What a test sees in two seconds: nothing of it is heard. */
const BRIEF = { ...SILENT, duration: '2s' };

const move = async (request: Record<string, string | boolean | number>, references: string[] = []) =>
  await render(
    'V-I2V-A',
    { aspect_ratio: '16:9', resolution: '540p', duration: '5s', ...request },
    {
      input_image: [await given(image)],
      ...(references.length > 0
        ? { reference_image_urls: await Promise.all(references.map(path => given(path))) }
        : {}),
    },
  );

describe('V-I2V-A', () => {
  test('five seconds that start with the picture itself and move on, with sound', async () => {
    const moved = await move({ prompt: 'slow push in on the trees' });
    expect(moved.facts).toEqual(mp4(242, 136, 5));
    const [original] = await pictures(
      image,
      'scale=242:136:flags=lanczos+accurate_rnd:out_color_matrix=bt709:out_range=tv,format=yuv420p',
    );
    const frames = await pictures(moved.path);
    expect(frames.length).toBe(120);
    expect(psnr(frames[0]!.pixels, original!.pixels)).toBeGreaterThan(36);
    expect(psnr(frames[119]!.pixels, original!.pixels)).toBeLessThan(26);
    const { left } = await readAudio(moved.path);
    expect(left.length).toBe(240_000);
    expect(loudest(left)).toBeGreaterThan(0.05);
  });

  test('a loop closes: from its last picture to its first is a step like any other', async () => {
    const loop = await move({ ...BRIEF, prompt: 'pan left, rain', loop: true });
    const frames = await pictures(loop.path);
    const step = (from: number, to: number) => psnr(frames[from]!.pixels, frames[to]!.pixels);
    const usual = Math.min(...Array.from({ length: 24 }, (_, i) => step(24 + i - 1, 24 + i)));
    expect(step(47, 0)).toBeGreaterThan(usual - 1);
    expect(step(24, 0)).toBeLessThan(30);
  });

  test.each(['pull out', 'orbit'])('%s is seen, and shows no edge', async camera => {
    const moved = await move({ ...BRIEF, prompt: `${camera}, steady` });
    const [first, last] = [await picture(moved.plate, 0), await picture(moved.plate, 44)];
    expect(psnr(first.pixels, last.pixels)).toBeLessThan(34);
    const corners = [0, last.width - 1, last.pixels.length - last.width, last.pixels.length - 1].map(
      at => last.pixels[at]!,
    );
    expect(Math.min(...corners)).toBeGreaterThan(18);
  });

  test('weather falls where the prompt has some', async () => {
    const [dry, wet] = [
      await move({ ...BRIEF, prompt: 'locked camera' }),
      await move({ ...BRIEF, prompt: 'locked camera, heavy snow falling' }),
    ];
    expect(psnr((await picture(dry.plate, 40)).pixels, (await picture(dry.plate, 0)).pixels)).toBeGreaterThan(38);
    expect(psnr((await picture(wet.plate, 40)).pixels, (await picture(wet.plate, 0)).pixels)).toBeLessThan(34);
  });

  test('reference pictures stand in the slate, not on the clean plate', async () => {
    const reference = await still(join(await folder(), 'reference.png'), 300, 300);
    const [without, with_] = [
      await move({ ...BRIEF, prompt: 'push in' }),
      await move({ ...BRIEF, prompt: 'push in' }, [reference, reference]),
    ];
    const corner = 'crop=60:40:182:0';
    const at = async (path: string) => (await picture(path, 40, corner)).pixels;
    expect(psnr(await at(without.path), await at(with_.path))).toBeLessThan(25);
    expect(psnr(await at(without.plate), await at(with_.plate))).toBe(99);
  });

  test('each reference picture appears once, and a sixth is counted', async () => {
    const place = await folder();
    const colours = ['#f01e1e', '#1ee628', '#1e3cf0', '#f0e61e', '#e61ee6', '#1ee6e6'];
    const files = await Promise.all(
      colours.map(async (background, i) => {
        const path = join(place, `reference-${i}.png`);
        await sharp({ create: { width: 90, height: 90, channels: 3, background } })
          .png()
          .toFile(path);
        return path;
      }),
    );
    const moved = await move({ ...BRIEF, prompt: 'locked camera' }, files);
    const spots = async (path: string) => {
      for await (const { pixels, width } of readFrames(path, {
        pixelFormat: 'rgb24',
        through: 'trim=start_frame=20:end_frame=21',
      }))
        return colours.map(colour => columnsOf(colour, pixels, width));
      throw new Error('the film is too short');
    };
    expect(await spots(moved.path)).toEqual([1, 1, 1, 1, 1, 0]);
    expect(await spots(moved.plate)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a chosen length is said on the slate', async () => {
    const still = { input_image: [await given(image)] };
    const request = { prompt: 'locked camera', resolution: '480p', generate_audio: false };
    const [chosen, asked] = [
      await render('V-I2V-B', { ...request, duration: -1 }, still),
      await render('V-I2V-B', { ...request, duration: 5 }, still),
    ];
    expect(chosen.facts).toEqual(asked.facts);
    const at = async (path: string) => (await picture(path, 60)).pixels;
    expect(await at(chosen.plate)).toEqual(await at(asked.plate));
    expect(psnr(await at(chosen.path), await at(asked.path))).toBeLessThan(60);
  });

  test('ten seconds, upright, at another label', async () => {
    const moved = await move({
      ...SILENT,
      prompt: 'tilt up',
      aspect_ratio: '9:16',
      resolution: '720p',
      duration: '10s',
    });
    expect(moved.facts).toMatchObject({ width: 180, height: 320, duration: 10, fps: 24 });
  });

  test('a picture is asked for', async () => {
    const job = render('V-I2V-A', { prompt: 'push in' }, {});
    await expect(job).rejects.toThrow('V-I2V-A needs input_image: give it an address');
  });
});
