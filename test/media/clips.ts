/** Which drawn picture one is, and files changed where the encoder writes them otherwise. */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { check, libav } from '../../src/media/libav.ts';
import { drift, psnr } from './footage.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

export async function pixelsOf(png: string | Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

/** Which of the pictures that `film` draws this one is most like. */
export function numberOf({ width, height, rgb }: Pixels, frames: number): number {
  let [best, found] = [0, -1];
  let n = 0;
  for (const rgba of drift(width, height, frames)) {
    const drawn = rgba.filter((_, i) => i % 4 !== 3);
    const likeness = psnr(drawn, rgb);
    if (likeness > best) [best, found] = [likeness, n];
    n++;
  }
  return found;
}

export interface Colours {
  readonly format: string;
  /** Of the filter that converts: `bt709`. */
  readonly matrix: string;
  readonly range: 'tv' | 'pc';
  /** What the file says: numbers of ISO/IEC 23091-2, 8.3; 2 says nothing. */
  readonly says: number;
  readonly height?: number;
}

/** Three pictures of one colour, kept as they are (FFV1), in a file that says of its colours what it is told to say. */
export async function oneColour(out: string, rgb: string, of: Colours): Promise<string> {
  const { format, matrix, range, says, height = 64 } = of;
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const graph = release.adopt(new av.FilterGraph(), it => it.free());
  graph.alloc();
  const flags = 'accurate_rnd+full_chroma_int+bitexact';
  const convert = `scale=out_color_matrix=${matrix}:out_range=${range}:flags=${flags},format=${format}`;
  const text = `color=c=0x${rgb}:size=64x${height}:rate=24,format=gbrp,${convert},trim=end_frame=3,buffersink@out`;
  check(av, graph.parsePtr(text), 'reading the graph');
  check(av, await graph.config(), 'setting up the graph');
  const sink = graph.getFilter('buffersink@out')!;
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  const codec = av.Codec.findEncoderByName('ffv1' as never)!;
  encoder.allocContext3(codec);
  encoder.width = 64;
  encoder.height = height;
  encoder.pixelFormat = sink.buffersinkGetFormat() as typeof encoder.pixelFormat;
  encoder.timeBase = new av.Rational(1, 24);
  encoder.colorSpace = says as typeof encoder.colorSpace;
  encoder.colorRange = range === 'pc' ? av.c.AVCOL_RANGE_JPEG : av.c.AVCOL_RANGE_MPEG;
  check(av, await encoder.open2(codec, null), 'starting the encoder');
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, 'matroska', out), 'preparing the file');
  const stream = file.newStream(null);
  check(av, stream.codecpar.fromContext(encoder), 'describing the pictures');
  stream.timeBase = encoder.timeBase;
  check(av, await file.openOutput(), 'opening the file');
  check(av, await file.writeHeader(null), 'writing the head');
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  const frame = release.adopt(new av.Frame(), it => it.free());
  frame.alloc();
  for (let n = 0, isOver = false; !isOver; n++) {
    isOver = (await sink.buffersinkGetFrame(frame)) < 0;
    if (!isOver) frame.pts = BigInt(n);
    await encoder.sendFrame(isOver ? null : frame);
    frame.unref();
    while ((await encoder.receivePacket(packet)) >= 0) {
      packet.streamIndex = stream.index;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      check(av, await file.interleavedWriteFrame(packet), 'writing');
    }
  }
  check(av, await file.writeTrailer(), 'ending the file');
  await file.closeOutput();
  return out;
}

/** The matrix of the track header (ISO/IEC 14496-12, 8.3.2): turned a quarter clockwise. */
export async function turned(path: string, out: string): Promise<string> {
  const bytes = await readFile(path);
  const matrix = bytes.indexOf('tkhd') + 44;
  for (const [i, value] of [0, 0x10000, 0, -0x10000, 0].entries()) bytes.writeInt32BE(value, matrix + i * 4);
  await writeFile(out, bytes);
  return out;
}

/** An edit list (8.6.6) that shows no more than so many seconds of the first track. */
export async function shownFor(path: string, seconds: number, out: string): Promise<string> {
  const bytes = await readFile(path);
  const scale = bytes.readUInt32BE(bytes.indexOf('mvhd') + 4 + 12);
  const list = bytes.indexOf('elst');
  if (list < 0 || bytes.readUInt32BE(list + 8) !== 1) throw new Error('the file has no edit list of one entry');
  bytes.writeUInt32BE(Math.round(seconds * scale), list + 12);
  await writeFile(out, bytes);
  return out;
}
