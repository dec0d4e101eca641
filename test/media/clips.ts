/** Which drawn picture one is, and files changed where the encoder writes them otherwise. */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { writeRaw } from '../cut/raw-film.ts';
import { drift, psnr } from './footage.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

export async function pixelsOf(png: string | Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

/** Which of the pictures that `film` draws this one is most like. */
export function numberOf({ width, height, rgb }: Pixels, frames: number): number {
  let [best, found] = [0, -1];
  let n = 0;
  for (const rgba of drift(width, height, frames)) {
    const drawn = rgba.filter((_, i) => i % 4 !== 3);
    const likeness = psnr(drawn, rgb);
    if (likeness > best) [best, found] = [likeness, n];
    n++;
  }
  return found;
}

export interface Colours {
  readonly format: string;
  /** Of the filter that converts: `bt709`. */
  readonly matrix: string;
  readonly range: 'tv' | 'pc';
  /** What the file says: numbers of ISO/IEC 23091-2, 8.3; 2 says nothing. */
  readonly says: number;
  readonly height?: number;
}

/** Three pictures of one colour, kept as they are (FFV1), in a file that says of its colours what it is told to say. */
export async function oneColour(out: string, rgb: string, of: Colours): Promise<string> {
  const { format, matrix, range, says, height = 64 } = of;
  const flags = 'accurate_rnd+full_chroma_int+bitexact';
  const convert = `scale=out_color_matrix=${matrix}:out_range=${range}:flags=${flags},format=${format}`;
  return await writeRaw(out, {
    graph: `color=c=0x${rgb}:size=64x${height}:rate=24,format=gbrp,${convert},trim=end_frame=3`,
    ...{ codec: 'ffv1', container: 'matroska', told: { space: says, range: range === 'pc' ? 'JPEG' : 'MPEG' } },
  });
}

/** The matrix of the track header (ISO/IEC 14496-12, 8.3.2): turned a quarter clockwise. */
export async function turned(path: string, out: string): Promise<string> {
  const bytes = await readFile(path);
  const matrix = bytes.indexOf('tkhd') + 44;
  for (const [i, value] of [0, 0x10000, 0, -0x10000, 0].entries()) bytes.writeInt32BE(value, matrix + i * 4);
  await writeFile(out, bytes);
  return out;
}

/** An edit list (8.6.6) that shows no more than so many seconds of the first track. */
export async function shownFor(path: string, seconds: number, out: string): Promise<string> {
  const bytes = await readFile(path);
  const scale = bytes.readUInt32BE(bytes.indexOf('mvhd') + 4 + 12);
  const list = bytes.indexOf('elst');
  if (list < 0 || bytes.readUInt32BE(list + 8) !== 1) throw new Error('the file has no edit list of one entry');
  bytes.writeUInt32BE(Math.round(seconds * scale), list + 12);
  await writeFile(out, bytes);
  return out;
}
