/** Fur in strokes: which way it lies on a face, where the face ends, what is marked on it. */

import { clamp, type Random } from '../../../../shared/random.ts';
import { type Colour, css, lighter, mix } from '../../../prompt/palette.ts';
import type { Context, Point } from '../../brush.ts';
import type { Stage } from '../../stage.ts';
import type { Breed, Mask } from './breeds.ts';

/** A face on its way to paper. */
export interface Inked {
  readonly mask: Mask;
  readonly breed: Breed;
  readonly stage: Stage;
  readonly shade: Colour;
}

/** The same colour on the lit and on the dark side of the face. */
export function sided({ stage, shade }: Inked, colour: Colour, x: number): Colour {
  return x > 0 ? mix(lighter(colour, 0.03), stage.palette.light, clamp(x) * 0.3) : mix(colour, shade, clamp(-x) * 0.5);
}

/** Away from the nose, up over the brow, outwards and down at the cheeks. */
export function combed(x: number, y: number, mask: Mask): Point {
  const from = { x: 0, y: mask.nose.y - 0.05 };
  const away = Math.hypot(x - from.x, y - from.y) || 1;
  const down = Math.abs(x) > 0.28 && y > -0.1 ? 0.75 : 0;
  const [dx, dy] = [(x - from.x) / away, (y - from.y) / away + down];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** How far the outline is from the middle of the face, at an angle. */
export function edgeAt(outline: readonly Point[], angle: number): number {
  let best = 0.4;
  let nearest = 9;
  for (const [x, y] of outline) {
    const off = Math.abs(
      Math.atan2(Math.sin(Math.atan2(y - 0.08, x) - angle), Math.cos(Math.atan2(y - 0.08, x) - angle)),
    );
    if (off < nearest) {
      nearest = off;
      best = Math.hypot(x, y - 0.08);
    }
  }
  return best;
}

/** Fur: many strokes, batched by a few tones so that the canvas is not asked thousands of times. */
export function coat(
  context: Context,
  random: Random,
  count: number,
  one: () => {
    readonly x: number;
    readonly y: number;
    readonly dx: number;
    readonly dy: number;
    readonly colour: Colour;
  },
): void {
  context.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const { x, y, dx, dy, colour } = one();
    context.strokeStyle = css(colour, 0.8);
    context.lineWidth = random.between(0.004, 0.0095);
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo(x + dx * 0.5 + dy * 0.06, y + dy * 0.5 - dx * 0.06, x + dx, y + dy);
    context.stroke();
  }
}

/** 0 to 1: how much of the breed's dark lies here on its face. */
export function markAt({ breed }: Inked, x: number, y: number): number {
  const aside = Math.abs(x);
  switch (breed.pattern) {
    case 'stripes': {
      const brow = y < -0.14 && aside < 0.34 ? Math.cos(y * 46 + x * x * 40) : -1;
      const cheek = aside > 0.3 && y > -0.16 ? Math.cos(y * 30 - aside * 26) : -1;
      return Math.max(brow, cheek) > 0.5 ? 1 : 0;
    }
    case 'spots':
      return y < 0.1 && Math.cos(x * 34 + Math.sin(y * 19) * 2) * Math.cos(y * 30 + x * 6) > 0.52 ? 1 : 0;
    case 'panda':
      return ((aside - 0.235) / 0.15) ** 2 + ((y + 0.03 - aside * 0.25) / 0.15) ** 2 < 1 ? 1 : 0;
    case 'patches':
      return aside > 0.1 + Math.max(0, y) * 0.4 && y < 0.34 ? 1 : 0;
    default:
      return 0;
  }
}
