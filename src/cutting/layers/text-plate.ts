/** A few words over a picture, on a dark plate. */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { CutPlace, Size } from '../../domain/cut.ts';
import { setText, TYPE } from '../set-text.ts';
import { darkPlate } from './dark-plate.ts';
import { alignmentOf } from './places.ts';

const MEASURES = { leading: 1.34, across: 0.62, down: 0.36, corner: 0.28 };

/** The share of the frame's width that words over a picture may take, and their lines; an upright film is narrow. */
const wideOf = ({ width, height }: Size): number => width * (height > width ? 0.8 : 0.62);
const MOST_LINES = 5;

export function paintText(text: string, place: CutPlace, frame: Size): Canvas {
  const size = Math.min(frame.width, frame.height) * TYPE.words;
  const scratch = createCanvas(8, 8).getContext('2d');
  const measure = {
    family: 'sans',
    weight: 600,
    size,
    least: size * 0.6,
    width: wideOf(frame),
    lines: MOST_LINES,
  } as const;
  const set = setText(scratch, text.trim(), measure);
  const { canvas, context, baseOf } = darkPlate(set, MEASURES);
  const align = alignmentOf(place);
  context.textAlign = align;
  const across = set.size * MEASURES.across;
  const x = { left: across, center: canvas.width / 2, right: canvas.width - across }[align];
  for (const [i, line] of set.lines.entries()) context.fillText(line, x, baseOf(i));
  return canvas;
}
