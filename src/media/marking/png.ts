/** PNG: an uncompressed `iTXt` chunk by the keyword of XMP (ISO 16684-3); Content Credentials in `caBX`. */
import { crc32, inflateSync } from 'node:zlib';
import { type Container, edit, MOST_OF_A_PACKET, uint32 } from './containers.ts';
import type { Bytes } from './edits.ts';

const KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
const SIGNATURE = 8;

export const png: Container = async file => {
  let packet: Buffer | undefined;
  let place = { at: 0, length: 0 };
  let hasC2pa = false;
  let isWhole = false;
  for await (const { at, length, type } of chunks(file)) {
    // Behind the header, which has to be first.
    if (type === 'IHDR') place = { at: at + 12 + length, length: 0 };
    hasC2pa ||= type === 'caBX';
    isWhole = type === 'IEND';
    if ((type !== 'iTXt' && type !== 'zTXt') || packet || length > MOST_OF_A_PACKET) continue;
    packet = textOf(type, await file.read(at + 8, length));
    if (packet) place = { at, length: 12 + length };
  }
  if (place.at === 0 || !isWhole) return undefined;
  return { packet, hasC2pa, put: xmp => [edit(place.at, place.length, chunk(xmp))] };
};

/** Up to its end: what lies behind is no part of the picture. */
async function* chunks(file: Bytes) {
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
    return inflateSync(text, { maxOutputLength: MOST_OF_A_PACKET });
  } catch {
    return undefined;
  }
}

function chunk(packet: Buffer): Buffer {
  // Not compressed, no language, no translated keyword.
  const body = Buffer.concat([Buffer.from('iTXt', 'latin1'), KEYWORD, Buffer.alloc(4), packet]);
  return Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
}
