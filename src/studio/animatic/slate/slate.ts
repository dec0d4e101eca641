/**
 * The text over the picture from which a director can judge it: which shot, how big, which camera, when, the author's words, what was asked.
 * The still part of each shot is set once; a frame adds only the timecode and the playhead. Drawable over any canvas of its size.
 *
 *     const slate = new Slate({ width, height, fps, duration, shots, facts: ['V-T2V-A', '1280×720'], accent });
 *     slate.draw(context, frameNumber, envelope);      // envelope: 0 to 1 along the whole film, from sound-bed.ts, or none
 */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { font, shorten, wrap } from '../../../media/encode/typography.ts';
import { clamp } from '../../shared/random.ts';
import type { CameraMove, ShotSize } from '../../shared/vocabulary.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import { strike } from '../scene/brush.ts';
import { cameraSign, spark } from './signs.ts';

/** What the slate needs to know of a shot. */
export type SlateShot = Pick<Shot, 'start' | 'end' | 'words' | 'added'> & Partial<Pick<Shot, 'size' | 'camera'>>;

export interface SlateOptions {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Seconds. */
  readonly duration: number;
  readonly shots: readonly SlateShot[];
  /** Small print from left to right: label, size, rate, seed. */
  readonly facts: readonly string[];
  /** What the author does not want to see. */
  readonly without?: string;
  readonly accent?: Colour;
  readonly watermark?: boolean;
  /** Darkened bands under the type, for pictures that are bright there. Default: on. */
  readonly shade?: boolean;
}

const SIZE_SIGNS: { readonly [size in ShotSize]: string } = {
  'extreme-wide': 'EWS',
  wide: 'WS',
  medium: 'MS',
  close: 'CU',
  'extreme-close': 'ECU',
};
/** Moves whose name is not the move's own. */
const CAMERA_NAMES: { readonly [move in CameraMove]?: string } = {
  locked: 'LOCKED OFF',
  drift: 'SLOW DRIFT',
  roll: 'DUTCH ROLL',
};
const INK = 'rgba(8,9,14,1)';
const paper = (alpha: number) => `rgba(255,255,255,${alpha})`;

export class Slate {
  readonly #options: SlateOptions;
  /** One unit is a pixel of a picture 720 high. */
  readonly #unit: number;
  readonly #pad: number;
  readonly #accent: Colour;
  readonly #stills = new Map<number, readonly Band[]>();

  constructor(options: SlateOptions) {
    this.#options = options;
    const { width, height } = options;
    this.#unit = (Math.min(width, height) / 720) * (width < height ? 1.06 : 1);
    this.#pad = Math.round(Math.min(width, height) * 0.045);
    this.#accent = options.accent ?? lch(0.8, 0.12, 75);
  }

  draw(context: SKRSContext2D, frame: number, envelope?: Float32Array | null): void {
    const { fps, shots } = this.#options;
    const time = frame / fps;
    const index = Math.max(
      0,
      shots.findLastIndex(shot => time >= shot.start - 1e-6),
    );
    context.save();
    for (const { canvas, top } of this.#still(index)) context.drawImage(canvas, 0, top);
    this.#clock(context, time, shots[index]);
    this.#playhead(context, time, envelope);
    context.restore();
  }

  #clock(context: SKRSContext2D, time: number, shot: SlateShot | undefined): void {
    const { width, fps } = this.#options;
    const unit = this.#unit;
    context.textAlign = 'right';
    context.font = font('mono', 600, 16 * unit);
    context.fillStyle = paper(0.96);
    context.fillText(timecode(time, fps), width - this.#pad, this.#pad + 15 * unit);
    if (!shot) return;
    context.font = font('mono', 500, 11 * unit);
    context.fillStyle = paper(0.6);
    context.fillText(
      `${(time - shot.start).toFixed(2)} / ${(shot.end - shot.start).toFixed(2)} s`,
      width - this.#pad,
      this.#pad + 32 * unit,
    );
  }

  #playhead(context: SKRSContext2D, time: number, envelope: Float32Array | null | undefined): void {
    const { width, duration } = this.#options;
    const unit = this.#unit;
    const left = this.#pad;
    const length = width - this.#pad * 2;
    const y = this.#lineY;
    const head = left + clamp(time / duration) * length;
    const played = css(this.#accent, 0.95);
    if (envelope) {
      const step = Math.max(2, 3.6 * unit);
      const bars = Math.floor(length / step);
      for (let i = 0; i < bars; i++) {
        const x = left + i * step;
        const level = envelope[Math.min(envelope.length - 1, Math.floor(((i + 0.5) / bars) * envelope.length))] ?? 0;
        const tall = Math.max(1.4 * unit, level * 15 * unit);
        context.fillStyle = x <= head ? played : paper(0.34);
        context.fillRect(x, y - tall / 2, Math.max(1, step * 0.52), tall);
      }
    } else {
      context.fillStyle = played;
      context.fillRect(left, y - 1.2 * unit, head - left, 2.4 * unit);
    }
    context.fillStyle = '#fff';
    context.beginPath();
    context.roundRect(head - 1.1 * unit, y - 10 * unit, 2.2 * unit, 20 * unit, 1.1 * unit);
    context.fill();
  }

  get #lineY(): number {
    return this.#options.height - this.#pad;
  }

  #still(index: number): readonly Band[] {
    const made = this.#stills.get(index) ?? bandsOf(this.#set(index));
    this.#stills.set(index, made);
    return made;
  }

  #set(index: number): Canvas {
    const { width, height, shots, shade = true } = this.#options;
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    const shot = shots[index];
    if (shade) this.#bands(context);
    this.#heading(context, index, shot);
    if (shot) this.#caption(context, shot);
    this.#cuts(context, index);
    if (this.#options.watermark)
      watermark(context, width, height, { unit: this.#unit, right: this.#pad, bottom: this.#pad + 22 * this.#unit });
    return canvas;
  }

  #bands(context: SKRSContext2D): void {
    const { width, height } = this.#options;
    const unit = this.#unit;
    const low = Math.min(height * 0.42, 190 * unit);
    const bottom = context.createLinearGradient(0, height - low, 0, height);
    bottom.addColorStop(0, 'rgba(5,6,10,0)');
    bottom.addColorStop(0.5, 'rgba(5,6,10,0.34)');
    bottom.addColorStop(1, 'rgba(5,6,10,0.72)');
    context.fillStyle = bottom;
    context.fillRect(0, height - low, width, low);
    const high = Math.min(height * 0.2, 96 * unit);
    const top = context.createLinearGradient(0, 0, 0, high);
    top.addColorStop(0, 'rgba(5,6,10,0.5)');
    top.addColorStop(1, 'rgba(5,6,10,0)');
    context.fillStyle = top;
    context.fillRect(0, 0, width, high);
  }

  #heading(context: SKRSContext2D, index: number, shot: SlateShot | undefined): void {
    const unit = this.#unit;
    const base = this.#pad + 20 * unit;
    let x = this.#pad;
    const number = String(index + 1).padStart(2, '0');
    context.font = font('display', 700, 27 * unit);
    context.fillStyle = '#fff';
    context.fillText(number, x, base);
    x += context.measureText(number).width + 3 * unit;
    const total = `/${String(this.#options.shots.length).padStart(2, '0')}`;
    context.font = font('display', 500, 16 * unit);
    context.fillStyle = paper(0.55);
    context.fillText(total, x, base);
    x += context.measureText(total).width + 14 * unit;
    if (shot?.size) x = this.#pill(context, SIZE_SIGNS[shot.size], x, base) + 12 * unit;
    if (!shot?.camera) return;
    cameraSign(context, shot.camera, {
      x: x + 11 * unit,
      y: base - 8.5 * unit,
      radius: 10 * unit,
      colour: paper(0.92),
    });
    x += 30 * unit;
    context.font = font('sans', 600, 11.5 * unit);
    context.fillStyle = paper(0.88);
    context.letterSpacing = `${0.6 * unit}px`;
    const name = CAMERA_NAMES[shot.camera] ?? shot.camera.replace('-', ' ').toUpperCase();
    context.fillText(name, x, base - 4.5 * unit);
    context.letterSpacing = '0px';
  }

  /** Returns where it ends. */
  #pill(context: SKRSContext2D, text: string, x: number, base: number): number {
    const unit = this.#unit;
    context.font = font('sans', 700, 12 * unit);
    const width = context.measureText(text).width + 15 * unit;
    context.fillStyle = css(lighter(this.#accent, 0.04));
    context.beginPath();
    context.roundRect(x, base - 19 * unit, width, 21 * unit, 4.5 * unit);
    context.fill();
    context.fillStyle = INK;
    context.fillText(text, x + 7.5 * unit, base - 4.3 * unit);
    return x + width;
  }

  #caption(context: SKRSContext2D, shot: SlateShot): void {
    const { width, height, watermark: marked } = this.#options;
    const unit = this.#unit;
    const room = width - this.#pad * 2 - (marked && width >= height ? 150 * unit : 0);
    const factsY = this.#lineY - 20 * unit;
    this.#facts(context, factsY, room);
    let y = factsY - 22 * unit;
    if (shot.added) {
      context.font = font('sans', 500, 13.5 * unit, shot.added);
      context.fillStyle = css(mix(this.#accent, WHITE, 0.45), 0.9);
      context.fillText(shorten(context, `+ ${shot.added}`, room), this.#pad, y);
      y -= 22 * unit;
    }
    const most = width >= height ? 2 : 4;
    let size = 23 * unit;
    let lines: string[] = [];
    for (; ; size *= 0.93) {
      context.font = font('sans', 600, size, shot.words);
      lines = wrap(context, shot.words, room, most);
      if (!lines.at(-1)?.endsWith('…') || size < 16 * unit) break;
    }
    context.fillStyle = '#fff';
    context.shadowColor = 'rgba(0,0,0,0.55)';
    context.shadowBlur = 7 * unit;
    for (const [i, line] of lines.entries())
      context.fillText(line, this.#pad, y - (lines.length - 1 - i) * size * 1.24);
    context.shadowBlur = 0;
    context.shadowColor = 'transparent';
  }

  #facts(context: SKRSContext2D, y: number, room: number): void {
    const { facts, without } = this.#options;
    const unit = this.#unit;
    const text = facts.join('  ·  ');
    context.font = font('mono', 500, 11 * unit, text + (without ?? ''));
    context.fillStyle = paper(0.62);
    const shown = shorten(context, text, room);
    context.fillText(shown, this.#pad, y);
    if (!without) return;
    const left = this.#pad + context.measureText(shown).width + 16 * unit;
    const space = this.#pad + room - left;
    if (space < 60 * unit) return;
    context.fillStyle = 'rgba(255,140,120,0.85)';
    context.fillText(shorten(context, `not: ${without.replace(/\s+/g, ' ')}`, space), left, y);
  }

  /** The whole film as a line, this shot brighter, a gap at every cut. */
  #cuts(context: SKRSContext2D, index: number): void {
    const { width, duration, shots } = this.#options;
    const unit = this.#unit;
    const length = width - this.#pad * 2;
    for (const [i, shot] of shots.entries()) {
      const from = this.#pad + (shot.start / duration) * length + (i > 0 ? 1.5 * unit : 0);
      const to = this.#pad + (shot.end / duration) * length - (i < shots.length - 1 ? 1.5 * unit : 0);
      context.fillStyle = paper(i === index ? 0.34 : 0.16);
      context.beginPath();
      context.roundRect(from, this.#lineY - 1.2 * unit, Math.max(1, to - from), 2.4 * unit, 1.2 * unit);
      context.fill();
      if (i === 0) continue;
      context.fillStyle = paper(0.75);
      context.fillRect(from - 2.2 * unit, this.#lineY - 7 * unit, 1.4 * unit, 14 * unit);
    }
  }
}

/** The bottom-right mark that `watermark: true` asks for. */
function watermark(
  context: SKRSContext2D,
  width: number,
  height: number,
  {
    unit = Math.min(width, height) / 720,
    right = 32 * unit,
    bottom = 32 * unit,
  }: { readonly unit?: number; readonly right?: number; readonly bottom?: number } = {},
): void {
  const text = 'AI generated';
  context.save();
  context.textAlign = 'left';
  context.font = font('sans', 600, 14 * unit);
  const wide = context.measureText(text).width + 34 * unit;
  const tall = 27 * unit;
  const x = width - right - wide;
  const y = height - bottom - tall;
  context.fillStyle = 'rgba(10,11,16,0.5)';
  context.strokeStyle = paper(0.5);
  context.lineWidth = unit;
  context.beginPath();
  context.roundRect(x, y, wide, tall, tall / 2);
  context.fill();
  context.stroke();
  context.fillStyle = paper(0.94);
  context.fillText(text, x + 24 * unit, y + 18.4 * unit);
  spark(context, x + 14 * unit, y + tall / 2, 6 * unit);
  context.restore();
}

/** `00:00:02:05`: hours, minutes, seconds, frames. */
export function timecode(time: number, fps: number): string {
  const rate = Math.round(fps);
  const frames = Math.round(time * fps);
  const seconds = Math.floor(frames / rate);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frames % rate]
    .map(n => String(n).padStart(2, '0'))
    .join(':');
}

interface Band {
  readonly canvas: Canvas;
  readonly top: number;
}

/** Parts of the height that type may lie on: the middle of the picture is free. */
const BANDS = [
  [0, 0.25],
  [0.5, 1],
] as const;

/** A slate without its free middle: less to hold, and less to draw each time. The whole is gone then. */
function bandsOf(whole: Canvas): readonly Band[] {
  const bands = BANDS.map(([from, to]): Band => {
    const [top, bottom] = [Math.floor(whole.height * from), Math.ceil(whole.height * to)];
    const canvas = createCanvas(whole.width, bottom - top);
    const context = canvas.getContext('2d');
    context.drawImage(whole, 0, -top);
    // Painting is recorded and done when it is read; after this, nothing needs the whole any more.
    context.getImageData(0, 0, 1, 1);
    return { canvas, top };
  });
  strike(whole);
  return bands;
}
