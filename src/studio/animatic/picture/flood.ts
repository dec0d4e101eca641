/** Which pixels are connected with some others. */
import type { FrameSize } from '../request/frame-size.ts';

/** 1 for every pixel that is reached from the first ones by steps to a neighbour that `joins` allows. */
export function flood(
  { width, height }: FrameSize,
  first: readonly number[],
  joins: (pixel: number, next: number) => boolean,
): Uint8Array {
  const reached = new Uint8Array(width * height);
  // Each pixel is put here once at most; a plain list of so many would be the largest thing in memory.
  const waiting = new Int32Array(width * height);
  let count = 0;
  const visit = (pixel: number) => {
    if (reached[pixel]) return;
    reached[pixel] = 1;
    waiting[count++] = pixel;
  };
  for (const pixel of first) visit(pixel);
  while (count > 0) {
    const at = waiting[--count] ?? 0;
    const x = at % width;
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width])
      if (next >= 0 && next < reached.length && !reached[next] && joins(at, next)) visit(next);
  }
  return reached;
}
