/**
 * A picture or a film that carries its clean plate: the same without what was drawn over it, as a whole file behind its end, where viewers and
 * players stop reading.
 *
 *     still  │ picture │ plate │ length of the plate, 4 bytes │ name │
 *     film   │ ftyp moov mdat │ `free` box: │ plate │ length │ name │
 *
 * The plate goes wherever the file goes, except into an output, which is for others. Cuts, frames of the film and later steps are made from
 * it. A film has one picture and one sound for everybody else: a `free` box is no part of the presentation (ISO/IEC 14496-12, 8.1.2). The
 * plate of a film has no sound.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openMedia, readOnly, trackIn } from '../decode/open-input.ts';
import { type FormatContext, type Libav, libav, type Stream } from '../libav.ts';
import type { Edit } from '../marking/byte-edits.ts';

const NAME = Buffer.from('Shotlist clean plate', 'latin1');
const FOOT = NAME.length + 4;
/** A 64-bit size, so that a plate may have any length: ISO/IEC 14496-12, 4.2. */
const BOX_HEAD = 16;

/** Bytes of the plate inside the file. */
interface Place {
  readonly from: number;
  readonly length: number;
  /** From here to the end of the file nothing is of the picture or the film: the box of the plate begins, or the plate. */
  readonly end: number;
}

const footOf = (length: number): Buffer => {
  const foot = Buffer.alloc(4);
  foot.writeUInt32BE(length);
  return Buffer.concat([foot, NAME]);
};

export const withStillPlate = (picture: Buffer, plate: Buffer): Buffer =>
  Buffer.concat([picture, plate, footOf(plate.length)]);

/** Appends the film at `plate` to the film at `film`. @throws where the plate has 4 GB or more, and what the disk throws. */
export async function appendPlate(film: string, plate: string): Promise<void> {
  const { size } = await stat(plate);
  const head = Buffer.alloc(BOX_HEAD);
  head.writeUInt32BE(1, 0);
  head.write('free', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(BOX_HEAD + size + FOOT), 8);
  await using file = await open(film, 'a');
  await file.appendFile(head);
  await file.appendFile(createReadStream(plate));
  await file.appendFile(footOf(size));
}

/** Undefined where the file carries no plate. @throws what the disk throws. */
async function placeIn(path: string): Promise<Place | undefined> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size < FOOT) return undefined;
  const foot = Buffer.alloc(FOOT);
  await file.read(foot, 0, FOOT, size - FOOT);
  if (!foot.subarray(4).equals(NAME)) return undefined;
  const length = foot.readUInt32BE(0);
  const from = size - FOOT - length;
  if (length === 0 || from <= 0) return undefined;
  const head = Buffer.alloc(BOX_HEAD);
  const box = Math.max(0, from - BOX_HEAD);
  await file.read(head, 0, BOX_HEAD, box);
  const isBoxed = head.readUInt32BE(0) === 1 && head.toString('latin1', 4, 8) === 'free';
  return { from, length, end: isBoxed ? box : from };
}

/** The edits of a copy that leave the plate out, box and all; none where the file carries none. @throws what the disk throws. */
export async function withoutPlate(path: string): Promise<readonly Edit[]> {
  const place = await placeIn(path);
  if (place === undefined) return [];
  const { from, length, end: at } = place;
  return [{ at, remove: from + length + FOOT - at, insert: Buffer.alloc(0) }];
}

/** The clean picture of a still, a whole file; undefined where the still carries none. @throws what the disk throws. */
export async function stillPlate(path: string): Promise<Buffer | undefined> {
  const place = await placeIn(path);
  if (place === undefined) return undefined;
  await using file = await open(path, 'r');
  const plate = Buffer.alloc(place.length);
  const { bytesRead } = await file.read(plate, 0, place.length, place.from);
  return bytesRead === place.length ? plate : undefined;
}

/** Writes the plate of a film as a film of its own, without sound. Returns false where it carries none: then nothing is written. */
export async function extractPlate(film: string, out: string): Promise<boolean> {
  const place = await placeIn(film);
  if (place === undefined) return false;
  const av = await libav();
  await using shown = await openMedia(av, film);
  await using plate = await openPlate(av, film, place, shown);
  if (plate === undefined) return false;
  const range = { start: place.from, end: place.from + place.length - 1 };
  await pipeline(createReadStream(film, range), createWriteStream(out));
  return true;
}

export interface OpenedPictures {
  readonly file: FormatContext & AsyncDisposable;
  readonly stream: Stream;
}

/** Opens what further work is made from: the plate where the film carries one, else its first pictures. Undefined where it has no pictures. */
export async function openPictures(av: Libav, path: string): Promise<OpenedPictures | undefined> {
  await using release = new AsyncDisposableStack();
  const shown = release.use(await openMedia(av, path));
  const place = await placeIn(path);
  const plate = place && (await openPlate(av, path, place, shown));
  const file = plate ?? shown;
  const stream = trackIn(av, file, 'video');
  if (stream === undefined) return undefined;
  readOnly(av, file, stream);
  // Its film is not needed any more.
  if (plate === undefined) release.move();
  return { file, stream };
}

/** Undefined where it is not picture for picture what the film shows: another program changed the film, and left the plate as it was. */
async function openPlate(av: Libav, path: string, { from, length }: Place, shown: FormatContext) {
  const plate = await openMedia(av, `subfile,,start,${from},end,${from + length},,:${path}`).catch(() => undefined);
  if (plate === undefined) return undefined;
  const [film, clean] = [shown, plate].map(file => trackIn(av, file, 'video'));
  if (film && clean && isAlike(film, clean)) return plate;
  await plate.closeInput();
  return undefined;
}

const isAlike = (shown: Stream, plate: Stream): boolean =>
  plate.codecpar.width === shown.codecpar.width &&
  plate.codecpar.height === shown.codecpar.height &&
  plate.nbFrames === shown.nbFrames &&
  Math.abs(secondsOf(plate) - secondsOf(shown)) < CLOCKS;

/** Seconds by which two clocks may round differently. */
const CLOCKS = 0.002;

const secondsOf = ({ timeBase, startTime }: Stream): number => (Number(startTime) * timeBase.num) / timeBase.den;
