/** Grey pictures for filters to read numbers from (masks), as PGM: no compression, 8 bits. */
import { writeFile } from 'node:fs/promises';
import type { FrameSize } from '../request/frame-size.ts';

/** `value` is asked for every pixel, row by row, and gives 0 to 1. */
export async function writeMask(
  path: string,
  { width, height }: FrameSize,
  value: (x: number, y: number) => number,
): Promise<void> {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const pixels = Buffer.alloc(width * height);
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[at++] = Math.round(value(x, y) * 255);
  await writeFile(path, Buffer.concat([head, pixels]));
}
