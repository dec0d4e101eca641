/** The dark plate that words stand on over a picture: it lets the picture through, and they are read on snow and at night. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { even } from '../kit.ts';
import type { SetText } from '../set-text.ts';

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
