/** A page of captions, at most two lines: white on a dark plate; the spoken word is dark on a bright one. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Size } from '../../../model/media/cut.ts';
import { type SetText, setText, TYPE } from '../set-text.ts';
import type { CaptionPage } from './caption-pages.ts';
import { darkPlate, WORDS } from './text-plate.ts';

const MARK = '#ffd84a';
const MARKED = '#15120a';

const CAPTION_LINES = 2;

/** Of the frame's width; an upright film is narrow, and may use more of it. */
const wideOf = ({ width, height }: Size): number => width * (height > width ? 0.84 : 0.72);

const scratch = () => createCanvas(8, 8).getContext('2d');

/** Whether a text can be read at once: in two lines, in the size of all captions. */
export function fitsCaption(frame: Size): (text: string) => boolean {
  const context = scratch();
  return text => set(context, text, frame, 1).isWhole;
}

/** @param least share of the size to which a single long word may shrink. */
function set(context: SKRSContext2D, text: string, frame: Size, least: number): SetText {
  const size = Math.min(frame.width, frame.height) * TYPE.captions;
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

const MEASURES = { leading: 1.32, across: 0.6, down: 0.3, corner: 0.26 };

/** Pixels that captions may take, of the frame's height. */
export function captionHeight(frame: Size): number {
  const size = Math.min(frame.width, frame.height) * TYPE.captions;
  return size * (MEASURES.leading * CAPTION_LINES + 2 * MEASURES.down);
}

/** @param marked the place of the spoken word among the page's words. */
export function paintCaption({ text, words }: CaptionPage, frame: Size, marked?: number): Canvas {
  const page = set(scratch(), text, frame, 0.5);
  const { canvas, context, middleOf, baseOf } = darkPlate(page, MEASURES);
  const mark = marked === undefined ? undefined : placeOf(page.lines, words, marked);
  for (const [i, line] of page.lines.entries()) {
    const left = (canvas.width - context.measureText(line).width) / 2;
    context.fillStyle = WORDS;
    context.fillText(line, left, baseOf(i));
    if (mark?.line !== i) continue;
    const word = line.slice(mark.from, mark.to);
    const x = left + context.measureText(line.slice(0, mark.from)).width;
    const wide = context.measureText(word).width;
    const [aside, high] = [page.size * 0.1, page.size * 1.18];
    context.fillStyle = MARK;
    context.beginPath();
    context.roundRect(x - aside, middleOf(i) - high / 2, wide + 2 * aside, high, page.size * 0.2);
    context.fill();
    context.fillStyle = MARKED;
    context.fillText(word, x, baseOf(i));
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
