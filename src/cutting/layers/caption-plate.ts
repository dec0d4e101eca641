/** A page of captions, at most two lines: white on a dark plate; the word that is spoken stands dark on a bright one. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Size } from '../../domain/cut.ts';
import { even } from '../kit.ts';
import { type SetText, setText } from '../set-text.ts';
import type { CaptionPage } from './caption-pages.ts';
import { PLATE } from './text-plate.ts';

const WORDS = '#ffffff';
const MARK = '#ffd84a';
const MARKED = '#15120a';

export const CAPTION_LINES = 2;

/** Of the frame's width; an upright film is narrow, and may use more of it. */
const wideOf = ({ width, height }: Size): number => width * (height > width ? 0.84 : 0.72);

/** Of the frame's shorter side. */
const SIZE = 0.05;

const scratch = () => createCanvas(8, 8).getContext('2d');

/** Whether a text can be read at once: in two lines, in the size of all captions. */
export function fitsCaption(frame: Size): (text: string) => boolean {
  const context = scratch();
  return text => set(context, text, frame, 1).isWhole;
}

/** @param least share of the size to which a single long word may shrink. */
function set(context: SKRSContext2D, text: string, frame: Size, least: number): SetText {
  const size = Math.min(frame.width, frame.height) * SIZE;
  const width = wideOf(frame);
  return setText(context, text, {
    family: 'sans',
    weight: 600,
    size,
    least: size * least,
    width,
    lines: CAPTION_LINES,
  });
}

const leadingOf = (size: number): number => size * 1.32;
const edgesOf = (size: number) => ({ across: size * 0.6, down: size * 0.3 });

/** Pixels that captions may take, of the frame's height. */
export function captionHeight(frame: Size): number {
  const size = Math.min(frame.width, frame.height) * SIZE;
  return leadingOf(size) * CAPTION_LINES + 2 * edgesOf(size).down;
}

/** @param marked the place of the spoken word among the page's words. */
export function paintCaption({ text, words }: CaptionPage, frame: Size, marked?: number): Canvas {
  const page = set(scratch(), text, frame, 0.5);
  const leading = leadingOf(page.size);
  const { across, down } = edgesOf(page.size);
  const canvas = createCanvas(
    Math.max(2, even(page.width + 2 * across + 1)),
    Math.max(2, even(page.lines.length * leading + 2 * down + 1)),
  );
  const context = canvas.getContext('2d');
  context.fillStyle = PLATE;
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, page.size * 0.26);
  context.fill();
  context.font = page.font;
  const mark = marked === undefined ? undefined : placeOf(page.lines, words, marked);
  for (const [i, line] of page.lines.entries()) {
    const left = (canvas.width - context.measureText(line).width) / 2;
    const base = down + leading * (i + 0.5) + page.size * 0.355;
    context.fillStyle = WORDS;
    context.fillText(line, left, base);
    if (mark?.line !== i) continue;
    const word = line.slice(mark.from, mark.to);
    const x = left + context.measureText(line.slice(0, mark.from)).width;
    const wide = context.measureText(word).width;
    const [aside, high] = [page.size * 0.1, page.size * 1.18];
    context.fillStyle = MARK;
    context.beginPath();
    context.roundRect(x - aside, down + leading * (i + 0.5) - high / 2, wide + 2 * aside, high, page.size * 0.2);
    context.fill();
    context.fillStyle = MARKED;
    context.fillText(word, x, base);
  }
  return canvas;
}

interface PlaceInLine {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Lines are the words in their order, so each word is looked for after the one before it. */
function placeOf(lines: readonly string[], words: CaptionPage['words'], marked: number): PlaceInLine | undefined {
  let [line, at] = [0, 0];
  for (const [i, { text }] of words.entries()) {
    const isIn = (from: number) => lines[from]?.indexOf(text, from === line ? at : 0) ?? -1;
    const found = lines.findIndex((_, from) => from >= line && isIn(from) >= 0);
    if (found < 0) continue;
    const from = isIn(found);
    [line, at] = [found, from + text.length];
    if (i === marked) return { line, from, to: at };
  }
  return undefined;
}
