/** A few words over a picture, on a dark plate. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { CutPlace, Size } from '../../../model/media/cut.ts';
import { even } from '../kit.ts';
import { type SetText, setText, TYPE } from '../set-text.ts';
import { alignmentOf } from './places.ts';

const MEASURES = { leading: 1.34, across: 0.62, down: 0.36, corner: 0.28 };

/** The share of the frame's width that words over a picture may take, and their lines; an upright film is narrow. */
const wideOf = ({ width, height }: Size): number => width * (height > width ? 0.8 : 0.62);
const MAX_LINES = 5;

export function paintText(text: string, place: CutPlace, frame: Size): Canvas {
  const size = Math.min(frame.width, frame.height) * TYPE.words;
  const scratch = createCanvas(8, 8).getContext('2d');
  const measure = {
    family: 'sans',
    weight: 600,
    size,
    least: size * 0.6,
    width: wideOf(frame),
    lines: MAX_LINES,
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

// The dark plate that words stand on over a picture: it lets the picture through, and they are read on snow and at night.

/** In sizes of the type. */
interface PlateMeasures {
  /** From one line to the next. */
  readonly leading: number;
  /** From the words to the plate's sides, and to its top and bottom. */
  readonly across: number;
  readonly down: number;
  readonly corner: number;
}

interface DarkPlate {
  readonly canvas: Canvas;
  /** In the words' font and colour. */
  readonly context: SKRSContext2D;
  /** Pixels from the plate's top to the middle of a line, counted from 0, and to the line that its letters stand on. */
  middleOf(line: number): number;
  baseOf(line: number): number;
}

export const WORDS = '#ffffff';
const PLATE = 'rgba(9,10,13,0.62)';
/** Of the size: half of a capital's height. */
const HALF_CAPITAL = 0.355;

/** Just as large as the words need. */
export function darkPlate(text: SetText, { leading, across, down, corner }: PlateMeasures): DarkPlate {
  const { size } = text;
  const canvas = createCanvas(
    Math.max(2, even(text.width + 2 * size * across + 1)),
    Math.max(2, even(text.lines.length * size * leading + 2 * size * down + 1)),
  );
  const context = canvas.getContext('2d');
  context.fillStyle = PLATE;
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, size * corner);
  context.fill();
  context.font = text.font;
  context.fillStyle = WORDS;
  const middleOf = (line: number) => size * down + size * leading * (line + 0.5);
  return { canvas, context, middleOf, baseOf: line => middleOf(line) + size * HALF_CAPITAL };
}
