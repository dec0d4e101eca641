/**
 * What a picture is, where sharp is not installed: its bytes are walked through from the head to the mark at the end. A PNG is unpacked
 * and its sums compared; of the others every part must be there, but no pixel is decoded.
 */
import { crc32, inflateSync } from 'node:zlib';

/** Pixels, turned as the camera was held. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Thrown by a walk that comes to an end before the picture does. */
class BreaksOff extends Error {}

const WALKS: Readonly<Record<string, (bytes: Buffer) => PictureSize>> = {
  png: walkPng,
  apng: walkPng,
  jpg: walkJpeg,
  webp: walkWebp,
  gif: walkGif,
};

/** Whether pictures of this format can be walked through. */
export const isWalked = (format: string): boolean => Object.hasOwn(WALKS, format);

/** Undefined when it is not whole, or of another format. */
export function walkPicture(bytes: Buffer, format: string): PictureSize | undefined {
  try {
    const size = WALKS[format]?.(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // Reading past the end is how a file that breaks off shows itself.
    if (error instanceof BreaksOff || error instanceof RangeError || isPacked(error)) return undefined;
    throw error;
  }
}

const isPacked = (error: unknown): boolean =>
  error instanceof Error && /^(Z_|ERR_BUFFER)/.test(String((error as NodeJS.ErrnoException).code));

/** ISO 15948: chunks of length, name, data and sum, until IEND. */
function walkPng(bytes: Buffer): PictureSize {
  const packed: Buffer[] = [];
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) throw new BreaksOff();
    if (name === 'IDAT') packed.push(bytes.subarray(at + 8, end));
    if (name === 'IEND') break;
    at = end + 4;
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const channels = [1, 0, 3, 1, 2, 0, 4][bytes.readUInt8(25)] ?? 0;
  const row = Math.ceil((width * channels * bytes.readUInt8(24)) / 8) + 1;
  const isInterlaced = bytes.readUInt8(28) === 1;
  // Interlaced rows come in seven passes and are rounded up in each; and bytes after the last row do no harm.
  const { length } = inflateSync(Buffer.concat(packed), { maxOutputLength: row * height * 2 + 65_536 });
  if (!isInterlaced && length < row * height) throw new BreaksOff();
  return { width, height };
}

/** ITU T.81: segments until a scan, then its coded bytes until the next marker, until the end of the image. */
function walkJpeg(bytes: Buffer): PictureSize {
  let size: PictureSize | undefined;
  let orientation = 1;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw new BreaksOff();
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) break;
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff || marker === 0x01 || isRestart(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      orientation = orientationIn(bytes.subarray(at + 10, end));
    at = marker === 0xda ? afterScan(bytes, end) : end;
  }
  if (size === undefined) throw new BreaksOff();
  return turned(size, orientation);
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Start of frame, of any coding; C4, C8 and CC say something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function afterScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) throw new BreaksOff();
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && !isRestart(next)) return at;
  }
}

/** RIFF chunks, filled up to an even length; the first that has a size gives it. */
function walkWebp(bytes: Buffer): PictureSize {
  const last = 8 + bytes.readUInt32LE(4);
  // The byte that fills up to an even length may be missing.
  if (last > bytes.length + 1) throw new BreaksOff();
  let size: PictureSize | undefined;
  let orientation = 1;
  let hasPixels = false;
  for (let at = 12; at + 8 <= last; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const body = at + 8;
    const end = body + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw new BreaksOff();
    if (name === 'VP8X') size = { width: bytes.readUIntLE(body + 4, 3) + 1, height: bytes.readUIntLE(body + 7, 3) + 1 };
    if (name === 'VP8 ' && bytes.readUIntBE(body + 3, 3) !== 0x9d012a) throw new BreaksOff();
    if (name === 'VP8 ')
      size ??= { width: bytes.readUInt16LE(body + 6) & 0x3fff, height: bytes.readUInt16LE(body + 8) & 0x3fff };
    if (name === 'VP8L') {
      const packed = bytes.readUInt32LE(body + 1);
      size ??= { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    if (name === 'EXIF') orientation = orientationIn(bytes.subarray(body, end));
    hasPixels ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF';
    at = end + (end % 2);
  }
  if (size === undefined || !hasPixels) throw new BreaksOff();
  return turned(size, orientation);
}

/** GIF89a: blocks in sub-blocks of at most 255 bytes, until the trailer. */
function walkGif(bytes: Buffer): PictureSize {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const colours = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let hasPixels = false;
  for (let at = 13 + colours(bytes.readUInt8(10)); ; ) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) break;
    if (block === 0x21) at = afterSubBlocks(bytes, at + 2);
    else if (block === 0x2c) {
      hasPixels = true;
      at = afterSubBlocks(bytes, at + 11 + colours(bytes.readUInt8(at + 9)));
    } else throw new BreaksOff();
  }
  if (!hasPixels) throw new BreaksOff();
  return size;
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1;
  return at + 1;
}

/** Orientations of 5 and more lie on their side. */
const turned = ({ width, height }: PictureSize, orientation: number): PictureSize =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/** How a camera was held: the one thing in a picture's EXIF that changes what a viewer shows. */
const ORIENTATION = 0x0112;

/** 1 to 8, from a TIFF block as EXIF is one; 1, upright, where it does not say. */
function orientationIn(exif: Buffer): number {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => {
    if (at + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  if (tiff.length < 8 || short(2) !== 42) return 1;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12;
    if (short(at) !== ORIENTATION) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
