/** A decoded picture as a PNG: upright, with square pixels, in the colours that a player shows. The same picture gives the same bytes. */
import { EXACT, KERNEL } from '../filtergraph.ts';
import { check, type FilterContext, type Frame, type Libav, type Stream } from '../libav.ts';
import { orientationOf } from '../orientation.ts';
import { unsaidColourSpace } from '../unsaid-colours.ts';

interface Png {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

export async function framePng(av: Libav, frame: Frame, stream: Stream): Promise<Png> {
  using release = new DisposableStack();
  if (frame.colorSpace === av.c.AVCOL_SPC_UNSPECIFIED && !isRgb(av, frame))
    frame.colorSpace = unsaidColourSpace(av, frame);
  const picture = await inRgb(av, release, frame, stream);
  return { bytes: onlyPixels(await encoded(av, release, picture)), width: picture.width, height: picture.height };
}

const PIXELS = new Set(['IHDR', 'IDAT', 'IEND']);

/** Without what the encoder says beside: a turn that has been made already would be made twice, and colours are those of screens now. */
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

async function inRgb(av: Libav, release: DisposableStack, frame: Frame, stream: Stream): Promise<Frame> {
  const { width, height, format, colorSpace, colorRange } = frame;
  const { num, den } = frame.sampleAspectRatio.num > 0 ? frame.sampleAspectRatio : stream.sampleAspectRatio;
  const square = num > 0 && den > 0 && num !== den ? Math.round((width * num) / den / 2) * 2 : width;
  const source = `buffer@in=video_size=${width}x${height}:pix_fmt=${format}:time_base=1/1:colorspace=${colorSpace}:range=${colorRange}`;
  const steps = [
    source,
    `scale=${square}:${height}:out_range=pc:flags=${KERNEL}+${EXACT}`,
    'format=rgb24',
    ...orientationOf(av, stream).steps,
    'buffersink@out',
  ];
  const graph = release.adopt(new av.FilterGraph(), it => it.free());
  graph.alloc();
  graph.nbThreads = 1;
  check(av, graph.parsePtr(steps.join(',')), 'reading the graph of a frame');
  check(av, await graph.config(), 'setting up the graph of a frame');
  const [into, out] = ['buffer@in', 'buffersink@out'].map(name => graph.getFilter(name)) as [
    FilterContext,
    FilterContext,
  ];
  check(av, await into.buffersrcAddFrame(frame), 'converting a frame');
  check(av, await into.buffersrcAddFrame(null), 'converting a frame');
  const picture = release.adopt(new av.Frame(), it => it.free());
  picture.alloc();
  check(av, await out.buffersinkGetFrame(picture), 'converting a frame');
  return picture;
}

async function encoded(av: Libav, release: DisposableStack, picture: Frame): Promise<Buffer> {
  const codec = av.Codec.findEncoderByName('png' as never);
  if (!codec) throw new Error('the media engine writes no PNG');
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  encoder.allocContext3(codec);
  encoder.width = picture.width;
  encoder.height = picture.height;
  encoder.pixelFormat = picture.format as typeof encoder.pixelFormat;
  encoder.timeBase = new av.Rational(1, 1);
  encoder.threadCount = 1;
  encoder.setFlags(av.c.AV_CODEC_FLAG_BITEXACT);
  using options = av.Dictionary.fromObject({ pred: 'mixed', compression_level: '6' });
  check(av, await encoder.open2(codec, options), 'starting to write a PNG');
  picture.pts = 0n;
  check(av, await encoder.sendFrame(picture), 'writing a PNG');
  check(av, await encoder.sendFrame(null), 'writing a PNG');
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  check(av, await encoder.receivePacket(packet), 'writing a PNG');
  return Buffer.from(packet.data ?? Buffer.alloc(0));
}
