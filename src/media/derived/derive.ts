/** Takes a frame or the sound out of a video that lies on this machine. */
import { open, writeFile } from 'node:fs/promises';
import type { DerivedPart } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { NotMedia } from '../decode/not-media.ts';
import {
  defaultColourSpace,
  isHidden,
  isRgb,
  openMedia,
  orientationOf,
  packetsOf,
  readOnly,
  squareWidth,
  ticksOf,
  trackIn,
} from '../decode/open-input.ts';
import { convertedFrame, encodedPicture } from '../encode/early-picture.ts';
import { EXACT, KERNEL, reader } from '../filtergraph.ts';
import { type Frame, filterGraph, type Libav, libav, newFrame, type Stream } from '../libav.ts';
import { ShownFrames } from './shown-frames.ts';

export interface DeriveJob {
  /** The video. */
  readonly path: string;
  readonly what: DerivedPart;
  /** Where the PNG or the WAV is written: nothing is there yet. */
  readonly out: string;
}

/** Facts of what was written. @throws {NotMedia} where the video does not have it, in words about it: `it has no sound`. */
export async function derive({ path, what, out }: DeriveJob): Promise<MediaFacts> {
  const av = await libav();
  if (what.is === 'sound') {
    return { kind: 'audio', format: 'wav', duration: await writeSound(av, path, out), audio_codec: PCM };
  }
  await using video = await ShownFrames.open(av, path);
  const frame = await frameOf(video, what);
  try {
    return await written(av, frame, video, out);
  } finally {
    frame.free();
  }
}

/** As probing calls it. */
const PCM = 'pcm-s16';

function frameOf(video: ShownFrames, what: Exclude<DerivedPart, { is: 'sound' }>): Promise<Frame> {
  switch (what.is) {
    case 'first_frame':
      return video.first();
    case 'last_frame':
      return video.last();
    case 'frame_at':
      return video.at(what.at);
  }
}

async function written(av: Libav, frame: Frame, { stream }: ShownFrames, out: string): Promise<MediaFacts> {
  const { bytes, width, height } = await framePng(av, frame, stream);
  await writeFile(out, bytes, { flag: 'wx' });
  return { kind: 'image', format: 'png', width, height };
}

interface Png {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A decoded picture as a PNG: upright, with square pixels, in the colours that a player shows. The same picture gives the same bytes. */
async function framePng(av: Libav, frame: Frame, stream: Stream): Promise<Png> {
  using release = new DisposableStack();
  if (frame.colorSpace === av.c.AVCOL_SPC_UNSPECIFIED && !isRgb(av, frame))
    frame.colorSpace = defaultColourSpace(av, frame);
  const picture = await inRgb(av, release, frame, stream);
  return {
    bytes: onlyPixels(await encodedPicture(av, release, picture, PNG)),
    width: picture.width,
    height: picture.height,
  };
}

const PNG = { codec: 'png', options: { pred: 'mixed', compression_level: '6' } } as const;
const PIXELS = new Set(['IHDR', 'IDAT', 'IEND']);

/** Without the encoder's other chunks: a turn that has been made already would be made twice, and colours are those of screens now. */
function onlyPixels(png: Buffer): Buffer {
  const kept = [png.subarray(0, 8)];
  for (let at = 8; at < png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    if (PIXELS.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function inRgb(av: Libav, release: DisposableStack, frame: Frame, stream: Stream): Promise<Frame> {
  const { width, height, colorSpace, colorRange } = frame;
  const square = squareWidth(
    width,
    frame.sampleAspectRatio.num > 0 ? frame.sampleAspectRatio : stream.sampleAspectRatio,
  );
  const steps = [
    `scale=${square}:${height}:out_range=pc:flags=${KERNEL}+${EXACT}`,
    'format=rgb24',
    ...orientationOf(av, stream).steps,
  ];
  const colours = `colorspace=${colorSpace}:range=${colorRange}`;
  return convertedFrame(av, release, frame, { colours, through: steps.join(',') });
}

// The sound as WAV: 48 kHz, 16 bit, mono where it is mono and stereo where it has more. It begins with the first picture and is as long as the
// pictures: what begins later has silence before it, what goes on after the last one is cut off, and a gap in it stays a gap.

const RATE = 48_000;
/** Seconds that clocks of containers may be off without a gap being meant. */
const JITTER = 0.02;
/** Bytes that the head of a WAV can tell of. */
const MOST = 2 ** 32 - 1 - 36;

/** Returns its seconds. @throws {NotMedia} where it has no sound, or none that can be decoded. */
async function writeSound(av: Libav, path: string, out: string): Promise<number> {
  const { start, seconds, channels } = await spanOf(av, path);
  const samples = Math.round(seconds * RATE);
  const width = channels * 2;
  if (samples * width > MOST) throw new NotMedia('its sound is too long for a WAV file (6 hours of stereo)');
  await using file = await open(out, 'wx');
  await file.write(headOf(samples * width, channels));
  let at = 0;
  const write = async (data: Uint8Array) => {
    await file.write(data);
    at += data.length / width;
  };
  const silence = async (until: number) => {
    while (at < until) await write(new Uint8Array(Math.min(until - at, RATE) * width));
  };
  let isSound = false;
  for await (const part of partsOf(av, path, channels)) {
    const place = Math.round((part.time - start) * RATE);
    const isNext = isSound && Math.abs(place - at) <= JITTER * RATE;
    const from = isNext ? at : place;
    isSound = true;
    if (from >= samples) break;
    await silence(Math.min(from, samples));
    const skipped = Math.max(0, at - from);
    const room = Math.min(part.data.length / width - skipped, samples - at);
    if (room > 0) await write(part.data.subarray(skipped * width, (skipped + room) * width));
  }
  if (!isSound) throw new NotMedia('its sound cannot be decoded');
  await silence(samples);
  return samples / RATE;
}

/** When its first picture is shown, and for how long there are any: seconds. */
async function spanOf(av: Libav, path: string) {
  await using file = await openMedia(av, path).catch(() => {
    throw new NotMedia('it cannot be opened as a video');
  });
  const video = trackIn(av, file, 'video');
  const audio = trackIn(av, file, 'audio');
  if (!video) throw new NotMedia('it has no pictures');
  if (!audio) throw new NotMedia('it has no sound');
  readOnly(av, file, video);
  const beat = video.avgFrameRate.num > 0 ? video.avgFrameRate.den / video.avgFrameRate.num : 0;
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const packet of packetsOf(av, file)) {
    if (packet.streamIndex !== video.index || isHidden(av, packet)) continue;
    const { num, den } = video.timeBase;
    const time = (ticksOf(av, packet) * num) / den;
    start = Math.min(start, time);
    end = Math.max(end, time + (packet.duration > 0n ? (Number(packet.duration) * num) / den : beat));
  }
  if (!(end > start)) throw new NotMedia('none of its pictures can be decoded');
  const channels: 1 | 2 = audio.codecpar.channels === 1 ? 1 : 2;
  return { start, seconds: end - start, channels };
}

/** Decoded, in order; `time`: seconds by the file's own clock. */
async function* partsOf(
  av: Libav,
  path: string,
  channels: 1 | 2,
): AsyncGenerator<{ readonly time: number; readonly data: Uint8Array }> {
  using release = new DisposableStack();
  const shape = `aformat=sample_fmts=s16:sample_rates=${RATE}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`;
  const { end } = await filterGraph(av, release, `${reader('amovie', path)},${shape},abuffersink@out`);
  const sink = end('abuffersink@out');
  const frame = newFrame(av, release);
  const { num, den } = sink.buffersinkGetTimeBase();
  while ((await sink.buffersinkGetFrame(frame)) >= 0) {
    const data = new Uint8Array(frame.toBuffer()).subarray(0, frame.nbSamples * channels * 2);
    const time = (Number(frame.pts) * num) / den;
    frame.unref();
    yield { time, data };
  }
}

/** RIFF, with the one format that everybody reads. */
function headOf(bytes: number, channels: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
}
