/** A still that carries its clean plate behind its end: what everybody sees, and what further work is made from. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { walkPicture } from '../../src/media/decode/picture-walk.ts';
import { verifyMedia } from '../../src/media/decode/verify.ts';
import { stillPlate, withStillPlate } from '../../src/media/encode/clean-plate.ts';
import { still, workPicture } from '../../src/media/encode/open-still.ts';
import { probe } from '../../src/media/probe.ts';
import { workFolder } from '../support/temp.ts';

const folder = await workFolder();

type Format = 'webp' | 'jpg' | 'png';

const flat = (background: string, format: Format, width = 96): Promise<Buffer> =>
  sharp({ create: { width, height: 64, channels: 3, background } })
    .toFormat(format === 'jpg' ? 'jpeg' : format)
    .toBuffer();

async function written(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const firstPixel = async (picture: string | Buffer): Promise<readonly number[]> =>
  [...(await still(picture).removeAlpha().raw().toBuffer()).subarray(0, 3)].map(value => Math.round(value / 16));

const RED = [15, 0, 0];
const BLUE = [0, 0, 15];
const near = (to: readonly number[]) => to.map(value => expect.closeTo(value, -0.6));

describe.each(['webp', 'jpg', 'png'] as const)('a %s with its clean plate', format => {
  test('is the same picture to whoever looks at it', async () => {
    const alone = await written(`alone.${format}`, await flat('#f00', format));
    const both = withStillPlate(await readFile(alone), await flat('#00f', format));
    const path = await written(`both.${format}`, both);
    expect(await probe(path)).toEqual(await probe(alone));
    expect(await verifyMedia(path, 'image')).toEqual(await probe(alone));
    expect(walkPicture(both, format)).toEqual({ width: 96, height: 64 });
    expect(await firstPixel(path)).toEqual(near(RED));
  });

  test('gives the clean one to further work', async () => {
    const path = await written(
      `both.${format}`,
      withStillPlate(await flat('#f00', format), await flat('#00f', format)),
    );
    expect(await firstPixel(await workPicture(path))).toEqual(near(BLUE));
  });
});

describe('what is no plate', () => {
  test('a still without one, or an empty file, is read as it is', async () => {
    const path = await written('plain.png', await flat('#f00', 'png'));
    expect(await stillPlate(path)).toBeUndefined();
    expect(await workPicture(path)).toBe(path);
    expect(await stillPlate(await written('empty', Buffer.alloc(0)))).toBeUndefined();
  });

  test.each([
    ['of another size', () => flat('#00f', 'png', 48)],
    ['that is no picture', async () => Buffer.from('nothing')],
    ['that is empty', async () => Buffer.alloc(0)],
  ])('one %s is left alone', async (_, plate) => {
    const path = await written('odd.png', withStillPlate(await flat('#f00', 'png'), await plate()));
    expect(await workPicture(path)).toBe(path);
  });

  test('one whose length cannot be is left alone', async () => {
    const whole = withStillPlate(await flat('#f00', 'png'), await flat('#00f', 'png'));
    whole.writeUInt32BE(0xffff_fff0, whole.length - 24);
    expect(await stillPlate(await written('long.png', whole))).toBeUndefined();
  });
});
