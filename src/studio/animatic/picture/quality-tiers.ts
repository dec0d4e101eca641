/** What `quality` buys: the picture is worked on at a part, or a multiple, of its size, and kept with more or less of itself. */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { RenderJob } from '../job.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { text } from '../request/request-fields.ts';

/** "five tiers from low through xhigh and max". */
export const TIERS = {
  low: { work: 0.4, kept: 60 },
  medium: { work: 0.65, kept: 74 },
  high: { work: 1, kept: 84 },
  xhigh: { work: 1.25, kept: 92 },
  max: { work: 1.5, kept: 98 },
} as const satisfies { readonly [tier: string]: { readonly work: number; readonly kept: number } };
type Tier = keyof typeof TIERS;

/** The document does not show the exact words: what is not one of these is drawn as `high`, and the slate says so. */
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
