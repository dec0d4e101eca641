/** A film in any codec and pixel format, with any word about its colours: what the house's own encoder does not make. */
import { check, filterGraph, libav, newFrame, newPacket } from '../../src/media/libav.ts';

export interface RawFilm {
  /** Filtergraph text; its frames are written as they come out of it. */
  readonly graph: string;
  readonly codec: string;
  readonly container: 'mov' | 'matroska' | 'mpegts';
  /** `{ space: 'BT470BG' }`: names of libav's constants without their first words; a number as the file holds it. */
  readonly told?: {
    readonly space?: string | number;
    readonly range?: string;
    readonly trc?: string;
    readonly primaries?: string;
  };
  readonly options?: Readonly<Record<string, string | number>>;
  readonly isInterlaced?: true;
}

export async function writeRaw(out: string, film: RawFilm): Promise<string> {
  const av = await libav();
  const { c } = av;
  await using release = new AsyncDisposableStack();
  const { end } = await filterGraph(av, release, `${film.graph},buffersink@out`);
  const sink = end('buffersink@out');
  const codec = av.Codec.findEncoderByName(film.codec as never)!;
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  encoder.allocContext3(codec);
  encoder.width = sink.buffersinkGetWidth();
  encoder.height = sink.buffersinkGetHeight();
  encoder.pixelFormat = sink.buffersinkGetFormat() as never;
  encoder.framerate = sink.buffersinkGetFrameRate();
  encoder.timeBase = new av.Rational(encoder.framerate.den, encoder.framerate.num);
  encoder.threadCount = 1;
  const named = c as unknown as Record<string, never>;
  const { space, range, trc, primaries } = film.told ?? {};
  if (space !== undefined)
    encoder.colorSpace =
      typeof space === 'number' ? (space as typeof encoder.colorSpace) : named[`AVCOL_SPC_${space}`]!;
  if (range) encoder.colorRange = named[`AVCOL_RANGE_${range}`]!;
  if (trc) encoder.colorTrc = named[`AVCOL_TRC_${trc}`]!;
  if (primaries) encoder.colorPrimaries = named[`AVCOL_PRI_${primaries}`]!;
  encoder.setFlags(c.AV_CODEC_FLAG_GLOBAL_HEADER);
  if (film.isInterlaced) encoder.setFlags(c.AV_CODEC_FLAG_INTERLACED_DCT, c.AV_CODEC_FLAG_INTERLACED_ME);
  using options = av.Dictionary.fromObject({ ...film.options });
  check(av, await encoder.open2(codec, options), 'starting the encoder');
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, film.container, out), 'preparing the file');
  const stream = file.newStream(null);
  check(av, stream.codecpar.fromContext(encoder), 'describing');
  stream.timeBase = encoder.timeBase;
  stream.avgFrameRate = encoder.framerate;
  check(av, await file.openOutput(), 'opening');
  check(av, await file.writeHeader(null), 'head');
  const frame = newFrame(av, release);
  const packet = newPacket(av, release);
  const drain = async () => {
    while ((await encoder.receivePacket(packet)) >= 0) {
      packet.streamIndex = stream.index;
      if (packet.duration <= 0n) packet.duration = 1n;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      check(av, await file.interleavedWriteFrame(packet), 'writing');
      packet.unref();
    }
  };
  let n = 0n;
  for (;;) {
    const code = await sink.buffersinkGetFrame(frame);
    if (code < 0) break;
    frame.pts = n++;
    frame.pictType = c.AV_PICTURE_TYPE_NONE;
    if (film.isInterlaced) frame.setFlags(Number(c.AV_FRAME_FLAG_INTERLACED), Number(c.AV_FRAME_FLAG_TOP_FIELD_FIRST));
    check(av, await encoder.sendFrame(frame), 'encoding');
    frame.unref();
    await drain();
  }
  check(av, await encoder.sendFrame(null), 'ending');
  await drain();
  check(av, await file.writeTrailer(), 'finishing');
  await file.closeOutput();
  return out;
}
