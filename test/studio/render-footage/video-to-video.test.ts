import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../../src/media/decode/decode.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { shotsOf } from '../../../src/studio/animatic/slate/shot-notes.ts';
import { film, psnr } from '../../media/footage.ts';
import { folder, given, loudest, mp4, pictures, render, SILENT } from './rig.ts';

let source: string;
let silent: string;
beforeAll(async () => {
  const place = await folder();
  source = await film(join(place, 'source.mp4'), { width: 256, height: 144, frames: 24 });
  silent = await film(join(place, 'silent.mp4'), { width: 144, height: 256, frames: 24, fps: 30, sound: false });
});

const again = async (request: JsonObject, path = source) =>
  await render(
    'V-V2V',
    { prompt: 'anime at night', resolution: '540p', ...request },
    { input_video: [await given(path)] },
  );

/** The column of the brightest light of a row in the middle, as a part of the width: where the film's bar stands. */
const bars = async (path: string) =>
  (await pictures(path, 'scale=96:54,crop=96:1:0:24')).map(({ pixels }) => pixels.indexOf(Math.max(...pixels)) / 96);
const mean = async (path: string) => {
  const sum = [0, 0, 0];
  for await (const { pixels } of readFrames(path, { pixelFormat: 'rgb24', through: 'scale=32:18' }))
    for (let i = 0; i < pixels.length; i++) sum[i % 3]! += pixels[i]!;
  return sum;
};

describe('V-V2V', () => {
  test('the same film by another hand: length, rate, motion and sound stay, the picture does not', async () => {
    const made = await again({});
    expect(made.facts).toEqual(mp4(242, 136, 1));
    const [before, after] = [await bars(source), await bars(made.plate)];
    expect(after.length).toBe(24);
    for (const [i, x] of after.entries()) expect(Math.abs(x - before[i]!)).toBeLessThan(0.06);
    const [old, fresh] = [await pictures(source, 'scale=242:136'), await pictures(made.plate)];
    expect(psnr(old[20]!.pixels, fresh[20]!.pixels)).toBeLessThan(24);
    expect((await readAudio(made.path)).left).toEqual((await readAudio(source)).left);
  });

  test('the prompt’s light decides the colours', async () => {
    const warm = await mean((await again({ prompt: 'anime, sunset' })).plate);
    const cold = await mean((await again({ prompt: 'anime, night' })).plate);
    expect(warm[0]! / warm[2]!).toBeGreaterThan((cold[0]! / cold[2]!) * 1.3);
    expect(warm[1]!).toBeGreaterThan(cold[1]!);
  });

  test('the manner it names decides the line: noir has no colours, a grade has no lines', async () => {
    const [r = 0, , b = 0] = await mean((await again({ prompt: 'black and white noir' })).plate);
    expect(Math.abs(r / b - 1)).toBeLessThan(0.12);
    const [ink, graded] = [await again({ prompt: 'comic, day' }), await again({ prompt: 'photorealistic, day' })];
    expect(psnr((await pictures(ink.plate))[9]!.pixels, (await pictures(graded.plate))[9]!.pixels)).toBeLessThan(28);
  });

  test('a duration cuts picture and sound; a longer one than the source is the source’s', async () => {
    const short = await again({ duration: '0.5s', resolution: '720p' });
    expect(short.facts).toMatchObject({ width: 320, height: 180, duration: 0.5 });
    expect((await pictures(short.path)).length).toBe(12);
    const { left } = await readAudio(short.path);
    expect(Math.abs(left.length / 48_000 - 0.5)).toBeLessThan(0.03);
    expect(loudest(left)).toBeGreaterThan(0.2);
    expect((await again({ duration: '5s' })).facts).toMatchObject({ duration: 1 });
  });

  test('a silent upright film at another rate stays one', async () => {
    const made = await again({}, silent);
    expect(made.facts).toMatchObject({ width: 136, height: 242, duration: 0.8, fps: 30, audio_codec: null });
  });

  test('cuts of the film before are kept in its notes, with the new words', async () => {
    const shot = await render(
      'V-T2V-C',
      { ...SILENT, prompt: '[0-0.5s] wide shot: a fox [0.5-1s] close-up: a fox', resolution: '480p', duration: 1 },
      {},
    );
    const made = await render(
      'V-V2V',
      { prompt: 'watercolour', resolution: '540p' },
      { input_video: [await given(shot.path, shot.plate)] },
    );
    expect(await shotsOf(made.plate, 1, '')).toMatchObject([
      { start: 0, end: 0.5, words: 'Watercolour', size: 'wide' },
      { start: 0.5, end: 1, words: 'Watercolour', size: 'close' },
    ]);
  });
});
