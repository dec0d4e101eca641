/** A foreign picture, opened. Slightly odd ones are taken, as every viewer takes them; what breaks off is not. */
import sharp, { type Sharp } from 'sharp';
import { stillPlate } from './clean-plate.ts';

/** Where it lies, or its bytes. */
export type Picture = string | Buffer;

export const still = (picture: Picture): Sharp => sharp(picture, { failOn: 'error' });

/** Pixels: what is larger than any frame that is drawn is made smaller while it is read, or a photograph would take a gigabyte. */
const MAX_SIDE = 6000;

/** Turned as its camera was held. */
export const upright = (picture: Picture): Sharp =>
  still(picture).autoOrient().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });

/** What further work is made from: the clean plate where a still of ours carries one of its own size, else the picture itself. */
export async function workPicture(path: string): Promise<Picture> {
  const plate = await stillPlate(path);
  if (plate === undefined) return path;
  const sizes = await Promise.all([path, plate].map(picture => still(picture).metadata())).catch(() => undefined);
  const [shown, clean] = sizes ?? [];
  return clean !== undefined && clean.width === shown?.width && clean.height === shown.height ? plate : path;
}
