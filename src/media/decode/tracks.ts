/** One stream on its way into the file being written: it is pulled, and each pull moves it forward in time. */
import type { FFEncoderCodec } from 'node-av/constants';
import { type EarlyPicture, writeEarlyPicture } from '../encode/early-picture.ts';
import type { AudioSettings, Rate, VideoSettings } from '../encode/encoder-settings.ts';
import {
  type CodecContext,
  check,
  type FilterContext,
  type FormatContext,
  type Libav,
  newFrame,
  newPacket,
  type Packet,
  type Release,
  type Stream,
} from '../libav.ts';
import { readOnly } from './open-input.ts';

/** Prepares a file to be written, the same bytes on every machine. */
export function newFile(av: Libav, release: Release, container: 'mp4' | 'mov', path: string): FormatContext {
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, container, path), 'preparing the file');
  file.setFlags(av.c.AVFMT_FLAG_BITEXACT);
  return file;
}

/** Writes the head of a file whose tracks are described. */
export async function beginFile(
  av: Libav,
  release: AsyncDisposableStack,
  file: FormatContext,
  movflags = '+faststart',
): Promise<void> {
  check(av, await file.openOutput(), 'opening the file');
  release.defer(() => file.closeOutput());
  using options = av.Dictionary.fromObject({ movflags });
  check(av, await file.writeHeader(options), 'writing the head of the file');
}

/** `empty`: the filtergraph needs more input first. */
type Pulled = 'moved' | 'empty';

export interface Track {
  /** Seconds written so far. */
  readonly time: number;
  readonly ended: boolean;
  /** Pictures or sound frames encoded so far. */
  readonly frames: number;
  pull(): Promise<Pulled>;
}

type Encoding =
  | {
      readonly kind: 'video';
      readonly sink: FilterContext;
      readonly settings: VideoSettings & { readonly threads: number };
      readonly onFrame: () => void;
      readonly early?: EarlyPicture;
    }
  | { readonly kind: 'audio'; readonly sink: FilterContext; readonly settings: AudioSettings };

/** What comes out of a sink of the graph, encoded. */
export async function encoderTrack(
  av: Libav,
  release: AsyncDisposableStack,
  file: FormatContext,
  encoding: Encoding,
): Promise<Track> {
  const { sink, settings } = encoding;
  const encoder = await openEncoder(av, release, encoding);
  const stream = file.newStream(null);
  check(av, stream.codecpar.fromContext(encoder), 'describing a track');
  stream.timeBase = encoder.timeBase;
  if (encoding.kind === 'video') stream.avgFrameRate = encoder.framerate;
  if ('tag' in settings && settings.tag !== undefined) stream.codecpar.codecTag = settings.tag;

  const frame = newFrame(av, release);
  const packet = newPacket(av, release);
  const { num, den } = sink.buffersinkGetTimeBase();
  const beat = encoder.timeBase;
  /** Writes what the encoder has ready. */
  const drain = async () => {
    for (;;) {
      const code = await encoder.receivePacket(packet);
      if (code === av.c.AVERROR_EAGAIN || code === av.c.AVERROR_EOF) return;
      check(av, code, `encoding with ${settings.codec}`);
      if (encoding.kind === 'video' && packet.duration <= 0n) packet.duration = 1n;
      await deliver(av, packet, beat, file, stream);
    }
  };

  const track = {
    time: 0,
    ended: false,
    frames: 0,
    async pull(): Promise<Pulled> {
      const code = await sink.buffersinkGetFrame(frame);
      if (code === av.c.AVERROR_EAGAIN) return 'empty';
      if (code === av.c.AVERROR_EOF) {
        track.ended = true;
        check(av, await encoder.sendFrame(null), 'ending a track');
        await drain();
        return 'moved';
      }
      check(av, code, 'filtering');
      if (encoding.kind === 'video' && encoding.early?.picture === track.frames)
        await writeEarlyPicture(av, frame, encoding.early.out);
      track.time = (Number(frame.pts) * num) / den;
      frame.pts = BigInt(Math.round((track.time * beat.den) / beat.num));
      // A picture decoded as a key frame must not force one here: our groups have their own beat.
      if (encoding.kind === 'video') frame.pictType = av.c.AV_PICTURE_TYPE_NONE;
      check(av, await encoder.sendFrame(frame), `encoding with ${settings.codec}`);
      frame.unref();
      track.frames++;
      await drain();
      if (encoding.kind === 'video') encoding.onFrame();
      return 'moved';
    },
  };
  return track;
}

async function openEncoder(av: Libav, release: AsyncDisposableStack, encoding: Encoding): Promise<CodecContext> {
  const { c } = av;
  const { sink, settings } = encoding;
  const codec = av.Codec.findEncoderByName(settings.codec as FFEncoderCodec);
  if (codec === null) throw new Error(`the media engine has no encoder "${settings.codec}"`);
  const encoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  encoder.allocContext3(codec);
  if (encoding.kind === 'video') {
    const { rate, tag, threads } = encoding.settings;
    encoder.width = sink.buffersinkGetWidth();
    encoder.height = sink.buffersinkGetHeight();
    encoder.pixelFormat = sink.buffersinkGetFormat() as typeof encoder.pixelFormat;
    encoder.framerate = new av.Rational(rate.num, rate.den);
    encoder.timeBase = new av.Rational(rate.den, rate.num);
    encoder.sampleAspectRatio = new av.Rational(1, 1);
    encoder.colorSpace = c.AVCOL_SPC_BT709;
    encoder.colorPrimaries = c.AVCOL_PRI_BT709;
    encoder.colorTrc = c.AVCOL_TRC_BT709;
    encoder.colorRange = c.AVCOL_RANGE_MPEG;
    encoder.threadCount = threads;
    if (tag !== undefined) encoder.codecTag = tag;
  } else {
    encoder.sampleRate = sink.buffersinkGetSampleRate();
    encoder.sampleFormat = sink.buffersinkGetFormat() as typeof encoder.sampleFormat;
    encoder.channelLayout = sink.buffersinkGetChannelLayout();
    encoder.bitRate = BigInt(encoding.settings.bitRate);
    encoder.timeBase = new av.Rational(1, encoder.sampleRate);
    encoder.threadCount = 1;
  }
  encoder.setFlags(c.AV_CODEC_FLAG_BITEXACT, c.AV_CODEC_FLAG_GLOBAL_HEADER);
  using options = av.Dictionary.fromObject({ ...settings.options });
  check(av, await encoder.open2(codec, options), `starting the encoder ${settings.codec}`);
  return encoder;
}

/** The sound track of another file, packet for packet. */
export async function copyTrack(
  av: Libav,
  release: AsyncDisposableStack,
  file: FormatContext,
  path: string,
): Promise<Track> {
  const source = release.adopt(new av.FormatContext(), it => it.closeInput());
  source.allocContext();
  check(av, await source.openInput(path), 'opening the sound to copy');
  check(av, await source.findStreamInfo(), 'reading the sound to copy');
  const index = source.findBestStream(av.c.AVMEDIA_TYPE_AUDIO);
  const from = source.streams[index];
  if (index < 0 || from === undefined) throw new Error('there is no sound to copy');
  readOnly(av, source, from);
  const stream = file.newStream(null);
  check(av, from.codecpar.copy(stream.codecpar), 'describing the copied sound');
  stream.codecpar.codecTag = 0;
  stream.timeBase = from.timeBase;
  const packet = newPacket(av, release);
  const track = {
    time: 0,
    ended: false,
    frames: 0,
    async pull(): Promise<Pulled> {
      const code = await source.readFrame(packet);
      if (code === av.c.AVERROR_EOF) {
        track.ended = true;
        return 'moved';
      }
      check(av, code, 'reading the sound to copy');
      if (packet.streamIndex === index) {
        track.time = (Number(packet.dts) * from.timeBase.num) / from.timeBase.den;
        await deliver(av, packet, from.timeBase, file, stream);
        track.frames++;
      }
      packet.unref();
      return 'moved';
    },
  };
  return track;
}

/** The file takes the packet, which is empty then. */
async function deliver(av: Libav, packet: Packet, base: Rate, file: FormatContext, stream: Stream): Promise<void> {
  packet.streamIndex = stream.index;
  packet.rescaleTs(base, stream.timeBase);
  check(av, await file.interleavedWriteFrame(packet), 'writing to the file');
}
