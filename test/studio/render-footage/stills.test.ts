/** Pictures as people have them: from printers, scanners, phones and screens. Each is drawn from, in its own shape. */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { folder, given, render } from './rig.ts';

const picture = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#48a"/><circle cx="90" cy="90" r="60" fill="#fa3"/></svg>',
    ),
  ).removeAlpha();

test.each<[name: string, made: () => Sharp | Promise<Sharp>, shape: string]>([
  ['printed.jpg', () => picture().toColourspace('cmyk').jpeg(), '180×120'],
  ['deep.png', () => picture().toColourspace('rgb16').png(), '180×120'],
  ['indexed.png', () => picture().png({ palette: true }), '180×120'],
  ['grey.png', () => picture().greyscale().png(), '180×120'],
  ['glass.png', () => picture().ensureAlpha(0.5).png(), '180×120'],
  ['turned.jpg', () => picture().jpeg().withMetadata({ orientation: 6 }), '120×180'],
  ['moving.gif', () => picture().gif(), '180×120'],
  ['scanned.tiff', () => picture().tiff(), '180×120'],
  ['dot.png', () => picture().resize(1, 1, { fit: 'fill' }).png(), '120×120'],
  ['strip.png', () => picture().resize(1000, 110, { fit: 'fill' }).png(), '1090×120'],
])('%s', async (name, made, shape) => {
  const path = join(await folder(), name);
  await (await made()).toFile(path);
  const still = await given(path);
  const request = { prompt: 'pan left, rain', duration: 0.125, resolution: '480p', generate_audio: false };
  const moved = await render('V-I2V-B', request, { input_image: [still] });
  expect(`${moved.facts.width}×${moved.facts.height}`).toBe(shape);
  const edited = await render(
    'I-EDIT-C',
    { prompt: 'at night, add image 2', resolution: '300x300' },
    { input_image: [still, still] },
  );
  expect(edited.facts).toMatchObject({ width: 75, height: 75 });
});
