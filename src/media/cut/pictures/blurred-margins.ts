/**
 * What lies beside a picture that is fitted with `blur` (pure): its own edges, mirrored, drawn out and softened, so that its colours and its
 * horizon go on past them.
 *
 *     ┊  c   b   a ┊abc   picture   xyz┊ z   y   x  ┊
 */
import type { CutFit, Size } from '../../../model/media/cut.ts';
import { even } from '../cut-context.ts';

interface BlurredMargins {
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

/** It is softened at an eighth of its size: the difference is not seen, and it costs next to nothing. */
const SOFTENED = 8;

/** Of the frame's shorter side. */
const SOFTNESS = 1 / 14;

/** Of the picture, at each edge: with more of it, the sun would set a second time. */
const REACH = 0.3;

/** Of the picture's own light: a little less, so that the eye goes to the picture. */
export const GROUND_LIGHT = 0.86;

export function blurredMargins({ width, height, x, y }: Place, box: Size): BlurredMargins {
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

/** How a picture of one shape fills a frame of another, in whole even pixels (pure). */
export interface Place extends Size {
  /** Of its left upper corner in the frame; negative where it hangs over. */
  readonly x: number;
  readonly y: number;
}

/** Pixels by which a shape may differ and still be the frame's own: 854x480 is 16:9. */
const NEARLY = 2;

/** @param shape the picture as it is shown: upright, its pixels square. */
export function placed(shape: Size, box: Size, fit: CutFit): Place {
  const [wide, high] = [box.width / shape.width, box.height / shape.height];
  const scale = fit === 'crop' ? Math.max(wide, high) : Math.min(wide, high);
  const width = snapped(shape.width * scale, box.width);
  const height = snapped(shape.height * scale, box.height);
  return { width, height, x: middle(box.width - width), y: middle(box.height - height) };
}

export const fills = ({ width, height }: Size, box: Size): boolean => width === box.width && height === box.height;

function snapped(wanted: number, side: number): number {
  return Math.abs(wanted - side) <= NEARLY ? side : Math.max(2, even(wanted));
}

const middle = (spare: number): number => even(spare / 2);
