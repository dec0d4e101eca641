/** I-EDIT-A, -B and -C by their fields: what each buys is measured in pixels. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { probe } from '../../../src/media/probe.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import type { RenderJob } from '../../../src/studio/animatic/job.ts';
import { editSize } from '../../../src/studio/animatic/kinds/edit/edit-size.ts';
import { folder, render } from '../render-footage/rig.ts';
import { difference, digest, rgba } from './painted.ts';

let root: string;
let photo: string;
/** Sixteen plain pictures, each of a colour of its own. */
let swatches: readonly { readonly file: string; readonly rgb: readonly number[] }[];

beforeAll(async () => {
  root = await folder();
  photo = path.join(root, 'photo.png');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#e8e4da"/>
    <path d="M100 150 L160 30 L220 150Z" fill="#a03020"/><path d="M20 20h1M40 40h1M60 20h1" stroke="#000"/></svg>`;
  await sharp(Buffer.from(drawing)).png().toFile(photo);
  swatches = await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      const rgb = [40 + (i % 4) * 70, 40 + Math.floor(i / 4) * 70, i % 2 === 0 ? 30 : 220];
      const [r = 0, g = 0, b = 0] = rgb;
      const file = path.join(root, `swatch-${i}.png`);
      await sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } })
        .png()
        .toFile(file);
      return { file, rgb };
    }),
  );
});

const inputs = (files: readonly string[]) => ({
  input_image: files.map(path => ({ path, facts: { kind: 'image' } as const })),
});

/** The file a person gets, and the plate the next step gets, as straight RGBA. */
async function edit(label: string, request: JsonObject, files: readonly string[] = [photo]) {
  const made = await render(label, { prompt: 'keep it', ...request }, inputs(files), 'full');
  const [bytes, probed] = [await readFile(made.path), await probe(made.path)];
  return { facts: made.facts, bytes, probed, seen: await rgba(made.path), plate: await rgba(made.plate) };
}

describe('the size of an edit', () => {
  test.each([
    ['I-EDIT-A', { resolution: '1 MP' }, '1328x747'],
    ['I-EDIT-A', { resolution: '1 MP', aspect_ratio: '1:1' }, '1000x1000'],
    ['I-EDIT-A', { resolution: '2 MP', aspect_ratio: '4:5' }, '1264x1580'],
    ['I-EDIT-A', { resolution: '4 MP', aspect_ratio: '16:9' }, '2656x1494'],
    ['I-EDIT-A', { resolution: '4MP', aspect_ratio: '2.39:1' }, '2868x1200'],
    ['I-EDIT-B', { resolution: '2K', aspect_ratio: '16:9' }, '2048x1152'],
    ['I-EDIT-B', { resolution: '2K', aspect_ratio: '1:1' }, '1536x1536'],
    ['I-EDIT-B', { resolution: '4K', aspect_ratio: '16:9' }, '3840x2160'],
    ['I-EDIT-B', { resolution: '4K', aspect_ratio: '9:16' }, '2160x3840'],
    ['I-EDIT-B', { resolution: '4K', aspect_ratio: '21:9' }, '3836x1644'],
    ['I-EDIT-C', { resolution: '1600x900' }, '1600x900'],
    ['I-EDIT-C', { resolution: '1601×37' }, '1601x37'],
    ['I-EDIT-C', { resolution: '3840x2160', aspect_ratio: '1:1' }, '3840x2160'],
    ['I-EDIT-C', { resolution: 'auto', aspect_ratio: 'auto' }, '320x180'],
  ])('%s %j is %s', async (label, request, expected) => {
    const job = { label, request: { prompt: 'keep it', ...request }, speed: 'full' } as unknown as RenderJob;
    const { width, height } = await editSize(job, inputs([photo]).input_image[0]);
    expect(`${width}x${height}`).toBe(expected);
  });
  test.each([
    ['I-EDIT-A', { resolution: '5 MP' }, 'resolution "5 MP" is more than the 4 MP that I-EDIT-A draws: ask for less'],
    ['I-EDIT-A', { resolution: '4K' }, 'resolution "4K" is more than the 4 MP that I-EDIT-A draws: ask for less'],
    [
      'I-EDIT-C',
      { resolution: '4000x1000' },
      'resolution "4000x1000" is more than the 3840x2160 that I-EDIT-C draws: ask for less',
    ],
    [
      'I-EDIT-C',
      { resolution: 'huge' },
      'resolution "huge" is no size of an image: write 2 MP, 1K, 2K, 4K or dimensions such as 1600x900',
    ],
    [
      'I-EDIT-B',
      { aspect_ratio: '16x9' },
      'aspect_ratio "16x9" is no shape of an image: write two numbers, such as 16:9',
    ],
    ['I-EDIT-C', { output_format: 'gif' }, 'output_format "gif" is none that is written here: write png, jpg or webp'],
    [
      'I-EDIT-C',
      { background: 'transparent', output_format: 'jpg' },
      'a jpg cannot hold a transparent background: write output_format png or webp',
    ],
    [
      'I-EDIT-C',
      { background: 'blue' },
      'background "blue" is none that can be drawn: write auto, opaque or transparent',
    ],
  ])('%s %j is refused', async (label, request, message) => {
    await expect(edit(label, request)).rejects.toThrow(message);
  });
  test('is what the file has', async () => {
    const { facts, probed } = await edit('I-EDIT-C', { resolution: '401x225', output_format: 'png' });
    expect(facts).toEqual({ kind: 'image', format: 'png', width: 401, height: 225 });
    expect(probed).toMatchObject(facts);
  });
});

describe.each([
  ['I-EDIT-B', 14],
  ['I-EDIT-C', 16],
])('%s', (label, most) => {
  test(`shows each of ${most} inputs`, async () => {
    const given = swatches.slice(0, most);
    const { plate } = await edit(
      label,
      { resolution: '640x360' },
      given.map(({ file }) => file),
    );
    const missing = given.filter(({ rgb }) => pixelsLike(plate, rgb) < 150);
    expect(missing).toEqual([]);
  });
  test('gives the same bytes for the same request, other bytes for other words', async () => {
    const request = { resolution: '320x180', prompt: 'rain at night, "Storm"', vendor_search: true };
    const files = swatches.slice(0, 3).map(({ file }) => file);
    const [first, again] = [await edit(label, request, files), await edit(label, request, files)];
    expect(digest(again.bytes)).toBe(digest(first.bytes));
    const other = await edit(label, { ...request, prompt: 'rain at dawn' }, files);
    expect(difference(other.plate, first.plate)).toBeGreaterThan(5);
  });
});

describe('I-EDIT-A', () => {
  const night = { prompt: 'relight at night' };
  test('output_quality is bytes kept', async () => {
    const [low, high] = [
      await edit('I-EDIT-A', { ...night, output_quality: 10, output_format: 'jpg' }),
      await edit('I-EDIT-A', { ...night, output_quality: 95, output_format: 'jpg' }),
    ];
    expect(high.bytes.length).toBeGreaterThan(low.bytes.length * 1.5);
    expect(digest(high.plate)).toBe(digest(low.plate));
  });
  test('guidance says how far the words are followed', async () => {
    const original = (await edit('I-EDIT-A', {})).plate;
    const away = async (guidance: number) =>
      difference((await edit('I-EDIT-A', { ...night, guidance })).plate, original);
    const [none, some, full, more] = [await away(0), await away(1), await away(2), await away(9)];
    expect(none).toBeLessThan(some * 0.9);
    expect(some).toBeLessThan(full * 0.9);
    expect(more).toBe(full);
  });
  test('each step comes nearer to the picture at its finest', async () => {
    const [first, few, enough, more] = await Promise.all(
      [1, 6, 20, 30].map(async steps => (await edit('I-EDIT-A', { ...night, num_inference_steps: steps })).plate),
    );
    expect(difference(first!, more!)).toBeGreaterThan(difference(few!, more!) * 1.2);
    expect(difference(few!, more!)).toBeGreaterThan(0.05);
    expect(difference(enough!, more!)).toBe(0);
  });
  test('the safety switch has nothing to switch here', async () => {
    const [on, off] = [
      await edit('I-EDIT-A', { ...night, disable_safety_checker: false }),
      await edit('I-EDIT-A', { ...night, disable_safety_checker: true }),
    ];
    expect(digest(on.bytes)).toBe(digest(off.bytes));
  });
});

test('image 2 as a style is not set in: it gives its colours', async () => {
  const [, , , red] = swatches;
  const prompt = 'in the style of image 2';
  const plain = await edit('I-EDIT-B', {});
  const styled = await edit('I-EDIT-B', { prompt }, [photo, red?.file ?? '']);
  expect(pixelsLike(styled.plate, red?.rgb ?? [])).toBe(0);
  expect(difference(styled.plate, plain.plate)).toBeGreaterThan(10);
});

test('a search switch and moderation are taken, and said on the slate alone', async () => {
  const quiet = await edit('I-EDIT-B', { vendor_search: false });
  const searched = await edit('I-EDIT-B', { vendor_search: true });
  const moderated = await edit('I-EDIT-C', { moderation: 'low' });
  expect(digest(searched.plate)).toBe(digest(quiet.plate));
  expect(digest(moderated.plate)).toBe(digest(quiet.plate));
  expect(digest(searched.seen)).not.toBe(digest(quiet.seen));
  expect(digest(moderated.seen)).not.toBe(digest(quiet.seen));
});

test('each tier of quality comes nearer to the picture at its best, and keeps more of it', async () => {
  const picture = { resolution: '320x180', prompt: 'a fox in a forest at dawn, "Fine print", medium shot' };
  const best = await edit('I-EDIT-C', { ...picture, resolution: '1280x720', quality: 'max' }, []);
  const ideal = new Uint8Array(
    await sharp(best.plate, { raw: { width: 1280, height: 720, channels: 4 } })
      .resize(320, 180)
      .raw()
      .toBuffer(),
  );
  const tiers = [];
  for (const quality of ['low', 'medium', 'high', 'xhigh', 'max']) {
    const one = await edit('I-EDIT-C', { ...picture, quality }, []);
    tiers.push({ away: difference(one.plate, ideal), bytes: one.bytes.length });
  }
  expect(tiers.map(({ away }) => away)).toEqual(tiers.map(({ away }) => away).sort((a, b) => b - a));
  expect(tiers.map(({ bytes }) => bytes)).toEqual(tiers.map(({ bytes }) => bytes).sort((a, b) => a - b));
  expect(new Set(tiers.map(({ away }) => away)).size).toBe(5);
});

describe('a transparent background', () => {
  const alphaOf = (pixels: Uint8Array) => [...pixels.filter((_, i) => i % 4 === 3)];
  test.each(['png', 'webp'])(
    'is real alpha in %s, with soft edges in the colours of the subject',
    async output_format => {
      const { seen, plate, probed } = await edit('I-EDIT-C', { background: 'transparent', output_format });
      // No slate lies on what is to be laid over something else.
      expect(alphaOf(seen)).toEqual(alphaOf(plate));
      expect(probed.format).toBe(output_format);
      const alpha = alphaOf(plate);
      expect(alpha[0]).toBe(0);
      expect(alpha[90 * 320 + 160]).toBe(255);
      // Where half of the triangle's colour is left, it is still its red and not a dark one.
      const soft = alpha.flatMap((a, i) => (a > 90 && a < 170 ? [i] : []));
      const reds = soft.map(i => plate[i * 4] ?? 0).sort((a, b) => a - b);
      expect(soft.length).toBeGreaterThan(20);
      expect(reds[Math.floor(reds.length / 10)]).toBeGreaterThan(140);
    },
  );
  test('leaves a generated subject alone on nothing', async () => {
    const { plate } = await edit(
      'I-EDIT-C',
      { background: 'transparent', resolution: '200x200', prompt: 'a red fox, close shot' },
      [],
    );
    const alpha = alphaOf(plate);
    const solid = alpha.filter(a => a > 250).length / alpha.length;
    expect(alpha[0]).toBe(0);
    expect(solid).toBeGreaterThan(0.1);
    expect(solid).toBeLessThan(0.9);
  });
  test.each([
    ['a generated scene without a subject', { prompt: 'a forest at dawn' }, []],
    ['a picture without a plain background', { prompt: 'keep it' }, ['busy.png']],
  ])('is an oval where nothing can be cut out: %s', async (_, request, names) => {
    const stripes = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><pattern id="p" width="4" height="4"
      patternUnits="userSpaceOnUse"><rect width="4" height="4"/><rect width="2" height="2" fill="#f80"/><rect x="2" y="2" width="2"
      height="2" fill="#0af"/></pattern></defs><rect width="200" height="200" fill="url(#p)"/></svg>`;
    await sharp(Buffer.from(stripes)).png().toFile(path.join(root, 'busy.png'));
    const files = names.map(name => path.join(root, name));
    const { plate } = await edit('I-EDIT-C', { ...request, background: 'transparent', resolution: '200x200' }, files);
    const alpha = alphaOf(plate);
    expect([alpha[0], alpha[199], alpha[200 * 199], alpha[100 * 200 + 100]]).toEqual([0, 0, 0, 255]);
  });
  test('is filled with paper when an opaque one is asked for', async () => {
    const { seen, plate } = await edit('I-EDIT-C', {
      background: 'opaque',
      prompt: 'remove the background',
      output_format: 'png',
    });
    expect(Math.min(...alphaOf(seen), ...alphaOf(plate))).toBe(255);
    expect([...plate.slice(0, 3)]).toEqual([255, 255, 255]);
  });
});

function pixelsLike(pixels: Uint8Array, rgb: readonly number[]): number {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (rgb.every((value, c) => Math.abs((pixels[i + c] ?? 0) - value) <= 12)) count++;
  }
  return count;
}
