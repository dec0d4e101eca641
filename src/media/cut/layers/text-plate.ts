/** Words over a picture, on dark plates: a few words of the author's, and pages of captions. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { CutPlace, Size } from '../../../model/media/cut.ts';
import { even } from '../cut-context.ts';
import { type SetText, setText, TYPE } from '../set-text.ts';
import type { CaptionPage } from './caption-pages.ts';
import { alignmentOf } from './layer-place.ts';

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

const WORDS = '#ffffff';
const PLATE = 'rgba(9,10,13,0.62)';
/** Of the size: half of a capital's height. */
const HALF_CAPITAL = 0.355;

/** Just as large as the words need. */
function darkPlate(text: SetText, { leading, across, down, corner }: PlateMeasures): DarkPlate {
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

// A page of captions, at most two lines: white on a dark plate; the spoken word is dark on a bright one.

const MARK = '#ffd84a';
const MARKED = '#15120a';

const CAPTION_LINES = 2;

/** Of the frame's width; an upright film is narrow, and may use more of it. */
const captionWidth = ({ width, height }: Size): number => width * (height > width ? 0.84 : 0.72);

const scratch = () => createCanvas(8, 8).getContext('2d');

/** Whether a text can be read at once: in two lines, in the size of all captions. */
export function fitsCaption(frame: Size): (text: string) => boolean {
  const context = scratch();
  return text => set(context, text, frame, 1).isWhole;
}

/** @param least share of the size to which a single long word may shrink. */
function set(context: SKRSContext2D, text: string, frame: Size, least: number): SetText {
  const size = Math.min(frame.width, frame.height) * TYPE.captions;
  const width = captionWidth(frame);
  return setText(context, text, {
    family: 'sans',
    weight: 600,
    size,
    least: size * least,
    width,
    lines: CAPTION_LINES,
  });
}

const CAPTION_MEASURES = { leading: 1.32, across: 0.6, down: 0.3, corner: 0.26 };

/** Pixels that captions may take, of the frame's height. */
export function captionHeight(frame: Size): number {
  const size = Math.min(frame.width, frame.height) * TYPE.captions;
  return size * (CAPTION_MEASURES.leading * CAPTION_LINES + 2 * CAPTION_MEASURES.down);
}

/** @param marked the place of the spoken word among the page's words. */
export function paintCaption({ text, words }: CaptionPage, frame: Size, marked?: number): Canvas {
  const page = set(scratch(), text, frame, 0.5);
  const { canvas, context, middleOf, baseOf } = darkPlate(page, CAPTION_MEASURES);
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
