/**
 * What lies beside a picture that is fitted with `blur` (pure): its own edges, mirrored, drawn out and softened, so that its colours and its
 * horizon go on past them.
 *
 *     ┊  c   b   a ┊abc   picture   xyz┊ z   y   x  ┊
 */
import type { Size } from '../../domain/cut.ts';
import type { Place } from './fit.ts';

interface SoftGround {
  /** The margins lie above and below. */
  readonly isHigh: boolean;
  /** How large the picture is while it is softened. */
  readonly picture: Size;
  /** Before and behind it: the pixels of the picture that are mirrored there, and how long they are then. */
  readonly margins: readonly [Margin, Margin];
  /** Of the softening, in pixels. */
  readonly sigma: number;
}

export interface Margin {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** It is softened at an eighth of its size: nobody sees the difference, and it costs next to nothing. */
const SOFTENED = 8;

/** Of the frame's shorter side. */
const SOFTNESS = 1 / 14;

/** Of the picture, at each edge: with more of it, the sun would set a second time. */
const REACH = 0.3;

/** Of the picture's own light: a little less, so that the eye goes to the picture. */
export const GROUND_LIGHT = 0.86;

export function softGround({ width, height, x, y }: Place, box: Size): SoftGround {
  const small = (pixels: number) => Math.max(1, Math.round(pixels / SOFTENED));
  const isHigh = height < box.height;
  const picture = { width: small(width), height: small(height) };
  const [long, before, after] = isHigh
    ? [picture.height, y, box.height - height - y]
    : [picture.width, x, box.width - width - x];
  const [near, far] = [small(before), small(after)];
  const most = Math.max(1, Math.round(long * REACH));
  return {
    isHigh,
    picture,
    margins: [
      { from: 0, to: Math.min(near, most), length: near },
      { from: long - Math.min(far, most), to: long, length: far },
    ],
    sigma: Math.max(1.5, (Math.min(box.width, box.height) / SOFTENED) * SOFTNESS),
  };
}
