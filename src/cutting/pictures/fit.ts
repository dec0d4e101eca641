/** How a picture of one shape fills a frame of another, in whole even pixels (pure). */
import type { CutFit, Size } from '../../domain/cut.ts';
import { even } from '../kit.ts';

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
