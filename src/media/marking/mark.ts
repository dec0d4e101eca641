/**
 * Marks a copy of a file as synthetic: XMP with IPTC's digital source type, in PNG, JPEG, WebP, MP4 and MOV. What the file says of itself
 * stays: a packet is added to, and a file with Content Credentials is left as it is, because any change would break their signature.
 */
import { open } from 'node:fs/promises';
import type { MediaFacts } from '../../domain/media.ts';
import { type Container, edit, type Marks, MOST_OF_A_PACKET } from './containers.ts';
import { type Bytes, bytesOf, type Edit } from './edits.ts';
import { jpeg } from './jpeg.ts';
import { mp4 } from './mp4.ts';
import { png } from './png.ts';
import { type Mark, packetOf, packetWith, sourceTypeIn } from './xmp.ts';

/** WebP: a chunk `XMP ` that the extended header announces (RFC 9649, 2.7); Content Credentials in `C2PA`. */
const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;

interface Chunk {
  readonly type: string;
  readonly at: number;
  /** With its head and its filling byte. */
  readonly whole: number;
  readonly length: number;
}

const webp: Container = async file => {
  const riff = await file.read(0, 12);
  if (riff.length < 12) return undefined;
  const end = 8 + riff.readUInt32LE(4);
  if (end > file.size) return undefined;
  const chunks = await chunksOf(file, end);
  const [first] = chunks;
  const own = chunks.find(({ type }) => type === 'XMP ');
  if (!first) return undefined;
  const packet = own && own.length <= MOST_OF_A_PACKET ? await file.read(own.at + 8, own.length) : undefined;
  const head = await file.read(first.at, 8 + Math.min(first.length, 10));
  const extended = first.type === 'VP8X' ? withFlag(head) : extendedHead(first.type, head);
  if (!extended) return undefined;
  const isNew = first.type !== 'VP8X';
  const hasC2pa = chunks.some(({ type }) => type === 'C2PA');
  const put: Marks['put'] = xmp => {
    const whole = chunk('XMP ', xmp);
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

function chunk(type: string, body: Buffer): Buffer {
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
  return chunk('VP8X', body);
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

/** By the format names of `MediaFacts`. */
const CONTAINERS: { readonly [format: string]: Container } = {
  ...{ png, apng: png, jpg: jpeg, webp },
  ...{ mp4, m4v: mp4, m4a: mp4, mov: mp4 },
};

/** Whether files of this format carry a mark. */
export const canBeMarked = ({ format = '' }: Pick<MediaFacts, 'format'>): boolean => format in CONTAINERS;

/** What a file says of its own making; nothing where its format is another. @throws what the disk throws. */
export async function ownMarks(
  path: string,
  facts: Pick<MediaFacts, 'format'>,
): Promise<Pick<MediaFacts, 'source_type' | 'c2pa'>> {
  const { packet, hasC2pa } = (await marksIn(path, facts)) ?? {};
  const type = packet && sourceTypeIn(packet);
  return { ...(type !== undefined && { source_type: type }), ...(hasC2pa && { c2pa: true }) };
}

/**
 * The edits that mark a copy of a file; none where it names its source type itself, carries Content Credentials, or cannot be marked.
 * @throws what the disk throws.
 */
export async function markingEdits(
  path: string,
  facts: Pick<MediaFacts, 'format'>,
  mark: Mark,
): Promise<readonly Edit[]> {
  const found = await marksIn(path, facts);
  if (!found || found.hasC2pa) return [];
  const packet = found.packet ? packetWith(mark, found.packet) : packetOf(mark);
  return (packet && found.put(packet)) ?? [];
}

async function marksIn(path: string, { format = '' }: Pick<MediaFacts, 'format'>): Promise<Marks | undefined> {
  const container = CONTAINERS[format];
  if (!container) return undefined;
  await using file = await open(path, 'r');
  return await container(await bytesOf(file));
}
