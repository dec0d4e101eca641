/** A picture that somebody else made, opened. Slightly odd ones are taken, as every viewer takes them; what breaks off is not. */
import sharp, { type Sharp } from 'sharp';

export const still = (path: string): Sharp => sharp(path, { failOn: 'error' });

/** Pixels: what is larger than any frame that is drawn is made smaller while it is read, or a photograph would take a gigabyte. */
const MOST_SIDE = 6000;

/** Turned as its camera was held. */
export const upright = (path: string): Sharp =>
  still(path).autoOrient().resize({ width: MOST_SIDE, height: MOST_SIDE, fit: 'inside', withoutEnlargement: true });
