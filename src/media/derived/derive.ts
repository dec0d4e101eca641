/** Takes a frame or the sound out of a video that lies on this machine. */
import { writeFile } from 'node:fs/promises';
import type { DerivedPart } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { defaultColourSpace, orientationOf } from '../decode/open-input.ts';
import { convertedFrame, encodedPicture } from '../encode/early-picture.ts';
import { EXACT, KERNEL } from '../filtergraph.ts';
import { type Frame, type Libav, libav, type Stream } from '../libav.ts';
import { ShownFrames } from './shown-frames.ts';
import { writeSound } from './video-sound.ts';

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
    const { seconds } = await writeSound(av, path, out);
    return { kind: 'audio', format: 'wav', duration: seconds, audio_codec: PCM };
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

const isRgb = (av: Libav, { format }: Frame): boolean =>
  /^(rgb|bgr|argb|abgr|gbr|pal8|0rgb|0bgr)/.test(av.avGetPixFmtName(format as never) ?? '');

function inRgb(av: Libav, release: DisposableStack, frame: Frame, stream: Stream): Promise<Frame> {
  const { width, height, colorSpace, colorRange } = frame;
  const { num, den } = frame.sampleAspectRatio.num > 0 ? frame.sampleAspectRatio : stream.sampleAspectRatio;
  const square = num > 0 && den > 0 && num !== den ? Math.round((width * num) / den / 2) * 2 : width;
  const steps = [
    `scale=${square}:${height}:out_range=pc:flags=${KERNEL}+${EXACT}`,
    'format=rgb24',
    ...orientationOf(av, stream).steps,
  ];
  const colours = `colorspace=${colorSpace}:range=${colorRange}`;
  return convertedFrame(av, release, frame, { colours, through: steps.join(',') });
}
