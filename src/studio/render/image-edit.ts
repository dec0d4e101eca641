/**
 * A picture and words → that picture, changed: cropped or extended to the asked shape, relit, graded, weathered, restyled, with other
 * pictures set into it and titles in quotes. Without a picture it is a generation. The words are read part by part; each edit is a
 * named change (`edits.ts`), and the slate says which ones were heard.
 */
import { createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { framed } from './edit-frame.ts';
import { cutOut, inserted, titled } from './edit-inserts.ts';
import { restyled } from './edit-style.ts';
import { type EditName, editsIn, grade } from './edits.ts';
import { fineness, paintStill } from './image-generate.ts';
import type { LocalInput, RenderHooks, RenderJob, RenderResult } from './job.ts';
import { palette } from './palette.ts';
import { clamp } from './random.ts';
import { number, seedOf, text } from './request.ts';
import type { Context } from './scene/brush.ts';
import type { FrameSize } from './size.ts';
import { deliver } from './still.ts';
import { first, TIMES } from './words.ts';

const DRAFT = 4;
/** One megapixel where nothing is asked and nothing is given. */
const DEFAULT_PIXELS = 1024 * 1024;
/** The longest side the document names anywhere for images. */
const LONGEST = 3840;
const DEFAULT_STEPS = 20;

export async function renderImageEdit(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const { request } = job;
  const words = text(request, 'prompt') ?? '';
  const inputs = job.inputs.input_image ?? [];
  const size = await sizeOf(job, inputs[0]);
  if (inputs[0] === undefined) {
    const still = paintStill(job, size, number(request, 'num_inference_steps') ?? DEFAULT_STEPS);
    return deliver(job, still.canvas, {
      label: job.label,
      words: still.words,
      accent: still.accent,
      facts: [`${size.width}×${size.height}`, 'no input'],
    });
  }
  const edits = editsIn(words, inputs.length);
  const canvas = await edited(job, inputs, size, edits, hooks);
  const seed = seedOf(request);
  return deliver(job, canvas, {
    label: job.label,
    words: words.charAt(0).toUpperCase() + words.slice(1),
    accent: palette(first(TIMES, words) ?? 'golden', seed).accent,
    facts: [
      `${size.width}×${size.height}`,
      `${inputs.length} input${inputs.length === 1 ? '' : 's'}`,
      edits.size === 0 ? 'no edit heard' : [...edits].join(' + '),
    ],
  });
}

async function edited(
  job: RenderJob,
  inputs: readonly LocalInput[],
  size: FrameSize,
  edits: ReadonlySet<EditName>,
  hooks: RenderHooks,
) {
  const words = text(job.request, 'prompt') ?? '';
  const seed = seedOf(job.request);
  const base = await framed(plateOf(inputs[0]), size, edits);
  hooks.progress(0.3);
  const styled = await restyled(base, size, edits, edits.has('style') && inputs[1] ? plateOf(inputs[1]) : null);
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  context.putImageData(imageOf(styled, size), 0, 0);
  hooks.progress(0.5);
  grade(context, size, { words, seed, edits });
  heldBack(context, base, size, number(job.request, 'guidance'));
  softenedBySteps(context, size, number(job.request, 'num_inference_steps'));
  const others = inputs.slice(edits.has('style') ? 2 : 1).map(plateOf);
  await inserted(context, size, others, { seed, from: edits.has('style') ? 3 : 2 });
  titled(context, size, words);
  if (edits.has('cut out')) await cutOut(context, size);
  hooks.progress(0.8);
  return canvas;
}

const imageOf = (pixels: Buffer, { width, height }: FrameSize) =>
  new ImageData(new Uint8ClampedArray(pixels), width, height);

/** `guidance` says how far the words are followed: from 2 on altogether, at 0 half of the picture as it was shows through. */
function heldBack(context: Context, original: Buffer, size: FrameSize, guidance = 2): void {
  const kept = 0.5 - clamp(guidance / 4, 0, 0.5);
  if (kept === 0) return;
  const before = createCanvas(size.width, size.height);
  before.getContext('2d').putImageData(imageOf(original, size), 0, 0);
  context.save();
  context.globalAlpha = kept;
  context.drawImage(before, 0, 0);
  context.restore();
}

/** Few steps leave it soft, as when a picture is generated. */
function softenedBySteps(context: Context, { width, height }: FrameSize, steps = DEFAULT_STEPS): void {
  const fine = fineness(steps);
  if (fine === 1) return;
  const small = createCanvas(Math.max(16, Math.round(width * fine)), Math.max(16, Math.round(height * fine)));
  small.getContext('2d').drawImage(context.canvas, 0, 0, small.width, small.height);
  context.save();
  context.imageSmoothingQuality = 'high';
  context.drawImage(small, 0, 0, width, height);
  context.restore();
}

/** An edit works on the picture without its slate, where this studio made it. */
const plateOf = (input: LocalInput | undefined): string => {
  if (!input) throw new Error('an edit was asked for without a picture');
  return input.cleanPlate ?? input.path;
};

/** `2 MP`, `1K`, `2K`, `4K` as an area; the shape from `aspect_ratio`, else from the picture. Multiples of 8, as hosted models do. */
async function sizeOf({ request, speed }: RenderJob, input: LocalInput | undefined): Promise<FrameSize> {
  const own = input ? await sizeOfFile(plateOf(input)) : null;
  const [across = 1, down = 1] =
    text(request, 'aspect_ratio')?.split(':').map(Number) ?? (own ? [own.width, own.height] : [1, 1]);
  const shape = across > 0 && down > 0 ? across / down : 1;
  const label = text(request, 'resolution');
  const pixels =
    areaOf(label) ?? (own && text(request, 'aspect_ratio') === undefined ? own.width * own.height : DEFAULT_PIXELS);
  const step = 8;
  const scale = speed === 'draft' ? 1 / DRAFT : 1;
  if (own && label === undefined && text(request, 'aspect_ratio') === undefined)
    return { width: Math.round(own.width * scale), height: Math.round(own.height * scale) };
  const width = Math.sqrt(pixels * shape);
  const fit = Math.min(1, LONGEST / Math.max(width, width / shape)) * scale;
  const rounded = (length: number) => Math.max(step, Math.round((length * fit) / step) * step);
  return { width: rounded(width), height: rounded(width / shape) };
}

function areaOf(label: string | undefined): number | undefined {
  const megapixels = /([\d.]+)\s*MP/i.exec(label ?? '')?.[1];
  if (megapixels !== undefined) return Math.max(0.05, Math.min(16, Number(megapixels))) * 1e6;
  switch (label?.toUpperCase()) {
    case '1K':
      return 1024 * 1024;
    case '2K':
      return 2048 * 1152;
    case '4K':
      return 3840 * 2160;
    default:
      return undefined;
  }
}

async function sizeOfFile(file: string): Promise<FrameSize> {
  const { autoOrient } = await sharp(file).metadata();
  return { width: autoOrient.width, height: autoOrient.height };
}
