/** The colours that most of a picture has, from a small copy of it. Empty where nothing here can open it. */
import { whyNotLoaded } from '../../../machine/process/optional-packages.ts';
import type { Swatch } from '../renderer.ts';

/** Pixels of a side of the copy. */
const SIDE = 48;
/** Steps in which a channel is counted: fine enough to tell sky from water, and coarse enough to take noise together. */
const STEP = 32;
const MOST = 3;
/** Of all pixels: what is less is a speck. */
const LEAST = 0.08;

export async function coloursIn(path: string): Promise<readonly Swatch[]> {
  const pixels = await pixelsOf(path);
  const buckets = new Map<number, { count: number; red: number; green: number; blue: number }>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    const key = [red, green, blue].reduce((sum, value) => sum * STEP + Math.floor(value / STEP), 0);
    const bucket = buckets.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 };
    buckets.set(key, bucket);
    bucket.count++;
    bucket.red += red;
    bucket.green += green;
    bucket.blue += blue;
  }
  const all = pixels.length / 3;
  return [...buckets.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST)
    .filter(({ count }, rank) => rank === 0 || count / all >= LEAST)
    .map(({ count, red, green, blue }) => ({
      rgb: [red, green, blue].map(sum => Math.round(sum / count)) as unknown as Swatch['rgb'],
      share: Math.round((count / all) * 100) / 100,
    }));
}

async function pixelsOf(path: string): Promise<Buffer> {
  try {
    const { still } = await import('../../../media/encode/open-still.ts');
    return await still(path)
      .autoOrient()
      .resize({ width: SIDE, height: SIDE, fit: 'inside', kernel: 'nearest' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer();
  } catch (error) {
    if (whyNotLoaded(error) !== undefined) return Buffer.alloc(0);
    throw error;
  }
}
