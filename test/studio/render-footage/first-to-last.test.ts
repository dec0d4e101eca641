import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../../src/media/decode/decode.ts';
import { openFootage } from '../../../src/media/decode/footage.ts';
import { openMedia } from '../../../src/media/decode/open-input.ts';
import { libav } from '../../../src/media/libav.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { shotsOf } from '../../../src/studio/animatic/slate/shot-notes.ts';
import { psnr } from '../../media/footage.ts';
import { folder, given, loudest, picture, pictures, render, SILENT, still } from './rig.ts';

let first: string;
let last: string;
beforeAll(async () => {
  const place = await folder();
  first = await still(join(place, 'first.png'), 640, 480);
  last = join(place, 'last.png');
  await sharp(first).modulate({ hue: 140 }).flop().negate({ alpha: false }).blur(1.2).toFile(last);
});

const move = async (label: string, request: JsonObject, { tail = true } = {}) =>
  await render(
    label,
    { prompt: 'slow push in', duration: 4, ...request },
    { input_image: [await given(first)], ...(tail ? { tail_image_url: [await given(last)] } : {}) },
  );
const asSeen = async (image: string, width: number, height: number) =>
  (
    await pictures(
      image,
      `scale=${width}:${height}:flags=lanczos+accurate_rnd:out_color_matrix=bt709:out_range=tv,format=yuv420p`,
    )
  )[0]!;

describe('from a first to a last picture', () => {
  test('the first picture is the one, the last is the other, and neither carries a slate', async () => {
    const made = await move('V-I2V-B', { ...SILENT, resolution: '480p', prompt: 'pan right, rain' });
    expect(made.facts).toMatchObject({ width: 160, height: 120, duration: 4, fps: 24, video_codec: 'h264' });
    const film = await pictures(made.path);
    expect(film.length).toBe(96);
    expect(psnr(film[0]!.pixels, (await asSeen(first, 160, 120)).pixels)).toBeGreaterThan(34);
    expect(psnr(film[95]!.pixels, (await asSeen(last, 160, 120)).pixels)).toBeGreaterThan(34);
  });

  /** Two tests look at its clean plate. */
  let made: ReturnType<typeof move> | undefined;
  const still = () => (made ??= move('V-I2V-D', { ...SILENT, prompt: 'locked camera' }));

  test('between them no step is a jump, and the middle is neither', async () => {
    const { plate } = await still();
    const film = await pictures(plate);
    const steps = film.slice(1).map((frame, i) => psnr(frame.pixels, film[i]!.pixels));
    expect(Math.min(...steps)).toBeGreaterThan(20);
    for (const end of [film[0]!, film.at(-1)!]) expect(psnr(film[48]!.pixels, end.pixels)).toBeLessThan(22);
  });

  test('the new picture comes in by its light: what is bright in it changes first', async () => {
    const { plate } = await still();
    const film = await pictures(plate);
    const [before, middle, after] = [film[0]!.pixels, film[44]!.pixels, film.at(-1)!.pixels];
    const changed = (bright: boolean) => {
      let [sum, count] = [0, 0];
      for (let i = 0; i < after.length; i++) {
        const way = after[i]! - before[i]!;
        if (Math.abs(way) < 50 || after[i]! > 128 !== bright) continue;
        sum += (middle[i]! - before[i]!) / way;
        count++;
      }
      return sum / count;
    };
    expect(changed(true)).toBeGreaterThan(changed(false) + 0.1);
  });
});

describe('V-I2V-C', () => {
  /** What comes after it draws from it as well. */
  let made: ReturnType<typeof move> | undefined;
  const large = () => (made ??= move('V-I2V-C', { resolution: '1080p', duration: '2s', aspect_ratio: '16:9' }));

  test('1080p is HEVC Main 10 (hvc1) in the picture’s own ratio, with a clean plate in H.264', async () => {
    const made = await large();
    expect(made.facts).toMatchObject({ width: 360, height: 270, duration: 2, video_codec: 'hevc', audio_codec: 'aac' });
    const av = await libav();
    await using file = await openMedia(av, made.path);
    const codec = file.streams.find(stream => stream.codecpar.codecType === av.c.AVMEDIA_TYPE_VIDEO)!.codecpar;
    expect({ tag: codec.codecTagString, profile: codec.profile, format: codec.format }).toEqual({
      tag: 'hvc1',
      profile: av.c.AV_PROFILE_HEVC_MAIN_10,
      format: av.c.AV_PIX_FMT_YUV420P10LE,
    });
    expect((await openFootage(made.plate)).codec).toBe('h264');
    expect(psnr((await picture(made.path, 47)).pixels, (await asSeen(last, 360, 270)).pixels)).toBeGreaterThan(34);
  });

  test('what comes after draws from the clean plate', async () => {
    const made = await large();
    const framed = await render(
      'V-RF',
      { prompt: 'more sky', aspect_ratio: '9:16', resolution: '540p' },
      { input_video: [await given(made.path, made.plate)] },
    );
    expect(framed.facts).toMatchObject({ width: 136, height: 242, duration: 2, video_codec: 'h264' });
    expect(await shotsOf(framed.path, 2, '')).toMatchObject([{ words: 'Slow push in', camera: 'push-in' }]);
  });

  test('sound is on unless it is switched off', async () => {
    const on = await move('V-I2V-C', { resolution: '480p', duration: 'auto' });
    expect(on.facts).toMatchObject({ duration: 5, audio_codec: 'aac', video_codec: 'h264' });
    expect(loudest((await readAudio(on.path)).left)).toBeGreaterThan(0.05);
    const off = await move('V-I2V-C', { resolution: '480p', duration: '1', generate_audio: false });
    expect(off.facts.audio_codec).toBeNull();
  });

  test('another container than mp4 is refused', async () => {
    await expect(move('V-I2V-C', { output_format: 'webm' })).rejects.toThrow(
      'output_format "webm" is none that the built-in studio writes: write mp4',
    );
  });
});

describe('what the author says of faces', () => {
  /** A tall picture: skin at its foot, strong contrast in its upper middle. */
  const portrait = async () => {
    const path = join(await folder(), 'portrait.png');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="600"><rect width="200" height="600" fill="#30343c"/>
      ${Array.from({ length: 10 }, (_, i) => `<rect x="0" y="${100 + i * 16}" width="200" height="8" fill="#e8ecf4"/>`).join('')}
      <ellipse cx="100" cy="500" rx="46" ry="58" fill="#c98f6f"/></svg>`;
    await sharp(Buffer.from(svg)).png().toFile(path);
    return path;
  };
  const skin = async (request: JsonObject) => {
    const image = await portrait();
    const made = await render(
      'V-I2V-B',
      { ...SILENT, prompt: 'locked camera', aspect_ratio: '1:1', resolution: '480p', duration: 0.5, ...request },
      { input_image: [await given(image)] },
    );
    for await (const { pixels } of readFrames(made.plate, { pixelFormat: 'rgb24' })) {
      let warm = 0;
      for (let i = 0; i < pixels.length; i += 3) if (pixels[i]! > pixels[i + 2]! + 50) warm++;
      return warm / (pixels.length / 3);
    }
    throw new Error('the film has no picture');
  };
  test('a face is kept in the crop; where there is none, contrast decides', async () => {
    expect(await skin({ input_image_has_face: true })).toBeGreaterThan(0.15);
    expect(await skin({ input_image_has_face: false })).toBeLessThan(0.02);
  });
});

describe('V-I2V-E', () => {
  test('without a picture it is text to video', async () => {
    const made = await render('V-I2V-E', { prompt: 'a whale under water', resolution: '480p', duration: 2 }, {});
    expect(made.facts).toMatchObject({ width: 214, height: 120, duration: 2, audio_codec: 'aac' });
  });
  test('with one it starts from it', async () => {
    const made = await move(
      'V-I2V-E',
      { ...SILENT, aspect_ratio: '4:3', resolution: '480p', duration: 2 },
      { tail: false },
    );
    expect(psnr((await picture(made.path, 0)).pixels, (await asSeen(first, 160, 120)).pixels)).toBeGreaterThan(34);
  });
});

test('watermark is seen in the film, not on its clean plate', async () => {
  const [plain, marked] = [
    await move('V-I2V-B', { ...SILENT, resolution: '480p', duration: 2 }),
    await move('V-I2V-B', { ...SILENT, resolution: '480p', duration: 2, watermark: true }),
  ];
  const corner = async (path: string) => (await picture(path, 30, 'crop=60:30:100:84')).pixels;
  expect(psnr(await corner(plain.path), await corner(marked.path))).toBeLessThan(30);
  expect(psnr(await corner(plain.plate), await corner(marked.plate))).toBe(99);
});
