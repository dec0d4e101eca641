/** Where something is placed in the frame (pure): inside the part of a picture that every screen shows. */
import type { CutPlace, Size } from '../../../model/media/cut.ts';
import { even } from '../cut-context.ts';

/** EBU R 95 keeps graphics a twentieth away from every edge. Phones lay their own signs over the ends of an upright film. */
const MARGIN = 0.05;
const UPRIGHT_ENDS = 0.1;

type Row = 'top' | 'middle' | 'bottom';

export function rowOf(place: CutPlace): Row {
  if (place.startsWith('top')) return 'top';
  return place.startsWith('bottom') ? 'bottom' : 'middle';
}

export function alignmentOf(place: CutPlace): 'left' | 'center' | 'right' {
  if (place.endsWith('left')) return 'left';
  return place.endsWith('right') ? 'right' : 'center';
}

/** Pixels from each edge. */
const marginsOf = ({ width, height }: Size): { readonly x: number; readonly y: number } => ({
  x: even(width * MARGIN),
  y: even(height * (height > width ? UPRIGHT_ENDS : MARGIN)),
});

/** The left upper corner. @param beyond pixels towards the middle of the frame that something else has taken. */
export function cornerOf(
  place: CutPlace,
  frame: Size,
  it: Size,
  beyond = 0,
): { readonly x: number; readonly y: number } {
  const margin = marginsOf(frame);
  const across = { left: margin.x, center: (frame.width - it.width) / 2, right: frame.width - it.width - margin.x };
  const down = {
    top: margin.y + beyond,
    middle: (frame.height - it.height) / 2 + beyond,
    bottom: frame.height - it.height - margin.y - beyond,
  };
  return { x: even(across[alignmentOf(place)]), y: even(down[rowOf(place)]) };
}
