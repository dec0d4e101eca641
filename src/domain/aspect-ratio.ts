/** The shape of a picture, as it was meant. */

/** Long side over short side, of what cameras, screens and services make. */
const USUAL = [1, 5 / 4, 4 / 3, 3 / 2, 16 / 9, 21 / 9];

/** Pixels by which an even size may lie beside its shape: 16:9 of 480 lines is 853.3 wide, and made as 854. */
const ROUNDED = 1;
/** Lines below which a pixel is a shape of its own. */
const FEWEST = 60;

/** Width over height: 854×480 is 16:9, so that a larger one of it is 1920×1080 and not two pixels wider. */
export function shapeOf({ width, height }: { readonly width: number; readonly height: number }): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const meant = USUAL.find(ratio => Math.abs(short * ratio - long) <= ROUNDED);
  if (meant === undefined || short < FEWEST) return width / height;
  return width >= height ? meant : 1 / meant;
}
