/** A layer that is empty for the most part, kept as the bands of rows where something is: less to hold, and less to draw each time. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { pixelsOf, release } from '../../../media/encode/canvas-pixels.ts';
import { strike } from '../scene/brush.ts';

export interface OpaqueBand {
  readonly canvas: Canvas;
  readonly top: number;
}

/** Empty rows between two bands that are worth a cut. */
const GAP = 16;

/** Takes the canvas apart: it is empty afterwards. */
export function opaqueBands(canvas: Canvas): readonly OpaqueBand[] {
  const { width, height } = canvas;
  const pixels = pixelsOf(canvas);
  const rows = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const bands: { from: number; to: number }[] = [];
  for (let y = 0; y < height; y++) {
    if (rows.subarray(y * width, (y + 1) * width).every(pixel => pixel === 0)) continue;
    const last = bands.at(-1);
    if (last && y - last.to < GAP) last.to = y + 1;
    else bands.push({ from: y, to: y + 1 });
  }
  release(pixels);
  const cut = bands.map(({ from, to }) => {
    const band = createCanvas(width, to - from);
    const context = band.getContext('2d');
    context.drawImage(canvas, 0, -from);
    // Painting is recorded and done when it is read; after this, nothing needs the whole any more.
    context.getImageData(0, 0, 1, 1);
    return { canvas: band, top: from };
  });
  strike(canvas);
  return cut;
}

export function drawBands(context: SKRSContext2D, cut: readonly OpaqueBand[]): void {
  for (const { canvas, top } of cut) context.drawImage(canvas, 0, top);
}
