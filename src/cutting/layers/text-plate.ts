/** A few words over a picture: on a dark plate that lets it through, so that they are read on snow and at night. */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { CutPlace, Size } from '../../domain/cut.ts';
import { even } from '../kit.ts';
import { setText } from '../set-text.ts';
import { alignmentOf } from './places.ts';

export const PLATE = 'rgba(9,10,13,0.62)';
const WORDS = '#ffffff';

/** The share of the frame's width that words over a picture may take, and their lines. */
const WIDE = 0.62;
const MOST_LINES = 5;

export function paintText(text: string, place: CutPlace, { width, height }: Size): Canvas {
  const unit = Math.min(width, height) / 100;
  const size = 4.2 * unit;
  const scratch = createCanvas(8, 8).getContext('2d');
  const measure = {
    family: 'sans',
    weight: 600,
    size,
    least: size * 0.6,
    width: width * WIDE,
    lines: MOST_LINES,
  } as const;
  const set = setText(scratch, text.trim(), measure);
  const leading = set.size * 1.34;
  const [across, down] = [set.size * 0.62, set.size * 0.36];
  const canvas = createCanvas(
    Math.max(2, even(set.width + 2 * across + 1)),
    Math.max(2, even(set.lines.length * leading + 2 * down + 1)),
  );
  const context = canvas.getContext('2d');
  context.fillStyle = PLATE;
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, set.size * 0.28);
  context.fill();
  context.font = set.font;
  context.fillStyle = WORDS;
  const align = alignmentOf(place);
  context.textAlign = align;
  const x = { left: across, center: canvas.width / 2, right: canvas.width - across }[align];
  for (const [i, line] of set.lines.entries()) context.fillText(line, x, down + leading * (i + 0.5) + set.size * 0.355);
  return canvas;
}
