/**
 * A still that carries its clean plate: the same picture without what was drawn over it, hung behind its end, where every viewer stops
 * reading, as phones hang a few seconds of film behind a photograph.
 *
 *     │ picture, as everybody sees it │ the clean one, a whole file │ its length, 4 bytes │ name │
 */
import { open } from 'node:fs/promises';

const NAME = Buffer.from('Shotlist clean plate', 'latin1');
const FOOT = NAME.length + 4;

export function withStillPlate(picture: Buffer, plate: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(plate.length);
  return Buffer.concat([picture, plate, length, NAME]);
}

/** The clean picture's own file; undefined where the still carries none. @throws what the disk throws. */
export async function stillPlate(path: string): Promise<Buffer | undefined> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size < FOOT) return undefined;
  const foot = Buffer.alloc(FOOT);
  await file.read(foot, 0, FOOT, size - FOOT);
  if (!foot.subarray(4).equals(NAME)) return undefined;
  const length = foot.readUInt32BE(0);
  const from = size - FOOT - length;
  if (length === 0 || from <= 0) return undefined;
  const plate = Buffer.alloc(length);
  const { bytesRead } = await file.read(plate, 0, length, from);
  return bytesRead === length ? plate : undefined;
}
