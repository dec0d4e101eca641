/**
 * A title card: the first line is the title, what follows is smaller, below it; more than a few lines (credits) are all alike.
 * All of it lies inside the part of a picture that every screen shows.
 */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Size } from '../../../model/media/cut.ts';
import { type SetText, setText, TYPE } from '../set-text.ts';

const GROUND = '#0b0c0f';
const WORDS = '#f6f3ec';
const QUIET = 'rgba(246,243,236,0.66)';

/** Shares of the picture's width and height that a title may take. */
const WIDE = 0.8;
const HIGH = 0.76;
/** Lines after the title that still read as what belongs to it. */
const FEW = 4;

interface Block {
  readonly text: SetText;
  readonly leading: number;
  readonly colour: string;
  /** Pixels between this block and the one above. */
  readonly gap: number;
}

export function paintTitle(text: string, { width, height }: Size): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = GROUND;
  context.fillRect(0, 0, width, height);
  const blocks = fitting(context, text.trim(), { width, height });
  const total = blocks.reduce((sum, block) => sum + block.gap + heightOf(block), 0);
  let top = (height - total) / 2;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const block of blocks) {
    top += block.gap;
    context.font = block.text.font;
    context.fillStyle = block.colour;
    for (const [i, line] of block.text.lines.entries()) {
      // The middle of a line of capitals and small letters lies a third of the size above its base.
      const base = top + block.leading * (i + 0.5) + block.text.size * 0.345;
      context.fillText(line, width / 2, base);
    }
    top += heightOf(block);
  }
  return canvas;
}

const heightOf = ({ text, leading }: Block): number => text.lines.length * leading;

/** The largest setting that is not higher than it may be. */
function fitting(context: SKRSContext2D, text: string, size: Size): readonly Block[] {
  for (let scale = 1; ; scale *= 0.92) {
    const blocks = blocksOf(context, text, size, scale);
    const total = blocks.reduce((sum, block) => sum + block.gap + heightOf(block), 0);
    const isWhole = blocks.every(block => block.text.isWhole);
    if ((total <= size.height * HIGH && isWhole) || scale < 0.2) return blocks;
  }
}

function blocksOf(context: SKRSContext2D, text: string, { width, height }: Size, scale: number): readonly Block[] {
  const unit = Math.min(width, height) * scale;
  const measure = { width: width * WIDE, lines: 40 } as const;
  const [title = '', ...rest] = text.split('\n');
  const isCredits = rest.filter(line => line.trim() !== '').length > FEW;
  if (isCredits) {
    const size = TYPE.credits * unit;
    const set = setText(context, text, { ...measure, family: 'sans', weight: 500, size, least: size });
    return [{ text: set, leading: size * 1.6, colour: WORDS, gap: 0 }];
  }
  const large = TYPE.title * unit;
  const set = setText(context, title, {
    ...measure,
    family: 'display',
    weight: 600,
    size: large,
    least: large * 0.45,
    lines: height > width ? 5 : 3,
  });
  const blocks: Block[] = [{ text: set, leading: set.size * 1.14, colour: WORDS, gap: 0 }];
  const below = rest.join('\n').trim();
  if (below === '') return blocks;
  const size = Math.min(TYPE.below * unit, set.size * 0.5);
  const small = setText(context, below, { ...measure, family: 'sans', weight: 400, size, least: size });
  return [...blocks, { text: small, leading: size * 1.5, colour: QUIET, gap: size * 0.7 }];
}
