/**
 * A glyph of Noto Emoji as a figure on the set. The font draws lines; what they enclose becomes a body in one colour, so that the
 * stage's light has something to fall on, and the lines stay on it as its drawing. Its foot is at 0,0 and it is 1 high.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Canvas, GlobalFonts } from '@napi-rs/canvas';
import { flood } from '../../picture/flood.ts';
import { type Colour, lighter, mix } from '../../prompt/palette.ts';
import { Pen, surface } from '../brush.ts';
import type { Figure } from '../lighting.ts';
import type { Stage } from '../stage.ts';

/** Pixels of the sheet a glyph is drawn on, once. */
const SHEET = 512;
const ROOM = 96;

export function glyph(stage: Stage, emoji: string, paint: Colour): Figure {
  const { body, lines, wide } = drawn(emoji);
  const half = wide / 2;
  return {
    box: { left: -half - 0.06, top: -1.06, right: half + 0.06, bottom: 0.06 },
    stride: 0,
    rigid: true,
    draw(context) {
      const { palette } = stage;
      const sheet = tinted(body, [lighter(mix(paint, palette.light, 0.22), 0.06), lighter(paint, -0.1)]);
      const pixels = Math.abs(context.getTransform().a);
      context.drawImage(halved(sheet, pixels), -half, -1, wide, 1);
      const ink = mix(lighter(paint, -0.32), palette.near, 0.4);
      context.globalAlpha = 0.82;
      context.drawImage(halved(tinted(lines, [ink, ink]), pixels), -half, -1, wide, 1);
      context.globalAlpha = 1;
    },
  };
}

interface Drawn {
  readonly body: Canvas;
  readonly lines: Canvas;
  /** How wide it is beside its height. */
  readonly wide: number;
}
const sheets = new Map<string, Drawn>();

function drawn(emoji: string): Drawn {
  const known = sheets.get(emoji);
  if (known) return known;
  const { canvas, context } = surface(SHEET + 2 * ROOM, SHEET + 2 * ROOM);
  context.font = `${SHEET}px "${fontOf(emoji)}"`;
  context.textBaseline = 'alphabetic';
  const size = context.measureText(emoji);
  const [left, up] = [size.actualBoundingBoxLeft, size.actualBoundingBoxAscent];
  const [width, height] = [left + size.actualBoundingBoxRight, up + size.actualBoundingBoxDescent];
  const scale = SHEET / Math.max(width, height, 1);
  context.translate(ROOM, ROOM);
  context.scale(scale, scale);
  context.fillText(emoji, left, up);
  const box = { left: ROOM, top: ROOM, width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const made = { body: cut(filled(canvas), box), lines: cut(canvas, box), wide: width / height };
  sheets.set(emoji, made);
  return made;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function cut(from: Canvas, { left, top, width, height }: Box): Canvas {
  const { canvas, context } = surface(width, height);
  context.drawImage(from, -left, -top);
  return canvas;
}

/** The same shape in a colour that falls from the first to the second. */
function tinted(shape: Canvas, [above, below]: readonly [Colour, Colour]): Canvas {
  const { canvas, context } = surface(shape.width, shape.height);
  context.drawImage(shape, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = new Pen(context).down(0, shape.height, [0, above], [1, below]);
  context.fillRect(0, 0, shape.width, shape.height);
  return canvas;
}

/** Small pictures are made in halves: at one go, only every third or fourth pixel would be looked at. */
function halved(from: Canvas, height: number): Canvas {
  if (from.height < height * 2) return from;
  const { canvas, context } = surface(from.width / 2, from.height / 2);
  context.drawImage(from, 0, 0, canvas.width, canvas.height);
  return halved(canvas, height);
}

/** Everything that cannot be reached from outside without crossing a line. */
function filled(lines: Canvas): Canvas {
  const { width, height } = lines;
  const ink = lines.getContext('2d').getImageData(0, 0, width, height).data;
  const { canvas, context } = surface(width, height);
  const image = context.createImageData(width, height);
  const outside = flood({ width, height }, [0], (_, next) => (ink[next * 4 + 3] ?? 0) <= 110);
  for (let i = 0; i < outside.length; i++) image.data[i * 4 + 3] = outside[i] ? (ink[i * 4 + 3] ?? 0) : 255;
  context.putImageData(image, 0, 0);
  return canvas;
}

const require = createRequire(import.meta.url);
const loaded = new Set<string>();

/** The font comes in slices by Unicode range; only the one that has the glyph is loaded. */
function fontOf(emoji: string): string {
  const folder = path.dirname(require.resolve('@fontsource/noto-emoji/package.json'));
  const slices: Readonly<Record<string, string>> = JSON.parse(readFileSync(path.join(folder, 'unicode.json'), 'utf8'));
  const code = emoji.codePointAt(0) ?? 0;
  const [slice] = Object.entries(slices).find(([, ranges]) => holds(ranges, code)) ?? [];
  if (slice === undefined) throw new Error(`no slice of the font has ${emoji}`);
  const number = slice.replace(/\D/g, '');
  const name = `Studio Glyphs ${number}`;
  if (!loaded.has(name))
    GlobalFonts.registerFromPath(path.join(folder, 'files', `noto-emoji-${number}-400-normal.woff2`), name);
  loaded.add(name);
  return name;
}

const holds = (ranges: string, code: number): boolean =>
  ranges.split(',').some(range => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return code >= Number.parseInt(first, 16) && code <= Number.parseInt(last, 16);
  });
