import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { workPicture } from '../../../src/media/encode/open-still.ts';
import { paintStill } from '../../../src/studio/animatic/kinds/image-generate.ts';
import { cutFor, subjectIn } from '../../../src/studio/animatic/picture/attention.ts';
import { given, render } from './rig.ts';

const drawn = (width: number, height: number, shapes: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#5a6470"/>${shapes}</svg>`,
    ),
  )
    .png()
    .toBuffer();

test('a face is kept, not the bright coat under it', async () => {
  const size = { width: 600, height: 900 };
  const picture = await drawn(
    600,
    900,
    '<ellipse cx="300" cy="260" rx="90" ry="120" fill="#b07a5c"/><rect x="80" y="460" width="440" height="440" fill="#f2c200"/>',
  );
  const cut = await cutFor(picture, size, { width: 16, height: 9 });
  expect(cut).toMatchObject({ left: 0, width: 600, height: 338 });
  expect(cut.top).toBeGreaterThan(40);
  expect(cut.top).toBeLessThan(150);
});

test('what stands at the side of a wide picture is kept in an upright frame', async () => {
  const size = { width: 1200, height: 500 };
  const picture = await drawn(
    1200,
    500,
    '<path d="M900 100h120v330h-120z" fill="#202020"/><circle cx="960" cy="90" r="50" fill="#c48f70"/>',
  );
  const { left, width } = await cutFor(picture, size, { width: 9, height: 16 });
  expect(left).toBeLessThan(900);
  expect(left + width).toBeGreaterThan(1020);
});

test('a picture of the frame’s own shape is kept whole', async () => {
  expect(await cutFor(Buffer.alloc(0), { width: 1280, height: 720 }, { width: 640, height: 360 })).toEqual({
    left: 0,
    top: 0,
    width: 1280,
    height: 720,
  });
});

describe('what the studio drew', () => {
  const FOX = 'a red fox in the snow, wide shot, dawn';

  test.each([FOX, 'a woman on a beach, wide shot', 'an astronaut on mars, wide shot'])(
    '%s: is whole in a wide part and in an upright part of the picture',
    async prompt => {
      for (const [width, height] of [
        [128, 128],
        [90, 160],
      ] as const) {
        const size = { width, height };
        const { canvas, subject } = paintStill({ request: { prompt } }, size, 8);
        const picture = canvas.toBuffer('image/png');
        const wide = await cutFor(picture, size, { width: 16, height: 9 }, { subject });
        expect(wide.top).toBeLessThanOrEqual(subject!.top * height);
        expect(wide.top + wide.height).toBeGreaterThanOrEqual(Math.floor(subject!.bottom * height));
        const upright = await cutFor(picture, size, { width: 1, height: 2 }, { subject });
        expect(upright.left).toBeLessThanOrEqual(Math.max(0, subject!.left * width));
        expect(upright.left + upright.width).toBeGreaterThanOrEqual(Math.floor(subject!.right * width));
      }
    },
  );

  test('is known of the file, wherever it is brought, and after an edit that crops it', async () => {
    const still = await render('I-GEN-A', { prompt: FOX, output_format: 'png' }, {});
    const drawn = await subjectIn(still.plate);
    expect(drawn).toMatchObject({ left: expect.any(Number), bottom: expect.any(Number) });
    expect(await subjectIn(await workPicture(still.path))).toEqual(drawn);
    const request = { prompt: 'at night', aspect_ratio: '16:9' };
    const edited = await render('I-EDIT-A', request, { input_image: [await given(still.path, still.plate)] });
    const placed = await subjectIn(edited.plate);
    expect(placed!.top).toBeGreaterThanOrEqual(0);
    expect(placed!.bottom).toBeLessThanOrEqual(1);
    expect(placed!.bottom - placed!.top).toBeCloseTo(((drawn!.bottom - drawn!.top) * 16) / 9, 1);
  });

  test('a picture from elsewhere says nothing of it', async () => {
    expect(await subjectIn(await drawn(60, 90, ''))).toBeUndefined();
  });
});
