/** One picture of a film as a JPEG, while the film is still being made: for whoever waits for it. It is the very picture that the encoder is given. */
import { rename, writeFile } from 'node:fs/promises';
import { EXACT, KERNEL } from './filtergraph.ts';
import { check, type FilterContext, type Frame, type Libav } from './libav.ts';

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
  const picture = await inJpegColours(av, release, frame);
  const codec = av.Codec.findEncoderByName('mjpeg' as never);
  if (!codec) throw new Error('the media engine writes no JPEG');
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  encoder.allocContext3(codec);
  encoder.width = picture.width;
  encoder.height = picture.height;
  encoder.pixelFormat = picture.format as typeof encoder.pixelFormat;
  encoder.colorRange = av.c.AVCOL_RANGE_JPEG;
  encoder.timeBase = new av.Rational(1, 1);
  encoder.threadCount = 1;
  encoder.setFlags(av.c.AV_CODEC_FLAG_BITEXACT);
  using options = av.Dictionary.fromObject({ qmin: QUALITY, qmax: QUALITY });
  check(av, await encoder.open2(codec, options), 'starting to write a JPEG');
  picture.pts = 0n;
  picture.pictType = av.c.AV_PICTURE_TYPE_NONE;
  check(av, await encoder.sendFrame(picture), 'writing a JPEG');
  check(av, await encoder.sendFrame(null), 'writing a JPEG');
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  check(av, await encoder.receivePacket(packet), 'writing a JPEG');
  return Buffer.from(packet.data ?? Buffer.alloc(0));
}

/** A JPEG's colours are those of old television, over the whole range, whatever the film's are. */
async function inJpegColours(av: Libav, release: DisposableStack, frame: Frame): Promise<Frame> {
  const { width, height, format } = frame;
  const steps = [
    `buffer@in=video_size=${width}x${height}:pix_fmt=${format}:time_base=1/1:colorspace=bt709:range=tv`,
    `scale=out_color_matrix=bt601:out_range=pc:flags=${KERNEL}+${EXACT}`,
    'format=yuvj420p',
    'buffersink@out',
  ];
  const graph = release.adopt(new av.FilterGraph(), it => it.free());
  graph.alloc();
  graph.nbThreads = 1;
  check(av, graph.parsePtr(steps.join(',')), 'reading the graph of an early picture');
  check(av, await graph.config(), 'setting up the graph of an early picture');
  const [into, out] = ['buffer@in', 'buffersink@out'].map(name => graph.getFilter(name)) as [
    FilterContext,
    FilterContext,
  ];
  const kept = av.c.AV_BUFFERSRC_FLAG_KEEP_REF;
  check(av, await into.buffersrcAddFrame(frame, kept), 'converting an early picture');
  check(av, await into.buffersrcAddFrame(null), 'converting an early picture');
  const picture = release.adopt(new av.Frame(), it => it.free());
  picture.alloc();
  check(av, await out.buffersinkGetFrame(picture), 'converting an early picture');
  return picture;
}
