/**
 * MP4: a box `uuid` at the top of the file; QuickTime: `XMP_` in the movie's user data (ISO 16684-3). Content Credentials in a box `uuid` of theirs.
 */

import { type Container, edit, MAX_PACKET, type Marks, uint32 } from './containers.ts';
import type { Bytes, Edit } from './edits.ts';

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
