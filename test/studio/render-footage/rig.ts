/** A job for the renderer in a folder of its own, and the ways the tests look at what comes out. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { modelLibrary } from '../../../src/api/model-library.ts';
import { type DecodedFrame, readFrames } from '../../../src/media/decode/decode.ts';
import { extractPlate } from '../../../src/media/encode/clean-plate.ts';
import { probe } from '../../../src/media/probe.ts';
import type { MediaFacts } from '../../../src/model/media/media.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import type { LocalInput, RenderJob, RenderResult } from '../../../src/studio/animatic/job.ts';
import { rendererFor } from '../../../src/studio/animatic/renderer-for.ts';
import { workFolder } from '../../support/temp.ts';

export const folder = workFolder;

export interface Rendered extends RenderResult {
  readonly path: string;
  readonly plate: string;
  readonly progress: readonly number[];
  /** What lies in the job's folder afterwards. */
  readonly left: readonly string[];
}

/** What is found in an MP4: H.264 with AAC unless told. */
export const mp4 = (width: number, height: number, duration: number, more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ kind: 'video', format: 'mp4', width, height, duration, fps: 24, video_codec: 'h264', audio_codec: 'aac' },
  ...more,
});

/** Half of what a small film costs is its sound. */
export const SILENT = { generate_audio: false } as const;

export async function given(path: string, cleanPlate?: string): Promise<LocalInput> {
  return { path, ...(cleanPlate ? { cleanPlate } : {}), facts: await probe(path) };
}

export async function render(
  label: string,
  request: JsonObject,
  inputs: RenderJob['inputs'],
  speed: RenderJob['speed'] = 'draft',
): Promise<Rendered> {
  const { kind } = modelLibrary.get(label)!;
  const job: RenderJob = { id: 'g1', label, kind, request, inputs, folder: await folder(), speed };
  const progress: number[] = [];
  const result = await rendererFor(job)(job, { progress: fraction => progress.push(fraction) });
  const path = join(job.folder, result.file);
  const inside = join(await folder(), 'plate.mp4');
  const isInside = result.facts.kind === 'video' && (await extractPlate(path, inside));
  const plate = isInside ? inside : join(job.folder, result.cleanPlate ?? result.file);
  return { ...result, path, plate, progress, left: (await readdir(job.folder)).sort() };
}

/** All pictures of a film in grey: what two films have in common is seen in their light. */
export async function pictures(path: string, through?: string): Promise<DecodedFrame[]> {
  const frames: DecodedFrame[] = [];
  for await (const frame of readFrames(path, { pixelFormat: 'gray', ...(through ? { through } : {}) }))
    frames.push(frame);
  return frames;
}

export async function picture(path: string, index: number, through?: string): Promise<DecodedFrame> {
  const only = `trim=start_frame=${index}:end_frame=${index + 1}`;
  const [frame] = await pictures(path, through ? `${only},${through}` : only);
  if (!frame) throw new Error(`${path} has no picture ${index}`);
  return frame;
}

/** A photograph-like still: soft shapes, a horizon, a bright disc off the middle. */
export async function still(path: string, width: number, height: number): Promise<string> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#25406b"/><stop offset="1" stop-color="#f0b27a"/></linearGradient></defs>
    <rect width="160" height="90" fill="url(#sky)"/><circle cx="112" cy="40" r="12" fill="#fff3d6"/>
    <path d="M0 62 Q30 40 60 58 T120 55 T160 60 V90 H0Z" fill="#3b4a45"/><path d="M0 76 Q50 62 90 74 T160 70 V90 H0Z" fill="#1d2624"/>
    <path d="M30 78 l4 -22 l4 22z M44 76 l3 -14 l3 14z" fill="#0e1413"/></svg>`;
  await sharp(Buffer.from(drawing)).png().toFile(path);
  return path;
}

/** How much a picture changes from pixel to neighbour: rises with details, grain and noise. */
export function roughness({ pixels, width }: DecodedFrame): number {
  let sum = 0;
  for (let i = 1; i < pixels.length; i++) if (i % width !== 0) sum += Math.abs(pixels[i]! - pixels[i - 1]!);
  return sum / pixels.length;
}

/** The furthest from silence, 0 to 1. */
export function loudest(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}
