/** What generated and edited stills share: their size, their file, and a slate small enough to leave the picture alone. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { withStillPlate } from '../../../media/encode/clean-plate.ts';
import { font, shorten } from '../../../media/encode/typography.ts';
import { type RenderJob, RenderRefusal, type RenderResult } from '../job.ts';
import { type Colour, css, lighter } from '../prompt/palette.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { text } from '../request/request-fields.ts';
import type { Box } from '../scene/scene.ts';
import { subjectNote } from './attention.ts';

type StillFormat = 'webp' | 'jpg' | 'png';

/** Writes the picture with its slate, in the asked format, and without it. One with holes in it carries none. */
export async function deliver(
  job: RenderJob,
  plate: Canvas,
  { subject, ...slate }: StillSlate & { readonly subject: Box | undefined },
): Promise<RenderResult> {
  const format = formatOf(job);
  const slated = createCanvas(plate.width, plate.height);
  const context = slated.getContext('2d');
  context.drawImage(plate, 0, 0);
  // A slate would be a stain on what is to be laid over something else.
  const isSlated = format === 'jpg' || !seenThrough(plate);
  if (isSlated) drawStillSlate(context, plate.width, plate.height, slate);
  const shown = await encoded(slated, format, qualityOf(job));
  const result = isSlated ? withStillPlate(shown, await encoded(plate, format, qualityOf(job), subject)) : shown;
  await writeFile(path.join(job.folder, `result.${format}`), result);
  // For what is drawn from it here, without what the format loses.
  await writeFile(path.join(job.folder, 'clean.png'), await encoded(plate, 'png', 100, subject));
  return {
    file: `result.${format}`,
    cleanPlate: 'clean.png',
    facts: { kind: 'image', format, width: plate.width, height: plate.height },
  };
}

/** Whether anything lies behind a part of it. */
function seenThrough(plate: Canvas): boolean {
  const { width, height } = plate;
  const { data } = plate.getContext('2d').getImageData(0, 0, width, height);
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 255) < 250) return true;
  return false;
}

/** @throws {RenderRefusal} for a format that is not written here. */
export function formatOf({ request }: Pick<RenderJob, 'request'>): StillFormat {
  const asked = text(request, 'output_format')?.toLowerCase() ?? 'webp';
  if (asked === 'jpeg') return 'jpg';
  if (asked === 'png' || asked === 'jpg' || asked === 'webp') return asked;
  throw new RenderRefusal(`output_format "${asked}" is none that is written here: write png, jpg or webp`);
}

const QUALITY = 82;

/** 1 to 100: as asked in numbers, else as the tier keeps it. */
function qualityOf(job: RenderJob): number {
  const { output_quality: asked, quality } = job.request;
  if (typeof asked === 'number') return Math.max(1, Math.min(100, Math.round(asked)));
  return quality === undefined ? QUALITY : TIERS[tierOf(job)].kept;
}

/** @param subject noted in the file, so that a later cut to another shape keeps it. */
async function encoded(canvas: Canvas, format: StillFormat, quality: number, subject?: Box): Promise<Buffer> {
  const { width, height } = canvas;
  // Not `canvas.data()`: its colours are multiplied by their alpha, and soft edges would come out dark.
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const plain = sharp(Buffer.from(data.buffer), { raw: { width, height, channels: 4 } });
  const picture = subject ? plain.withExif({ IFD0: { ImageDescription: subjectNote(subject) } }) : plain;
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 6 }).toBuffer();
    case 'jpg':
      return picture.flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
    case 'webp':
      return picture.webp({ quality, effort: 3 }).toBuffer();
  }
}

interface StillSlate {
  /** `I-GEN-A`. */
  readonly label: string;
  readonly words: string;
  readonly facts: readonly string[];
  readonly accent: Colour;
}

/** One strip along the lower edge: faces live above it. */
function drawStillSlate(
  context: ReturnType<Canvas['getContext']>,
  width: number,
  height: number,
  { label, words, facts, accent }: StillSlate,
): void {
  const unit = Math.min(width, height) / 1024;
  const pad = 26 * unit;
  const strip = 92 * unit;
  context.save();
  const shade = context.createLinearGradient(0, height - strip * 1.5, 0, height);
  shade.addColorStop(0, 'rgba(5,6,10,0)');
  shade.addColorStop(1, 'rgba(5,6,10,0.72)');
  context.fillStyle = shade;
  context.fillRect(0, height - strip * 1.5, width, strip * 1.5);
  context.font = font('sans', 700, 13 * unit);
  const wide = context.measureText(label).width + 16 * unit;
  const base = height - pad;
  context.fillStyle = css(lighter(accent, 0.04));
  context.beginPath();
  context.roundRect(pad, base - 17 * unit, wide, 22 * unit, 4.5 * unit);
  context.fill();
  context.fillStyle = 'rgb(8,9,14)';
  context.fillText(label, pad + 8 * unit, base - 1.2 * unit);
  const small = facts.join('  ·  ');
  context.font = font('mono', 500, 12.5 * unit, small);
  context.fillStyle = 'rgba(255,255,255,0.62)';
  context.fillText(
    shorten(context, small, width - pad * 2 - wide - 14 * unit),
    pad + wide + 14 * unit,
    base - 1.5 * unit,
  );
  context.font = font('sans', 600, 19 * unit, words);
  context.fillStyle = '#fff';
  context.shadowColor = 'rgba(0,0,0,0.6)';
  context.shadowBlur = 6 * unit;
  context.fillText(shorten(context, words, width - pad * 2), pad, base - 30 * unit);
  context.restore();
}

/**
 * What `quality` buys: the picture is worked on at a part, or a multiple, of its size, and kept with more or less of itself.
 * "five tiers from low through xhigh and max".
 */
const TIERS = {
  low: { work: 0.4, kept: 60 },
  medium: { work: 0.65, kept: 74 },
  high: { work: 1, kept: 84 },
  xhigh: { work: 1.25, kept: 92 },
  max: { work: 1.5, kept: 98 },
} as const satisfies { readonly [tier: string]: { readonly work: number; readonly kept: number } };
type Tier = keyof typeof TIERS;

/** The document does not show the exact words: what is not one of these is drawn as `high`, and the slate shows it. */
export function tierOf({ request }: Pick<RenderJob, 'request'>): Tier {
  const asked = text(request, 'quality')?.toLowerCase() ?? 'high';
  return Object.hasOwn(TIERS, asked) ? (asked as Tier) : 'high';
}

/** For the slate; nothing where nothing was asked. */
export function qualityFact(job: Pick<RenderJob, 'request'>): string | undefined {
  const asked = text(job.request, 'quality');
  if (asked === undefined) return undefined;
  const tier = tierOf(job);
  return asked.toLowerCase() === tier ? `quality ${tier}` : `quality ${asked} as ${tier}`;
}

/** Pixels worked on at most, or a 4K picture at its best would take a gigabyte. */
const MOST_WORK = 12e6;

export function workSize({ width, height }: FrameSize, tier: Tier): FrameSize {
  const most = Math.max(1, Math.sqrt(MOST_WORK / (width * height)));
  const work = Math.min(TIERS[tier].work, most);
  return { width: Math.max(16, Math.round(width * work)), height: Math.max(16, Math.round(height * work)) };
}

/** From the size it was worked on to the size that was asked. */
export function scaledTo(canvas: Canvas, { width, height }: FrameSize): Canvas {
  if (canvas.width === width && canvas.height === height) return canvas;
  const whole = createCanvas(width, height);
  const context = whole.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, width, height);
  return whole;
}
