/**
 * A picture in the language of DEC's terminals, which is what most that show pictures understand: six rows of pixels a line, 256 colours.
 * Imported when there is one to be shown: a run that shows none is without it.
 */
import { image2sixel } from 'sixel/lib/SixelEncoder.js';

/** Red, green, blue and alpha of each pixel, row by row. */
interface Pixels {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

// It dithers in place, in the whole of the buffer that it is given.
export const sixelText = ({ rgba, width, height }: Pixels): string =>
  image2sixel(new Uint8Array(rgba), width, height, COLOURS, KEEP_GROUND);

const COLOURS = 256;
/** What has no pixel keeps the colour that it has. */
const KEEP_GROUND = 1;
