/** The gallery's own media: two stills and a clip drawn by the studio, a plate of plain colours, a tone. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { modelLibrary } from '../../src/api/model-library.ts';
import { withDefaults } from '../../src/api/validate-request.ts';
import { probe } from '../../src/media/probe.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import type { LocalInput, RenderJob, RenderResult } from '../../src/studio/animatic/job.ts';
import { rendererFor } from '../../src/studio/animatic/renderer-for.ts';
import { wavOf } from '../support/wav.ts';
import type { Prop } from './takes.ts';

export interface Drawn extends RenderResult {
  readonly path: string;
}

/** One request, drawn. */
export async function draw(
  label: string,
  request: JsonObject,
  inputs: RenderJob['inputs'],
  folder: string,
): Promise<Drawn> {
  const model = modelLibrary.get(label);
  if (!model) throw new Error(`there is no model ${label}`);
  await mkdir(folder, { recursive: true });
  const job = { id: 'gallery', label, kind: model.kind, inputs, folder, speed: 'full' } as const;
  const result = await rendererFor(job)({ ...job, request: withDefaults(model, request) }, { progress() {} });
  return { ...result, path: path.join(folder, result.file) };
}

export async function props(folder: string): Promise<{ readonly [prop in Prop]: LocalInput }> {
  const still = async (name: string, prompt: string) =>
    given(await draw('I-GEN-A', { prompt, seed: 7, num_inference_steps: 20 }, {}, path.join(folder, name)));
  const clip = {
    prompt: 'a red fox crossing a frozen river at dawn, tracking shot',
    duration: 5,
    resolution: '720P',
    seed: 11,
  };
  return {
    portrait: await still(
      'portrait',
      'portrait of a lighthouse keeper in a yellow raincoat, medium shot, stormy coast, dusk',
    ),
    landscape: await still('landscape', 'snowy mountains behind a forest at dawn, wide shot'),
    clip: await given(await draw('V-T2V-A', clip, {}, path.join(folder, 'clip'))),
    swatch: await swatch(path.join(folder, 'swatch.png')),
    tone: await tone(path.join(folder, 'tone.wav')),
  };
}

const given = async (drawn: Drawn): Promise<LocalInput> => ({
  path: drawn.path,
  facts: drawn.facts,
  ...(drawn.cleanPlate ? { cleanPlate: path.join(path.dirname(drawn.path), drawn.cleanPlate) } : {}),
});

async function swatch(file: string): Promise<LocalInput> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#10616b"/>
    <circle cx="86" cy="96" r="60" fill="#f2b134"/><path d="M110 230 190 70 250 230z" fill="#d9432f"/></svg>`;
  await sharp(Buffer.from(drawing)).png().toFile(file);
  return { path: file, facts: await probe(file) };
}

/** Four seconds of 48 kHz mono: a beat every half second. */
async function tone(file: string): Promise<LocalInput> {
  const samples = Int16Array.from({ length: 48_000 * 4 }, (_, i) => {
    const beat = (i % 24_000) / 24_000;
    return 12_000 * Math.exp(-beat * 7) * Math.sin((i / 48_000) * 2 * Math.PI * 220);
  });
  await writeFile(file, wavOf(Buffer.from(samples.buffer), { rate: 48_000 }));
  return { path: file, facts: await probe(file) };
}
