/** One picture of a film as a JPEG, while the film is still being made: a person may wait for it. It is the very picture that the encoder is given. */
import { rename, writeFile } from 'node:fs/promises';
import { EXACT, KERNEL } from '../filtergraph.ts';
import { check, type Frame, filterGraph, type Libav, newFrame, newPacket, type Release } from '../libav.ts';

export interface EarlyPicture {
  /** Which of the film's pictures, from 0. */
  readonly picture: number;
  /** Absolute path of the JPEG; its folder exists. */
  readonly out: string;
}

/** It appears at once and whole. A disk that has no room for it will say so about the film. The frame stays as it is. */
export async function writeEarlyPicture(av: Libav, frame: Frame, out: string): Promise<void> {
  const jpeg = await jpegOf(av, frame);
  try {
    await writeFile(`${out}.tmp`, jpeg);
    await rename(`${out}.tmp`, out);
  } catch {
    // See above.
  }
}

/** 2 is the best that the encoder has, 31 the worst: a slate's small type stays sharp. */
const QUALITY = '3';

async function jpegOf(av: Libav, frame: Frame): Promise<Buffer> {
  using release = new DisposableStack();
  // A JPEG's colours are those of old television, over the whole range, whatever the film's are.
  const colours = `scale=out_color_matrix=bt601:out_range=pc:flags=${KERNEL}+${EXACT},format=yuvj420p`;
  const picture = await convertedFrame(av, release, frame, { colours: 'colorspace=bt709:range=tv', through: colours });
  return await encodedPicture(av, release, picture, { codec: 'mjpeg', options: { qmin: QUALITY, qmax: QUALITY } });
}

interface Conversion {
  /** Options of `buffer` for the frame's colours. */
  readonly colours: string;
  /** The filters. */
  readonly through: string;
}

/** One frame through filters, alike on every machine. The frame stays as it is; the answer is freed with `release`. */
export async function convertedFrame(
  av: Libav,
  release: Release,
  frame: Frame,
  { colours, through }: Conversion,
): Promise<Frame> {
  const { width, height, format } = frame;
  const source = `buffer@in=video_size=${width}x${height}:pix_fmt=${format}:time_base=1/1:${colours}`;
  const { end } = await filterGraph(av, release, `${source},${through},buffersink@out`, 1);
  const into = end('buffer@in');
  check(av, await into.buffersrcAddFrame(frame, av.c.AV_BUFFERSRC_FLAG_KEEP_REF), 'converting a picture');
  check(av, await into.buffersrcAddFrame(null), 'converting a picture');
  const picture = newFrame(av, release);
  check(av, await end('buffersink@out').buffersinkGetFrame(picture), 'converting a picture');
  return picture;
}

interface PictureFormat {
  readonly codec: 'png' | 'mjpeg';
  readonly options: Readonly<Record<string, string>>;
}

/** The same picture gives the same bytes. */
export async function encodedPicture(
  av: Libav,
  release: Release,
  picture: Frame,
  { codec: name, options: wanted }: PictureFormat,
): Promise<Buffer> {
  const codec = av.Codec.findEncoderByName(name as never);
  if (!codec) throw new Error(`the media engine has no encoder "${name}"`);
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  encoder.allocContext3(codec);
  encoder.width = picture.width;
  encoder.height = picture.height;
  encoder.pixelFormat = picture.format as typeof encoder.pixelFormat;
  if (name === 'mjpeg') encoder.colorRange = av.c.AVCOL_RANGE_JPEG;
  encoder.timeBase = new av.Rational(1, 1);
  encoder.threadCount = 1;
  encoder.setFlags(av.c.AV_CODEC_FLAG_BITEXACT);
  using options = av.Dictionary.fromObject({ ...wanted });
  check(av, await encoder.open2(codec, options), `starting the encoder ${name}`);
  picture.pts = 0n;
  picture.pictType = av.c.AV_PICTURE_TYPE_NONE;
  check(av, await encoder.sendFrame(picture), `encoding with ${name}`);
  check(av, await encoder.sendFrame(null), `encoding with ${name}`);
  const packet = newPacket(av, release);
  check(av, await encoder.receivePacket(packet), `encoding with ${name}`);
  return Buffer.from(packet.data ?? Buffer.alloc(0));
}
