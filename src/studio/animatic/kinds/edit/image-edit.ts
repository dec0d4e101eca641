/**
 * A picture and words → that picture, changed: cropped or extended to the asked shape, relit, graded, weathered, restyled, with other
 * pictures set into it and titles in quotes. Without a picture it is a generation. The words are read part by part; each edit is a
 * named change (`edits.ts`), and the slate lists those that were found.
 */

import { createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { clamp } from '../../../shared/random.ts';
import { first, TIMES } from '../../../shared/vocabulary.ts';
import { type LocalInput, type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from '../../job.ts';
import { cutTo, extendedTo, openPicture } from '../../picture/photograph.ts';
import { deliver, formatOf, qualityFact, scaledTo, tierOf, workSize } from '../../picture/still-file.ts';
import { palette } from '../../prompt/palette.ts';
import { readPrompt } from '../../prompt/read-prompt.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import { number, seedOf, text } from '../../request/request-fields.ts';
import type { Context } from '../../scene/brush.ts';
import { Scene } from '../../scene/scene.ts';
import { fineness, MOMENT, paintStill } from '../image-generate.ts';
import { drawTitle, fadeToOval, insertPictures, removeBackground } from './edit-inserts.ts';
import { editSize } from './edit-size.ts';
import { type EditName, editsIn, grade, restyled } from './edits.ts';

const DEFAULT_STEPS = 20;

export async function renderImageEdit(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const background = backgroundOf(job);
  const inputs = job.inputs.input_image ?? [];
  const size = await editSize(job, inputs[0]);
  const work = workSize(size, tierOf(job));
  const { canvas, words, accent, said, subject } =
    inputs[0] === undefined ? generated(job, work, background) : await changed(job, inputs, work, background, hooks);
  hooks.progress(0.8);
  const picture = scaledTo(canvas, size);
  if (background === 'opaque') behind(picture.getContext('2d'), size);
  const result = await deliver(job, picture, {
    label: job.label,
    words,
    accent,
    subject,
    facts: [`${size.width}×${size.height}`, ...said, ...noted(job, background)],
  });
  hooks.progress(1);
  return result;
}

type Background = 'auto' | 'opaque' | 'transparent';

/** The document shows `auto` and mentions transparent ones. */
function backgroundOf(job: RenderJob): Background {
  const asked = text(job.request, 'background')?.toLowerCase() ?? 'auto';
  if (asked !== 'auto' && asked !== 'opaque' && asked !== 'transparent')
    throw new RenderRefusal(`background "${asked}" is none that can be drawn: write auto, opaque or transparent`);
  if (asked === 'transparent' && formatOf(job) === 'jpg')
    throw new RenderRefusal('a jpg cannot hold a transparent background: write output_format png or webp');
  return asked;
}

/** Without a picture there is nothing to change: one is painted. */
function generated(job: RenderJob, size: FrameSize, background: Background) {
  const steps = number(job.request, 'num_inference_steps') ?? DEFAULT_STEPS;
  const still =
    background === 'transparent' ? { ...paintSubjects(job, size), subject: undefined } : paintStill(job, size, steps);
  return { ...still, said: ['no input'] };
}

async function changed(
  job: RenderJob,
  inputs: readonly LocalInput[],
  size: FrameSize,
  background: Background,
  hooks: RenderHooks,
) {
  const words = text(job.request, 'prompt') ?? '';
  const requested = editsIn(words, inputs.length);
  const edits = background === 'transparent' ? new Set<EditName>([...requested, 'cut out']) : requested;
  const seed = seedOf(job.request);
  return {
    ...(await edited(job, inputs, size, edits, hooks)),
    words: words.charAt(0).toUpperCase() + words.slice(1),
    accent: palette(first(TIMES, words) ?? 'golden', seed).accent,
    said: [
      `${inputs.length} input${inputs.length === 1 ? '' : 's'}`,
      requested.size === 0 ? 'no edit heard' : [...requested].join(' + '),
    ],
  };
}

/** What was asked beside the words, so that a mistake in the wiring is seen. */
function noted(job: RenderJob, background: Background): string[] {
  const { request } = job;
  const quality = qualityFact(job);
  const moderation = text(request, 'moderation');
  // "the field name contains a vendor word": there is nothing to search here, whatever it is called.
  const search = Object.keys(request).some(field => /^[a-z\d]+_search$/.test(field) && request[field] === true);
  return [
    ...(quality === undefined ? [] : [quality]),
    ...(request.background === undefined ? [] : [`background ${background}`]),
    ...(moderation === undefined ? [] : [`moderation ${moderation}`]),
    ...(search ? ['search noted'] : []),
  ];
}

/** Paper behind whatever is not there. */
function behind(context: Context, { width, height }: FrameSize): void {
  context.save();
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.restore();
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
  const { picture: base, subject } = await framed(plateOf(inputs[0]), size, edits);
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
  await insertPictures(context, size, others, { seed, from: edits.has('style') ? 3 : 2 });
  drawTitle(context, size, words);
  if (edits.has('cut out')) await removeBackground(context, size);
  return { canvas, subject };
}

/** Of the picture's area; more than this is not cropped away. */
const MOST_CROPPED = 0.45;

/** Brought to the asked shape: cropped where it matters least; extended where a crop would take too much, or the words ask for more. */
async function framed(file: string, size: FrameSize, edits: ReadonlySet<EditName>) {
  const whole = await openPicture(file);
  const [shape, own] = [size.width / size.height, whole.width / whole.height];
  const isExtended = edits.has('extended') || 1 - Math.min(shape, own) / Math.max(shape, own) > MOST_CROPPED;
  const { canvas, subject } = isExtended ? await extendedTo(whole, size) : await cutTo(whole, size);
  const { data } = canvas.getContext('2d').getImageData(0, 0, size.width, size.height);
  const picture = Buffer.from(data.buffer);
  if (!edits.has('mirrored')) return { picture, subject };
  const flopped = sharp(picture, { raw: { ...size, channels: 4 } }).flop();
  return {
    picture: await flopped.raw().toBuffer(),
    subject: subject && { ...subject, left: 1 - subject.right, right: 1 - subject.left },
  };
}

const imageOf = (pixels: Buffer, { width, height }: FrameSize) =>
  new ImageData(new Uint8ClampedArray(pixels), width, height);

/** `guidance` is how far the words are followed: from 2 on altogether, at 0 half of the picture as it was shows through. */
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

/** A generated picture whose background is transparent: its subject alone, as the scene would light it, on nothing. */
function paintSubjects({ request }: Pick<RenderJob, 'request'>, { width, height }: FrameSize) {
  const seed = seedOf(request);
  const [shot] = readPrompt(text(request, 'prompt') ?? '', { duration: 1, seed });
  if (!shot) throw new Error('a prompt gave no shot');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const scene = new Scene(shot, { width, height, seed });
  if (!scene.drawCast(context, MOMENT)) {
    // There is no subject to cut out.
    scene.draw(context, MOMENT);
    fadeToOval(context, { width, height });
  }
  scene.strike();
  return { canvas, accent: scene.palette.accent, words: shot.words };
}
