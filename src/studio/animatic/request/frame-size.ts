/** How many pixels a request means. Sizes are even, because H.264 in 4:2:0 has no odd ones. */

import { shapeOf } from '../../../model/media/media.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { type RenderJob, RenderRefusal } from '../job.ts';
import { factsOf } from './film-length.ts';
import { text } from './request-fields.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** A draft has a quarter of the pixels on each side: 540p becomes 136, 1080p 270. */
const DRAFT = 4;

/** `16:9` at `540p` → 960x540; `9:16` → 540x960: the label is the short side. */
export function frameSize(ratio: string, label: string, speed: RenderJob['speed']): FrameSize {
  const [across = 0, down = 0] = ratio.split(':').map(Number);
  if (!(across > 0 && down > 0))
    throw new RenderRefusal(`aspect_ratio "${ratio}" is no ratio of two numbers: write 16:9`);
  return sized(across / down, label, speed);
}

/** The asked ratio; none where it is left to the model (`auto`, `adaptive`). */
export function ratioOf(request: JsonObject): string | undefined {
  const ratio = text(request, 'aspect_ratio');
  return ratio === 'auto' || ratio === 'adaptive' ? undefined : ratio;
}

/** The ratio of a picture, at a label's short side. */
export function sameRatio(picture: FrameSize, label: string, speed: RenderJob['speed']): FrameSize {
  return sized(shapeOf(picture), label, speed);
}

/** Beyond this nothing is drawn, whatever the document leaves open: 4K, also at 21:9, and strips. */
const MOST_LINES = 2160;
const MOST_PIXELS = 12e6;
const STEEPEST = 10;

function sized(ratio: number, label: string, speed: RenderJob['speed']): FrameSize {
  const asked = linesOf(label);
  const steep = Math.max(ratio, 1 / ratio);
  if (steep > STEEPEST) {
    throw new RenderRefusal(
      `a picture more than ${STEEPEST} times as long as its other side is not drawn: choose a shape between ${STEEPEST}:1 and 1:${STEEPEST}`,
    );
  }
  if (asked > MOST_LINES || asked * asked * steep > MOST_PIXELS)
    throw new RenderRefusal(`resolution "${label}" is more than the studio draws of this shape: ask for less`);
  const short = even(speed === 'draft' ? asked / DRAFT : asked);
  return ratio >= 1 ? { width: even(short * ratio), height: short } : { width: short, height: even(short / ratio) };
}

/** `540p`, `540P`, `1024`; `2K` and `4K` as they are meant. */
function linesOf(label: string): number {
  const [, digits = '', unit = ''] = /^\s*(\d{1,5})\s*(p|k)?\s*$/i.exec(label) ?? [];
  const lines = unit.toLowerCase() === 'k' ? ({ 2: 1440, 4: 2160 }[digits] ?? 0) : Number(digits);
  // A label such as "8K" is known, and too much; "high" is no number at all.
  if (lines === 0 && unit.toLowerCase() === 'k' && Number(digits) > 4) return Number.POSITIVE_INFINITY;
  if (lines < 16) throw new RenderRefusal(`resolution "${label}" is no number of lines: write 540p, 720p or 1080p`);
  return lines;
}

export const even = (pixels: number): number => Math.max(2, Math.round(pixels / 2) * 2);

/** The largest frame of the picture's own shape inside another one, in the middle of it, on even pixels. */
export function fitInside(
  picture: FrameSize,
  frame: FrameSize,
): FrameSize & { readonly x: number; readonly y: number } {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height);
  const width = Math.min(frame.width, even(picture.width * scale));
  const height = Math.min(frame.height, even(picture.height * scale));
  return {
    width,
    height,
    x: Math.floor((frame.width - width) / 4) * 2,
    y: Math.floor((frame.height - height) / 4) * 2,
  };
}

export const usualResolution = (label: string): string => factsOf(label).resolution ?? '720p';
