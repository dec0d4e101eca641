/** Where each kind of file keeps its XMP packet and its Content Credentials, and the edits that put a packet there. */
import { crc32, inflateSync } from 'node:zlib';
import type { Bytes, Edit } from './byte-edits.ts';

export interface Marks {
  /** It carries Content Credentials. */
  readonly hasC2pa: boolean;
  /** Its XMP packet. */
  readonly packet?: Buffer | undefined;
  /** Undefined where the file has no room for it. */
  readonly put: (packet: Buffer) => readonly Edit[] | undefined;
}

export type Container = (file: Bytes) => Promise<Marks | undefined>;

const edit = (at: number, remove: number, ...insert: readonly Buffer[]): Edit => ({
  at,
  remove,
  insert: Buffer.concat(insert),
});

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A packet longer than this is none that we rewrite. */
const MAX_PACKET = 1_000_000;

// JPEG: a segment `APP1` by the name of XMP (ISO 16684-3); Content Credentials in `APP11`.

const JPEG_XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP11 = 0xeb;
const SCAN = 0xda;
/** The length of a segment counts itself, in 16 bits. */
const MAX_SEGMENT = 0xffff;

export const jpeg: Container = async file => {
  let packet: Buffer | undefined;
  let place = { at: 2, length: 0 };
  let hasC2pa = false;
  let isWhole = false;
  for (let at = 2; at + 4 <= file.size; ) {
    const head = await file.read(at, 4 + JPEG_XMP.length);
    const [mark, marker = SCAN] = head;
    if (mark !== 0xff) break;
    if (marker === SCAN) {
      isWhole = true;
      break;
    }
    // Bytes that fill up, before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = 2 + head.readUInt16BE(2);
    const isXmp = marker === APP1 && head.subarray(4).equals(JPEG_XMP);
    if (isXmp && !packet) {
      packet = (await file.read(at, length)).subarray(4 + JPEG_XMP.length);
      place = { at, length };
    }
    hasC2pa ||= marker === APP11 && head.toString('latin1', 4, 6) === 'JP';
    // Readers want JFIF's segment, or EXIF's, to be first.
    const isHead = marker === APP0 || (marker === APP1 && head.toString('latin1', 4, 8) === 'Exif');
    if (!packet && isHead && place.at === at) place = { at: at + length, length: 0 };
    at += length;
  }
  if (!isWhole) return undefined;
  const put: Marks['put'] = xmp => {
    const length = 2 + JPEG_XMP.length + xmp.length;
    if (length > MAX_SEGMENT) return undefined;
    return [edit(place.at, place.length, Buffer.from([0xff, APP1, length >> 8, length & 0xff]), JPEG_XMP, xmp)];
  };
  return { packet, hasC2pa, put };
};

// PNG: an uncompressed `iTXt` chunk by the keyword of XMP (ISO 16684-3); Content Credentials in `caBX`.

const KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
const SIGNATURE = 8;

export const png: Container = async file => {
  let packet: Buffer | undefined;
  let place = { at: 0, length: 0 };
  let hasC2pa = false;
  let isWhole = false;
  for await (const { at, length, type } of pngChunks(file)) {
    // Behind the header, which has to be first.
    if (type === 'IHDR') place = { at: at + 12 + length, length: 0 };
    hasC2pa ||= type === 'caBX';
    isWhole = type === 'IEND';
    if ((type !== 'iTXt' && type !== 'zTXt') || packet || length > MAX_PACKET) continue;
    packet = textOf(type, await file.read(at + 8, length));
    if (packet) place = { at, length: 12 + length };
  }
  if (place.at === 0 || !isWhole) return undefined;
  return { packet, hasC2pa, put: xmp => [edit(place.at, place.length, textChunk(xmp))] };
};

/** Up to its end: what lies behind is no part of the picture. */
async function* pngChunks(file: Bytes) {
  for (let at = SIGNATURE; at + 12 <= file.size; ) {
    const head = await file.read(at, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    yield { at, length, type };
    if (type === 'IEND') return;
    at += 12 + length;
  }
}

/** Some programs write it as `zTXt`, which is always compressed. */
function textOf(type: string, data: Buffer): Buffer | undefined {
  if (!data.subarray(0, KEYWORD.length).equals(KEYWORD)) return undefined;
  if (type === 'zTXt') return inflated(data.subarray(KEYWORD.length + 1));
  const isCompressed = data[KEYWORD.length] === 1;
  const language = data.indexOf(0, KEYWORD.length + 2);
  const keyword = data.indexOf(0, language + 1);
  if (language < 0 || keyword < 0) return undefined;
  const text = data.subarray(keyword + 1);
  return isCompressed ? inflated(text) : text;
}

/** Undefined where it is damaged, or too long. */
function inflated(text: Buffer): Buffer | undefined {
  try {
    return inflateSync(text, { maxOutputLength: MAX_PACKET });
  } catch {
    return undefined;
  }
}

function textChunk(packet: Buffer): Buffer {
  // Not compressed, no language, no translated keyword.
  const body = Buffer.concat([Buffer.from('iTXt', 'latin1'), KEYWORD, Buffer.alloc(4), packet]);
  return Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
}

// WebP: a chunk `XMP ` that the extended header announces (RFC 9649, 2.7); Content Credentials in `C2PA`.

const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;

interface Chunk {
  readonly type: string;
  readonly at: number;
  /** With its head and its filling byte. */
  readonly whole: number;
  readonly length: number;
}

export const webp: Container = async file => {
  const riff = await file.read(0, 12);
  if (riff.length < 12) return undefined;
  const end = 8 + riff.readUInt32LE(4);
  if (end > file.size) return undefined;
  const chunks = await chunksOf(file, end);
  const [first] = chunks;
  const own = chunks.find(({ type }) => type === 'XMP ');
  if (!first) return undefined;
  const packet = own && own.length <= MAX_PACKET ? await file.read(own.at + 8, own.length) : undefined;
  const head = await file.read(first.at, 8 + Math.min(first.length, 10));
  const extended = first.type === 'VP8X' ? withFlag(head) : extendedHead(first.type, head);
  if (!extended) return undefined;
  const isNew = first.type !== 'VP8X';
  const hasC2pa = chunks.some(({ type }) => type === 'C2PA');
  const put: Marks['put'] = xmp => {
    const whole = riffChunk('XMP ', xmp);
    const more = whole.length - (own?.whole ?? 0) + (isNew ? extended.length : 0);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(end - 8 + more);
    return [
      edit(4, 4, size),
      edit(first.at, isNew ? 0 : extended.length, extended),
      own ? edit(own.at, own.whole, whole) : edit(end, 0, whole),
    ];
  };
  return { packet, hasC2pa, put };
};

async function chunksOf(file: Bytes, end: number): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= Math.min(end, file.size); ) {
    const head = await file.read(at, 8);
    const length = head.readUInt32LE(4);
    const whole = 8 + length + (length % 2);
    chunks.push({ type: head.toString('latin1', 0, 4), at, whole, length });
    at += whole;
  }
  return chunks;
}

function riffChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function withFlag(head: Buffer): Buffer {
  const flagged = Buffer.from(head);
  flagged.writeUInt8(flagged.readUInt8(8) | HAS_XMP, 8);
  return flagged;
}

/** A simple file becomes an extended one: flags, and the size of the canvas less one, in 24 bits each. */
function extendedHead(type: string, head: Buffer): Buffer | undefined {
  const size = type === 'VP8L' ? losslessSize(head) : type === 'VP8 ' ? lossySize(head) : undefined;
  if (!size) return undefined;
  const body = Buffer.alloc(10);
  body.writeUInt8(HAS_XMP | (size.hasAlpha ? HAS_ALPHA : 0), 0);
  body.writeUIntLE(size.width - 1, 4, 3);
  body.writeUIntLE(size.height - 1, 7, 3);
  return riffChunk('VP8X', body);
}

/** RFC 9649, 3.4: one byte of signature, 14 bits each, one bit of alpha. */
function losslessSize(head: Buffer) {
  const bits = head.readUInt32LE(9);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, hasAlpha: (bits >>> 28) % 2 === 1 };
}

/** RFC 6386, 9.1: three bytes of frame tag, three of start code, 14 bits each. */
const lossySize = (head: Buffer) => ({
  width: head.readUInt16LE(14) & 0x3fff,
  height: head.readUInt16LE(16) & 0x3fff,
  hasAlpha: false,
});

const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const C2PA_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
/** The head of a movie is held in memory. */
const MAX_MOVIE = 64_000_000;

interface Box {
  readonly type: string;
  readonly at: number;
  /** Bytes before its content. */
  readonly head: number;
  readonly size: number;
  /** Its size is written as "to the end of the file". */
  readonly isOpen: boolean;
  readonly id?: Buffer;
}

export const mp4: Container = async file => {
  const boxes = await boxesOf(file);
  const last = boxes.at(-1);
  if (!last || last.at + last.size !== file.size) return undefined;
  const hasC2pa = boxes.some(({ id }) => id?.equals(C2PA_ID));
  const brand = boxes[0]?.type === 'ftyp' ? (await file.read(boxes[0].at + 8, 4)).toString('latin1') : 'qt  ';
  if (brand === 'qt  ') return await quickTime(file, boxes, hasC2pa);
  const own = boxes.find(({ id }) => id?.equals(XMP_ID));
  const packet = own && own.size <= MAX_PACKET ? await file.read(own.at + own.head, own.size - own.head) : undefined;
  // An index of fragments is looked for at the very end: ISO/IEC 14496-12, 8.8.11.
  const place = last.type === 'mfra' ? last.at : file.size;
  const put: Marks['put'] = xmp => {
    const box = boxOf('uuid', XMP_ID, xmp);
    if (own) return closing(last, own).concat(edit(own.at, own.size, box));
    const closed = closing(last);
    return last.isOpen && closed.length === 0 ? undefined : [...closed, edit(place, 0, box)];
  };
  return { packet, hasC2pa, put };
};

/** A box that reaches to the end of the file gets its size, so that another may stand behind it. */
const closing = (last: Box, own?: Box): readonly Edit[] =>
  last.isOpen && last !== own && last.size < 2 ** 32 ? [edit(last.at, 4, uint32(last.size))] : [];

async function quickTime(file: Bytes, boxes: readonly Box[], hasC2pa: boolean) {
  const moov = boxes.find(({ type }) => type === 'moov');
  const last = boxes.at(-1);
  if (!moov || !last || moov.isOpen || moov.size > MAX_MOVIE) return undefined;
  const body = await file.read(moov.at + moov.head, moov.size - moov.head);
  const udta = childrenOf(body, 0, body.length).find(({ type }) => type === 'udta');
  const inside = udta ? childrenOf(body, udta.at + udta.head, udta.at + udta.size) : [];
  const own = inside.find(({ type }) => type === 'XMP_');
  const packet = own && body.subarray(own.at + own.head, own.at + own.size);
  const put: Marks['put'] = xmp => {
    const kept = inside.filter(one => one !== own).map(({ at, size }) => body.subarray(at, at + size));
    const data = boxOf('udta', ...kept, boxOf('XMP_', xmp));
    const rest = udta ? [body.subarray(0, udta.at), body.subarray(udta.at + udta.size)] : [body];
    const movie = boxOf('moov', ...rest, data);
    if (moov === last) return [edit(moov.at, moov.size, movie)];
    const closed = closing(last);
    if (last.isOpen && closed.length === 0) return undefined;
    // Its offsets count from the start of the file: so the samples stay in their places, and the movie moves behind them.
    return [edit(moov.at + 4, 4, Buffer.from('free', 'latin1')), ...closed, edit(file.size, 0, movie)];
  };
  return { packet, hasC2pa, put };
}

async function boxesOf(file: Bytes): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= file.size; ) {
    const bytes = await file.read(at, 32);
    const box = boxAt(bytes, 0, at, file.size);
    if (!box) break;
    boxes.push(box);
    at += box.size;
  }
  return boxes;
}

function childrenOf(bytes: Buffer, from: number, to: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const box = boxAt(bytes, at, at, to);
    // QuickTime may end a list with four zero bytes.
    if (!box || box.isOpen) break;
    boxes.push(box);
    at += box.size;
  }
  return boxes;
}

/** @param at offset of the box in `bytes`. @param place its offset in the file. @param end where the file, or the box around it, ends. */
function boxAt(bytes: Buffer, at: number, place: number, end: number): Box | undefined {
  const short = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  const isLong = short === 1;
  if (isLong && bytes.length < at + 16) return undefined;
  const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? end - place : short;
  const start = isLong ? 16 : 8;
  const isUuid = type === 'uuid';
  const head = start + (isUuid ? 16 : 0);
  if (size < head || place + size > end) return undefined;
  const id = isUuid ? { id: bytes.subarray(at + start, at + head) } : {};
  return { type, at: place, head, size, isOpen: short === 0, ...id };
}

const boxOf = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type, 'latin1'), body]);
};
