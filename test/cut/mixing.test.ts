import { describe, expect, test } from 'vitest';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { DRAWN } from '../../src/media/filtergraph.ts';
import { workFolder } from '../support/temp.ts';
import { cutOf, lumaOf, mean, numbered, numberIn, numbersIn, rendered, SIZE, video } from './cuts.ts';

const folder = await workFolder();
const dark = await plain('dark', 60);
const bright = await plain('bright', 200);

/** A film of one grey, without noise. */
async function plain(name: string, gray: number, frames = 24): Promise<string> {
  const out = `${folder}/${name}.mp4`;
  const picture = new Uint8Array(SIZE.width * SIZE.height * 4).fill(gray);
  for (let i = 3; i < picture.length; i += 4) picture[i] = 255;
  const pixels = Array.from({ length: frames }, () => picture);
  await encode({ frames: { ...SIZE, fps: 24, pixels }, graph: DRAWN, video: h264(rateOf(24), { crf: 4 }), out });
  return out;
}

const lights = async (path: string) => (await lumaOf(path)).map(frame => Math.round(mean(frame.pixels)));

describe('a dissolve', () => {
  test('lasts as long as it says, in even steps, and neither picture stands alone in it', async () => {
    const cut = cutOf([
      { frames: 10, picture: await video(dark) },
      { frames: 10, dissolve: 4, picture: await video(bright) },
    ]);
    expect(cut.frames).toBe(16);
    const seen = await lights(await rendered(cut, folder, 'dissolve'));
    const [from, to] = [seen[0]!, seen.at(-1)!];
    expect([from, to]).toEqual([60, 200]);
    const expected = [0, 0, 0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1, 1].map(share => from + (to - from) * share);
    for (const [n, value] of expected.entries())
      expect(Math.abs(seen[n]! - value), `frame ${n}`).toBeLessThanOrEqual(1.5);
  });

  test('both shots run on in it', async () => {
    const one = await numbered(folder, 'one', { frames: 24 });
    const two = await numbered(folder, 'two', { frames: 24, from: 128 });
    const cut = cutOf([
      { frames: 8, picture: await video(one) },
      { frames: 8, dissolve: 3, picture: await video(two) },
    ]);
    const numbers = await numbersIn(await rendered(cut, folder, 'running'));
    expect(numbers.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(numbers.slice(8)).toEqual([131, 132, 133, 134, 135]);
  });
});

describe('a fade', () => {
  test('begins with a black frame, and one to black ends with it', async () => {
    const cut = cutOf([{ frames: 12, fadeIn: 4, fadeOut: 4, picture: await video(bright) }]);
    const seen = await lights(await rendered(cut, folder, 'fade'));
    const shares = [0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 0.75, 0.5, 0.25, 0];
    for (const [n, share] of shares.entries()) {
      expect(Math.abs(seen[n]! - 200 * share), `frame ${n}`).toBeLessThanOrEqual(1.5);
    }
  });
});

describe('side by side', () => {
  test('pictures stand from left to right in equal shares, and run together', async () => {
    const one = await numbered(folder, 'left', { frames: 12 });
    const two = await numbered(folder, 'right', { frames: 12, from: 64 });
    const half = { y: 0, width: 160, height: 90 } as const;
    const pictures = [await video(one), await video(two, { in: 0.25 })];
    const cut = cutOf([{ frames: 5, picture: { is: 'beside', pictures } }], { size: { width: 320, height: 90 } });
    const frames = await lumaOf(await rendered(cut, folder, 'beside'));
    expect(frames.map(frame => numberIn(frame, { x: 0, ...half }))).toEqual([0, 1, 2, 3, 4]);
    expect(frames.map(frame => numberIn(frame, { x: 160, ...half }))).toEqual([70, 71, 72, 73, 74]);
  });

  test('in a film that is higher than wide they stand one above the other', async () => {
    const one = await numbered(folder, 'upper', { frames: 6 });
    const two = await numbered(folder, 'lower', { frames: 6, from: 200 });
    const pictures = [await video(one), await video(two)];
    const cut = cutOf([{ frames: 3, picture: { is: 'beside', pictures } }], { size: { width: 160, height: 180 } });
    const frames = await lumaOf(await rendered(cut, folder, 'above'));
    expect(frames.map(frame => numberIn(frame))).toEqual([0, 1, 2]);
    expect(frames.map(frame => numberIn(frame, { x: 0, y: 90, ...SIZE }))).toEqual([200, 201, 202]);
  });
});

test('a hundred shots are no more open than one', async () => {
  const source = await numbered(folder, 'many', { frames: 48 });
  const shots = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => ({ frames: 1, picture: await video(source, { in: (i % 48) / 24 }) })),
  );
  const numbers = await numbersIn(await rendered(cutOf(shots), folder, 'hundred'));
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i % 48));
});
