/** What is set into an edited picture: other pictures as prints, words in quotes as titles; and what is taken out of it, its background. */
import { createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { quoted } from './edits.ts';
import { Random } from './random.ts';
import type { Context } from './scene/brush.ts';
import type { FrameSize } from './size.ts';
import { font } from './type.ts';

/** The other inputs as small prints along the upper right, each with its number in the request. */
export async function inserted(
  context: Context,
  { width, height }: FrameSize,
  files: readonly string[],
  { seed, from }: { readonly seed: string; readonly from: number },
): Promise<void> {
  if (files.length === 0) return;
  const columns = files.length > 6 ? Math.ceil(files.length / 2) : files.length;
  const rows = Math.ceil(files.length / columns);
  const cell = Math.min((width * 0.86) / columns, height * (rows > 1 ? 0.22 : 0.32));
  const side = Math.round(cell * 0.84);
  const unit = Math.min(width, height) / 720;
  for (const [i, file] of files.entries()) {
    const pixels = await sharp(file)
      .autoOrient()
      .resize(side, side, { fit: 'cover', position: 'attention' })
      .ensureAlpha()
      .raw()
      .toBuffer();
    const print = createCanvas(side, side);
    print.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(pixels), side, side), 0, 0);
    const [column, row] = [i % columns, Math.floor(i / columns)];
    context.save();
    context.translate(
      width - (columns - column) * cell - width * 0.03 + cell / 2,
      height * 0.06 + row * cell + cell / 2,
    );
    context.rotate(new Random(`print|${seed}|${i}`).spread() * 0.045);
    context.shadowColor = 'rgba(0,0,0,0.55)';
    context.shadowBlur = 18 * unit;
    context.shadowOffsetY = 6 * unit;
    context.fillStyle = '#f7f4ee';
    context.fillRect(-side / 2 - 5 * unit, -side / 2 - 5 * unit, side + 10 * unit, side + 10 * unit);
    context.shadowColor = 'transparent';
    context.drawImage(print, -side / 2, -side / 2);
    context.fillStyle = 'rgba(8,9,14,0.78)';
    context.beginPath();
    context.arc(-side / 2 + 15 * unit, -side / 2 + 15 * unit, 12 * unit, 0, Math.PI * 2);
    context.fill();
    context.fillStyle = '#fff';
    context.font = font('sans', 700, 13 * unit);
    context.textAlign = 'center';
    context.fillText(String(from + i), -side / 2 + 15 * unit, -side / 2 + 19.6 * unit);
    context.restore();
  }
}

export function titled(context: Context, { width, height }: FrameSize, words: string): void {
  for (const [i, title] of quoted(words).entries()) {
    let size = height * 0.13;
    context.save();
    context.font = font('display', 700, size, title);
    while (context.measureText(title).width > width * 0.84 && size > 6) {
      size *= 0.94;
      context.font = font('display', 700, size, title);
    }
    context.textAlign = 'center';
    context.shadowColor = 'rgba(0,0,0,0.6)';
    context.shadowBlur = size * 0.2;
    context.fillStyle = '#fff';
    context.fillText(title, width / 2, height * (0.24 + 0.16 * i));
    context.restore();
  }
}

/** Neighbours differing by less than this, summed over the channels, belong together. */
const ALIKE = 21;

/** Whatever is connected to the border by like colours becomes transparent, with a soft edge. Right for plain backgrounds, rough on busy ones. */
export async function cutOut(context: Context, { width, height }: FrameSize): Promise<void> {
  const image = context.getImageData(0, 0, width, height);
  const pixels = image.data;
  const kept = new Uint8Array(width * height).fill(255);
  const queue: number[] = [];
  const visit = (pixel: number) => {
    if (kept[pixel] === 0) return;
    kept[pixel] = 0;
    queue.push(pixel);
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const x = at % width;
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (next < 0 || next >= kept.length || kept[next] === 0) continue;
      let apart = 0;
      for (let c = 0; c < 3; c++) apart += Math.abs((pixels[at * 4 + c] ?? 0) - (pixels[next * 4 + c] ?? 0));
      if (apart < ALIKE) visit(next);
    }
  }
  const alpha = await sharp(kept, { raw: { width, height, channels: 1 } })
    .median(5)
    .blur(1.1)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  for (let i = 0; i < kept.length; i++) pixels[i * 4 + 3] = alpha[i] ?? 255;
  context.putImageData(image, 0, 0);
}
