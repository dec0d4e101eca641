/**
 * What was painted, as bytes. Each reading of a canvas is a new copy, and a film makes gigabytes of them: left to the garbage
 * collector they cost it a quarter of the render's time and half a gigabyte of memory. So code that reads a canvas for each picture
 * gives the copy back as soon as it is not needed.
 */
import type { Canvas } from '@napi-rs/canvas';

/** RGBA, top-down; colours are multiplied by their alpha. */
export const pixelsOf = (canvas: Canvas): Uint8Array<ArrayBuffer> => canvas.data() as Buffer<ArrayBuffer>;

/** The bytes are gone: the array is empty afterwards. */
export function release(pixels: Uint8Array): void {
  if (pixels.buffer instanceof ArrayBuffer) pixels.buffer.transfer(0);
}
