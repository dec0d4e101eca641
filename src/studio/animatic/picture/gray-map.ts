/** Grey pictures for filters to read numbers from (masks, displacement maps), as PGM: no compression, 8 or 16 bits. */
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

/** Whole numbers up to 65535, biggest byte first, as PGM wants them. */
export async function writeMap(path: string, { width, height }: FrameSize, values: Uint16Array): Promise<void> {
  const head = Buffer.from(`P5\n${width} ${height}\n65535\n`);
  const pixels = Buffer.alloc(width * height * 2);
  for (let i = 0; i < values.length; i++) pixels.writeUInt16BE(values[i] ?? 0, i * 2);
  await writeFile(path, Buffer.concat([head, pixels]));
}
