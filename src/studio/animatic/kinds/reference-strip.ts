/** Guide pictures as numbered thumbnails under the timecode: which were given, in which order. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { font } from '../../../media/typography.ts';
import type { LocalInput } from '../job.ts';
import { type Photograph, photograph } from '../picture/photograph.ts';
import { even, type FrameSize } from '../request/frame-size.ts';

interface ReferenceStrip {
  readonly count: number;
  draw(context: SKRSContext2D): void;
}

/** More than this are only counted. */
const MOST = 5;

export async function referenceStrip(
  references: readonly LocalInput[],
  { width, height }: FrameSize,
): Promise<ReferenceStrip> {
  const unit = Math.min(width, height) / 720;
  const side = even(66 * unit);
  const shown = references.slice(0, MOST);
  const thumbnails = await Promise.all(
    shown.map(reference => photograph(reference.cleanPlate ?? reference.path, { width: side, height: side })),
  );
  return { count: references.length, draw: context => draw(context, thumbnails, { width, height }, { unit, side }) };
}

function draw(
  context: SKRSContext2D,
  thumbnails: readonly Photograph[],
  { width, height }: FrameSize,
  { unit, side }: { unit: number; side: number },
): void {
  const pad = Math.min(width, height) * 0.045;
  const step = side + 8 * unit;
  const top = pad + 46 * unit;
  for (const [i, { canvas }] of thumbnails.entries()) {
    const left = width - pad - (thumbnails.length - i) * step + 8 * unit;
    context.save();
    context.shadowColor = 'rgba(0,0,0,0.45)';
    context.shadowBlur = 10 * unit;
    context.fillStyle = '#0a0b10';
    context.beginPath();
    context.roundRect(left, top, side, side, 6 * unit);
    context.fill();
    context.shadowBlur = 0;
    context.clip();
    context.drawImage(canvas, left, top);
    context.fillStyle = 'rgba(8,9,14,0.62)';
    context.fillRect(left, top + side - 18 * unit, 24 * unit, 18 * unit);
    context.fillStyle = '#fff';
    context.font = font('mono', 600, 12 * unit);
    context.fillText(`@${i + 1}`, left + 4 * unit, top + side - 5 * unit);
    context.restore();
    context.strokeStyle = 'rgba(255,255,255,0.8)';
    context.lineWidth = 1.2 * unit;
    context.beginPath();
    context.roundRect(left, top, side, side, 6 * unit);
    context.stroke();
  }
}
