import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { workPicture } from '../../../src/media/encode/open-still.ts';
import { probe } from '../../../src/media/probe.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import type { RenderJob } from '../../../src/studio/animatic/job.ts';
import { editsIn } from '../../../src/studio/animatic/kinds/edit/edits.ts';
import { folder, render } from '../render-footage/rig.ts';
import { brightness, detail, difference, rgba } from './painted.ts';

let photo: string;
beforeAll(async () => {
  photo = path.join(await folder(), 'photo.png');
  await sharp({ create: { width: 300, height: 200, channels: 3, background: { r: 120, g: 130, b: 140 } } })
    .composite([
      {
        input: await sharp({ create: { width: 120, height: 120, channels: 3, background: { r: 220, g: 90, b: 60 } } })
          .png()
          .toBuffer(),
      },
    ])
    .png()
    .toFile(photo);
});

const generate = (request: JsonObject) => render('I-GEN-A', { seed: 7, ...request }, {});
const edit = (
  request: JsonObject,
  files: readonly string[] = [photo],
  { label = 'I-EDIT-A', speed = 'full' }: Partial<Pick<RenderJob, 'label' | 'speed'>> = {},
) => render(label, request, { input_image: files.map(path => ({ path, facts: { kind: 'image' } as const })) }, speed);
/** What is made, without its slate. */
const plate = async (made: ReturnType<typeof render>) => rgba((await made).plate);

/** Sizes of a draft picture and of the edits of edits of it, each made of the one before. */
async function draftChain(label: string, ...requests: readonly JsonObject[]): Promise<readonly string[]> {
  const made = [(await generate({ prompt: KEEPER })).path];
  for (const request of requests) made.push((await edit(request, [made.at(-1)!], { label, speed: 'draft' })).path);
  const sizes = await Promise.all(made.map(file => sharp(file).metadata()));
  return sizes.map(({ width, height }) => `${width}×${height}`);
}

const KEEPER = 'portrait of a lighthouse keeper in a yellow raincoat, medium shot, stormy coast, dusk';

describe('a generated image', () => {
  test.each(['webp', 'jpg', 'png'])('is written as %s', async output_format => {
    const result = await generate({ prompt: KEEPER, output_format });
    expect(await probe(result.path)).toMatchObject(result.facts);
    expect(result).toMatchObject({ file: `result.${output_format}`, cleanPlate: 'clean.png' });
    // The clean one goes wherever the file goes.
    expect(typeof (await workPicture(result.path))).toBe('object');
  });
  test('shows a yellow raincoat', async () => {
    const pixels = await plate(generate({ prompt: KEEPER }));
    let yellow = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if ((pixels[i] ?? 0) > 120 && (pixels[i + 1] ?? 0) > 95 && (pixels[i + 2] ?? 255) < (pixels[i + 1] ?? 0) * 0.6)
        yellow++;
    expect(yellow / (pixels.length / 4)).toBeGreaterThan(0.08);
  });
  test('has more detail with more steps', async () => {
    const made = async (num_inference_steps: number) => {
      const result = await generate({ prompt: 'a forest at dawn', num_inference_steps });
      return detail(await rgba(result.plate), result.facts.width ?? 1);
    };
    expect(await made(1)).toBeLessThan((await made(20)) * 0.8);
  });
  test('is the same for the same seed, another for another', async () => {
    const first = await plate(generate({ prompt: KEEPER }));
    expect(difference(await plate(generate({ prompt: KEEPER })), first)).toBe(0);
    expect(difference(await plate(generate({ prompt: KEEPER, seed: 8 })), first)).toBeGreaterThan(2);
  });
});

describe('an edit', () => {
  test('changes the picture it is given: night is darker, a lantern warms it, black and white has no colour', async () => {
    const mean = async (prompt: string) => {
      const pixels = await plate(edit({ prompt }));
      let [red, blue] = [0, 0];
      for (let i = 0; i < pixels.length; i += 4) [red, blue] = [red + (pixels[i] ?? 0), blue + (pixels[i + 2] ?? 0)];
      return { light: brightness(pixels), warmth: (red - blue) / (pixels.length / 4) };
    };
    const plain = await mean('keep it as it is');
    const night = await mean('relight at night');
    const lantern = await mean('relight at night, warm lantern light, keep the face');
    expect(night.light).toBeLessThan(plain.light * 0.75);
    expect(lantern.warmth).toBeGreaterThan(night.warmth + 20);
    expect(Math.abs((await mean('black and white')).warmth)).toBeLessThan(1);
  });
  test.each([
    [{}, [300, 200]],
    [{ aspect_ratio: '3:2' }, [1254, 836]],
    [{ aspect_ratio: '1:1', resolution: '0.25 MP' }, [500, 500]],
    [{ aspect_ratio: '9:16', resolution: '0.5 MP' }, [522, 928]],
  ])('%j gives %j', async (request, [width, height]) => {
    const result = await edit({ prompt: 'warmer', ...request });
    expect([result.facts.width, result.facts.height]).toEqual([width, height]);
    expect(await probe(result.path)).toMatchObject(result.facts);
  });
  test('sets the other inputs in and says which edits it heard', async () => {
    const alone = await plate(edit({ prompt: 'warmer' }));
    const added = await plate(edit({ prompt: 'warmer, add image 2' }, [photo, photo]));
    expect(difference(added, alone)).toBeGreaterThan(1);
    expect([...editsIn('relight at night, warm lantern light, "Storm" as title', 2)]).toEqual([
      'warm',
      'lantern',
      'relit',
      'inserted',
      'title',
    ]);
    expect([...editsIn('make it nicer', 1)]).toEqual([]);
  });
  test('cuts the background out as real transparency', async () => {
    const pixels = await plate(edit({ prompt: 'remove the background', output_format: 'png' }));
    expect(pixels[pixels.length - 1]).toBe(0);
    expect([...pixels.filter((_, i) => i % 4 === 3)].some(alpha => alpha > 250)).toBe(true);
  });
  test('without an input is a generation', async () => {
    const result = await edit({ prompt: KEEPER, resolution: '0.1 MP' }, []);
    expect(result.facts).toEqual({ kind: 'image', format: 'webp', width: 316, height: 316 });
  });
});

describe('a chain of edits in a draft', () => {
  const link = { prompt: 'make it dusk' };
  test.each(['I-EDIT-A', 'I-EDIT-B', 'I-EDIT-C'])('keeps the size of its first picture with %s', async label => {
    const sizes = await draftChain(label, link, link, link, link);
    expect(sizes).toStrictEqual(['256×256', '256×256', '256×256', '256×256', '256×256']);
  });
  test('gives the size or shape that a link asks for, as a draft, and keeps that from there on', async () => {
    const wide = { ...link, aspect_ratio: '16:9' };
    const asked = { ...link, resolution: '1600x900' };
    const shaped = { ...link, aspect_ratio: 'match_input_image', resolution: 'auto' };
    expect(await draftChain('I-EDIT-C', wide, link, asked, shaped)).toStrictEqual([
      '256×256',
      '340×191',
      '340×191',
      '400×225',
      '400×225',
    ]);
  });
  test('is as large as the edit itself where the picture is the author’s own', async () => {
    const made = await edit(link, [photo], { speed: 'draft' });
    expect(await sharp(made.path).metadata()).toMatchObject({ width: 300, height: 200 });
  });
});
