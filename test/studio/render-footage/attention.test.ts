import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cutFor } from '../../../src/studio/animatic/picture/attention.ts';

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
