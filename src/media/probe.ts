/**
 * What a file is, from its bytes: never from its name, and never from what its head promises alone.
 *
 *     first bytes ──▶ image → sharp, or a walk where it is not installed · film or sound → mediabunny (16 ms) · the rest → libav (0.3 s to load)
 *
 * A file cut short by a broken download still promises its full length in its head, and every prober repeats the promise.
 * So the last packet of each track is looked up; when it is not there, the packets that are there say how long the file is.
 * Durations of MP3 differ by up to 60 ms between readers: compare limits with a tolerance of 0.1 s.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { InputTrack, InputVideoTrack } from 'mediabunny';
import { whyNotLoaded } from '../machine/process/optional-packages.ts';
import type { MediaFacts } from '../model/media/media.ts';
import { described, NotMedia } from './decode/not-media.ts';
import { isWalked, walkPicture } from './decode/picture-walk.ts';
import { NoEngine } from './libav.ts';
import { ownMarks } from './marking/mark.ts';

export { NotMedia } from './decode/not-media.ts';

// An import that is repeated is resolved on the disk each time, which takes as long as reading a small picture.
let fileType: Promise<typeof import('file-type')> | undefined;
let stills: Promise<typeof import('./encode/open-still.ts')> | undefined;

/** @throws {NotMedia} when the file is none; the error of the file system when it cannot be read at all. */
export async function probe(path: string): Promise<MediaFacts> {
  const facts = await measured(path);
  return { ...facts, ...(await ownMarks(path, facts)) };
}

async function measured(path: string): Promise<MediaFacts> {
  const head = firstBytes(path);
  if (head.length === 0) throw new NotMedia('the file is empty: fetch or export it again');
  fileType ??= import('file-type');
  const { fileTypeFromBuffer, fileTypeFromFile } = await fileType;
  const typeOfHead = await fileTypeFromBuffer(head);
  // Other kinds may begin with tags, or with another container.
  const type = typeOfHead?.mime.startsWith('image/') ? typeOfHead : await fileTypeFromFile(path);
  if (type?.mime.startsWith('image/')) return await probeImage(path, type.ext);
  if (type === undefined || !/^(video|audio|application\/(ogg|mxf|vnd\.ms-asf))/.test(type.mime)) {
    const found = described(head, type?.mime);
    if (found !== undefined) throw new NotMedia(found);
  }
  return (await probeWithMediabunny(path, type?.ext)) ?? (await probeWithLibav(path, type?.ext));
}

/** Bytes that are enough to recognise a picture. */
const HEAD = 4_100;

function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    return bytesAt(file, 0, HEAD);
  } finally {
    closeSync(file);
  }
}

async function probeImage(path: string, format: string): Promise<MediaFacts> {
  const sharp = await loadSharp();
  if ('missing' in sharp) return await walkImage(path, format, sharp.missing);
  const { still } = sharp;
  try {
    const { width, height, autoOrient } = await still(path).metadata();
    // The head may be fine and the picture missing: a decode to a tiny size walks through all of it.
    await still(path).resize({ width: 16, height: 16, fit: 'inside', withoutEnlargement: true }).raw().toBuffer();
    return { kind: 'image', format, width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
  } catch {
    throw undecodable(format);
  }
}

/** Sharp is an optional dependency. */
async function loadSharp(): Promise<typeof import('./encode/open-still.ts') | { readonly missing: string }> {
  try {
    stills ??= import('./encode/open-still.ts');
    return await stills;
  } catch (error) {
    const missing = whyNotLoaded(error);
    if (missing === undefined) throw error;
    return { missing };
  }
}

async function walkImage(path: string, format: string, missing: string): Promise<MediaFacts> {
  if (!isWalked(format)) throw new NoEngine(`this ${format} image cannot be looked at: ${missing}`);
  const size = walkPicture(await readFile(path), format);
  if (size === undefined) throw undecodable(format);
  return { kind: 'image', format, ...size };
}

const undecodable = (format: string): NotMedia =>
  new NotMedia(`the file is a ${format} image that cannot be decoded: send a whole png, jpg or webp`);

/** Undefined when mediabunny does not know the container or cannot make sense of it. */
async function probeWithMediabunny(path: string, extension: string | undefined): Promise<MediaFacts | undefined> {
  const { ALL_FORMATS, FilePathSource, HLS, Input } = await import('mediabunny');
  // A playlist would make it open other files than the one it was given.
  const formats = ALL_FORMATS.filter(format => format !== HLS);
  try {
    using input = new Input({ formats, source: new FilePathSource(path) });
    if (!(await input.canRead())) return undefined;
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const sound = audio && ((await audio.getCodec()) ?? 'unknown');
    const format = extension ?? (await input.getFormat()).name.toLowerCase();
    if (video) return await videoFacts(video, format, sound);
    if (audio) return { kind: 'audio', format, duration: await presentSeconds(audio), audio_codec: sound };
    return undefined;
  } catch (error) {
    if (error instanceof NotMedia) throw error;
    return undefined;
  }
}

async function videoFacts(track: InputVideoTrack, format: string, sound: string | null): Promise<MediaFacts> {
  const codec = await track.getCodec();
  return {
    kind: 'video',
    format,
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    duration: await presentSeconds(track),
    fps: rounded((await track.computeFrameRateMetrics()).bestGuessFrameRate),
    ...(codec === null ? {} : { video_codec: codec === 'avc' ? 'h264' : codec }),
    audio_codec: sound,
  };
}

/** How long a track is, as far as its packets are in the file. Sound that starts before zero is padding, not length. */
async function presentSeconds(track: InputTrack): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny');
  const packets = new EncodedPacketSink(track);
  const start = Math.max(0, await track.getFirstTimestamp());
  const last = await packets.getPacket(Number.POSITIVE_INFINITY).catch(() => null);
  if (last !== null && last.data.length > 0) return rounded((await track.computeDuration()) - start);
  let end = 0;
  for await (const packet of packets.packets()) end = Math.max(end, packet.timestamp + packet.duration);
  if (end <= start)
    throw new NotMedia('the file breaks off before its first picture or sound: fetch or export it again');
  return rounded(end - start);
}

async function probeWithLibav(path: string, extension: string | undefined): Promise<MediaFacts> {
  const { readStreams } = await import('./decode/packets.ts');
  const streams = await readStreams(path).catch(error => {
    if (error instanceof Error && error.name === 'NoEngine') throw error;
    return undefined;
  });
  const video = streams?.find(stream => stream.kind === 'video');
  const audio = streams?.find(stream => stream.kind === 'audio');
  const seconds = video?.seconds ?? audio?.seconds ?? 0;
  if ((!video && !audio) || seconds <= 0) {
    throw new NotMedia(
      `the file${extension === undefined ? '' : ` looks like ${extension}, but`} holds no picture or sound that can be read: send a whole mp4, mov, webm, mp3 or wav`,
    );
  }
  const format = extension ?? 'unknown';
  if (!video) return { kind: 'audio', format, duration: rounded(seconds), audio_codec: audio?.codec ?? 'unknown' };
  return {
    kind: 'video',
    format,
    width: video.width,
    height: video.height,
    duration: rounded(seconds),
    fps: rounded(video.packets / seconds),
    video_codec: video.codec,
    audio_codec: audio?.codec ?? null,
  };
}

/** Milliseconds are enough for facts, and keep them readable. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

// How long a file is by its head, in the boxes it is made of: MP4 and its kin, Matroska and WebM, WAV and WebP. A download that broke off
// keeps its head, and with it every promise of length: this is the one that the bytes themselves can be held against.

/** Boxes looked at, one small read each: a film in pieces has one or two a second. */
const MAX_BOXES = 100_000;

/**
 * Bytes; undefined for containers that do not say, such as those written before their length was known. Reads synchronously, as the
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
  for (let box = 0; at < size && box < MAX_BOXES; box++) {
    const head = bytesAt(file, at, 16);
    // Bytes behind the last box do no harm.
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
function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}
