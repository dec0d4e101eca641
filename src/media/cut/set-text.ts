/** Text set into a measure: as large as asked where it fits, smaller where it does not, its lines of much the same length. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Family, font, shorten, type Weight, wrap } from '../encode/typography.ts';

/** Sizes of type, as parts of the frame's shorter side: what is read first is larger. */
export const TYPE = { title: 0.115, words: 0.06, captions: 0.05, credits: 0.046, below: 0.044 } as const;

interface TextMeasure {
  readonly family: Family;
  readonly weight: Weight;
  /** Pixels: what is wished, and what is still read. */
  readonly size: number;
  readonly least: number;
  readonly width: number;
  readonly lines: number;
}

export interface SetText {
  readonly lines: readonly string[];
  /** Pixels. */
  readonly size: number;
  readonly width: number;
  readonly font: string;
  /** Whether all of it is there; else its last line ends in …. */
  readonly isWhole: boolean;
}

/** Line breaks of the text are kept. */
export function setText(context: SKRSContext2D, text: string, measure: TextMeasure): SetText {
  const { family, weight, least, width, lines: most } = measure;
  for (let size = measure.size; ; size = Math.max(least, size * 0.94)) {
    context.font = font(family, weight, size, text);
    const lines = text.split('\n').flatMap(part => (part.trim() === '' ? [''] : balanced(context, part, width)));
    const widest = widestOf(context, lines);
    const isWhole = lines.length <= most && widest <= width;
    if (isWhole) return { lines, size, width: widest, font: context.font, isWhole };
    if (size > least) continue;
    const kept = lines.slice(0, most).map(line => shorten(context, line, width));
    if (lines.length > most) kept[most - 1] = shorten(context, `${kept[most - 1]}…`, width);
    return { lines: kept, size, width: widestOf(context, kept), font: context.font, isWhole };
  }
}

/** As many lines as the width asks for, and no word alone on the last one where it can be helped. */
function balanced(context: SKRSContext2D, text: string, width: number): readonly string[] {
  const whole = wrap(context, text, width, Number.POSITIVE_INFINITY);
  if (whole.length < 2) return whole;
  let [narrow, wide, best] = [width / 2, width, whole];
  for (let turn = 0; turn < 7; turn++) {
    const middle = (narrow + wide) / 2;
    const tried = wrap(context, text, middle, Number.POSITIVE_INFINITY);
    if (tried.length === whole.length && widestOf(context, tried) <= middle) [wide, best] = [middle, tried];
    else narrow = middle;
  }
  return best;
}

const widestOf = (context: SKRSContext2D, lines: readonly string[]): number =>
  Math.max(0, ...lines.map(line => context.measureText(line).width));
