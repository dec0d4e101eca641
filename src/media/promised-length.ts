/**
 * How long a file says it is, in the boxes it is made of: MP4 and its kin, Matroska and WebM, WAV and WebP. A download that broke off
 * keeps its head, and with it every promise of length: this is the one that the bytes themselves can be held against.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Boxes looked at, one small read each: a film in pieces has one or two a second. */
const MOST_BOXES = 100_000;

/**
 * Bytes; undefined for containers that do not say, such as those written while nobody knew how long they would be. Reads synchronously, as the
 * processes that look at media do one thing at a time.
 */
export function promisedLength(path: string): number | undefined {
  const file = openSync(path, 'r');
  try {
    const head = bytesAt(file, 0, 64);
    if (/^(ftyp|styp|moov|mdat|wide|free|skip)$/.test(head.toString('latin1', 4, 8)))
      return lengthOfBoxes(file, fstatSync(file).size);
    if (head.toString('latin1', 0, 4) === 'RIFF') return lengthOfRiff(head);
    if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3) return lengthOfEbml(file, head);
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** ISO 14496-12, 4.2: length and name, one box after the other. The first that reaches past the end is what is missing. */
function lengthOfBoxes(file: number, size: number): number | undefined {
  let at = 0;
  for (let box = 0; at < size && box < MOST_BOXES; box++) {
    const head = bytesAt(file, at, 16);
    // Something hung behind the last box is nobody's loss.
    if (head.length >= 8 && !/^[\x20-\x7e\xa9]{4}$/.test(head.toString('latin1', 4, 8))) return at;
    if (head.length < 8) return at + 8;
    const short = head.readUInt32BE(0);
    // It goes on to the end of the file, wherever that is.
    if (short === 0) return undefined;
    if (short === 1 && head.length < 16) return at + 16;
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8) return at;
    at += length;
  }
  return at;
}

/** 0 and all ones are written by those who stream. The byte that fills up to an even length may be missing. */
function lengthOfRiff(head: Buffer): number | undefined {
  if (head.length < 8) return 8;
  const length = head.readUInt32LE(4);
  return length === 0 || length === 0xffffffff ? undefined : length + (length % 2 === 0 ? 8 : 7);
}

/** RFC 8794: a head, then the one segment that holds everything. */
function lengthOfEbml(file: number, head: Buffer): number | undefined {
  const first = lengthIn(head.subarray(4));
  if (first?.value === undefined) return undefined;
  const at = 4 + first.bytes + first.value;
  const segment = bytesAt(file, at, 12);
  if (segment.length < 12) return at + 12;
  if (segment.readUInt32BE(0) !== 0x18538067) return undefined;
  const length = lengthIn(segment.subarray(4));
  return length?.value === undefined ? undefined : at + 4 + length.bytes + length.value;
}

/** RFC 8794, 4: as many leading zeros as further bytes. All ones: not known. */
function lengthIn(bytes: Buffer): { readonly bytes: number; readonly value: number | undefined } | undefined {
  const width = Math.clz32(bytes[0] ?? 0) - 23;
  if (width > 8 || bytes.length < width) return undefined;
  let value = BigInt((bytes[0] ?? 0) & ((1 << (8 - width)) - 1));
  for (const byte of bytes.subarray(1, width)) value = (value << 8n) | BigInt(byte);
  return { bytes: width, value: value === (1n << BigInt(7 * width)) - 1n ? undefined : Number(value) };
}

/** @param file its descriptor. Returns fewer bytes at the end of the file. */
export function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}
