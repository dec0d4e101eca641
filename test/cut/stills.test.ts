import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cameraOver } from '../../src/media/cut/pictures/still.ts';
import { withStillPlate } from '../../src/media/encode/clean-plate.ts';
import type { CutMove } from '../../src/model/media/cut.ts';
import { workFolder } from '../support/temp.ts';
import { cutOf, lumaOf, rendered, sourceOf } from './cuts.ts';

const folder = await workFolder();
const picture = `${folder}/edge.png`;
// Black on the left, white on the right, a soft edge in the middle.
const ramp = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><defs><linearGradient id="g"><stop offset="0.4" stop-color="#000"/><stop offset="0.6" stop-color="#fff"/></linearGradient></defs><rect width="640" height="360" fill="url(#g)"/><circle cx="480" cy="180" r="60" fill="#000"/></svg>`,
);
await sharp(ramp).png().toFile(picture);

async function moved(move: CutMove, frames = 24) {
  const still = { is: 'still', source: await sourceOf(picture), fit: 'crop', move } as const;
  const cut = cutOf([{ frames, picture: still }], { size: { width: 320, height: 180 } });
  return await lumaOf(await rendered(cut, folder, move));
}

/** Where the ramp of the upper rows reaches half its light, between pixels. */
function edgeOf({ pixels, width }: { pixels: Uint8Array; width: number }): number {
  let sum = 0;
  for (let y = 10; y < 40; y++) for (let x = 0; x < width; x++) sum += 235 - Math.min(235, pixels[y * width + x]!);
  return sum / 30 / 235;
}

describe('a still', () => {
  test('stands', async () => {
    const frames = await moved('none', 5);
    expect(new Set(frames.map(frame => Math.round(edgeOf(frame)))).size).toBe(1);
  });

  test.each([
    ['pan_right', -1],
    ['pan_left', 1],
  ] as const)('%s glides evenly, between pixels', async (move, direction) => {
    const edges = (await moved(move)).map(edgeOf);
    const steps = edges.slice(1).map((edge, i) => edge - edges[i]!);
    const pace = (edges.at(-1)! - edges[0]!) / steps.length;
    expect(Math.sign(pace)).toBe(direction);
    // Less than a pixel a frame, and never by whole ones.
    expect(Math.abs(pace)).toBeGreaterThan(0.3);
    expect(Math.abs(pace)).toBeLessThan(1.2);
    for (const [i, step] of steps.entries()) expect(Math.abs(step - pace), `step ${i}`).toBeLessThan(0.25);
  });

  test('push_in comes closer, pull_out goes back, and neither shows what lies outside', async () => {
    const dark = ({ pixels }: { pixels: Uint8Array }) => {
      let count = 0;
      for (let y = 0; y < 180; y++) for (let x = 200; x < 290; x++) if (pixels[y * 320 + x]! < 120) count++;
      return count;
    };
    const inwards = (await moved('push_in')).map(dark);
    expect(inwards.at(-1)!).toBeGreaterThan(inwards[0]! * 1.08);
    expect(inwards).toEqual(inwards.toSorted((a, b) => a - b));
    const outwards = (await moved('pull_out')).map(dark);
    expect(outwards.at(-1)!).toBeLessThan(outwards[0]! * 0.93);
  });

  test('is cut from the clean plate that it carries', async () => {
    const flat = (background: string) =>
      sharp({ create: { width: 320, height: 180, channels: 3, background } })
        .png()
        .toBuffer();
    const slated = `${folder}/slated.png`;
    await writeFile(slated, withStillPlate(await flat('#fff'), await flat('#000')));
    const source = await sourceOf(slated);
    const picture = { is: 'still', source, fit: 'crop', move: 'none' } as const;
    const cut = cutOf([{ frames: 2, picture }], { size: { width: 320, height: 180 } });
    const [frame] = await lumaOf(await rendered(cut, folder, 'clean'));
    expect(Math.max(...frame!.pixels)).toBeLessThan(4);
  });

  test('with `blur` goes on in the colours of its own edges', async () => {
    const half = (height: number, background: string) => ({
      input: { create: { width: 320, height, channels: 3 as const, background } },
    });
    const path = `${folder}/halves.png`;
    await sharp({ create: { width: 320, height: 180, channels: 3, background: '#333' } })
      .composite([{ ...half(90, '#ddd'), left: 0, top: 0 }])
      .png()
      .toFile(path);
    const picture = { is: 'still', source: await sourceOf(path), fit: 'blur', move: 'none' } as const;
    const cut = cutOf([{ frames: 2, picture }], { size: { width: 320, height: 568 } });
    const [frame] = await lumaOf(await rendered(cut, folder, 'margins'));
    const at = (y: number) => frame!.pixels[y * 320 + 160]!;
    // A little darker than the picture, from the far end to the seam.
    for (const y of [4, 100, 180]) expect(at(y)).toBeCloseTo(0xdd * 0.86, -1);
    for (const y of [388, 470, 564]) expect(at(y)).toBeCloseTo(0x33 * 0.86, -1);
  });
});

test('a camera has one pace, and ends', () => {
  const scale = (seconds: number) => cameraOver('push_in', { seconds, room: 0 })(1).scale;
  expect([1, 4, 60].map(seconds => Math.round(scale(seconds) * 1000) / 1000)).toEqual([1.05, 1.088, 1.2]);
  // A panorama is panned over what it has; a picture that just fits is brought closer for it.
  const wide = cameraOver('pan_right', { seconds: 4, room: 0.15 });
  expect(wide(0)).toEqual({ scale: 1, right: expect.closeTo(-0.15) });
  const fitting = cameraOver('pan_right', { seconds: 4, room: 0 });
  expect(fitting(1).scale).toBeCloseTo(1.088);
  expect(fitting(1).right).toBeCloseTo(0.044);
});
