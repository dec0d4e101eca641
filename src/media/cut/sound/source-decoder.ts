/**
 * A file's sound as it was recorded, frame by frame. Times are counted from the first picture that a player shows, where there are
 * pictures: sound that begins later, or before them, stays beside them. A file of sound alone begins with its first sample.
 */

import { openMedia, readOnly, trackIn, trackKindOf } from '../../decode/open-input.ts';
import {
  type CodecContext,
  type Frame,
  type Libav,
  newFrame,
  newPacket,
  openDecoder,
  type Packet,
  type Stream,
} from '../../libav.ts';

/** A file whose sound cannot be decoded, or breaks where it is needed. The message names the place. */
export class UndecodableSound extends Error {
  override readonly name = 'UndecodableSound';
}

export interface SourceDecoder extends AsyncDisposable {
  /** Undefined at the end. Whole until the next call. `at`: seconds. */
  next(): { readonly frame: Frame; readonly at: number } | undefined;
  /** Seconds until which the sound lasts by the file's head; 0 where the head has no length. */
  readonly promised: number;
  /** The file ended with what could not be read. */
  readonly broke: boolean;
}

/** Seconds decoded before the wanted place: decoders need what came before to find their voice. */
const BEFORE = 0.5;

/** Seconds from which on it is quicker to look for the place than to decode up to it. */
const WORTH_SEEKING = 2;

/** The same where the clock is coarser than the samples, and a place that was looked for lies up to half a tick beside. */
const WORTH_BEING_NEAR = 120;

/** Containers that count their sound; elsewhere its length is a guess. */
const COUNTS = /^(mov|matroska|wav|flac|caf)/;

/** Begins at `from` or some time before it. Undefined: there is no sound in the file. @throws {UndecodableSound} */
export async function openSourceDecoder(av: Libav, path: string, from: number): Promise<SourceDecoder | undefined> {
  if (from > WORTH_SEEKING) {
    const sought = await opened(av, path, from);
    if (sought !== 'not there') return sought;
  }
  const whole = await opened(av, path, 0);
  if (whole === 'not there') throw new Error('decoding from its beginning does not begin there');
  return whole;
}

async function opened(av: Libav, path: string, from: number): Promise<SourceDecoder | 'not there' | undefined> {
  const { c } = av;
  await using release = new AsyncDisposableStack();
  const file = release.use(await openFile(av, path));
  const stream = soundIn(av, file);
  if (stream === undefined) return undefined;
  const { index } = stream;
  readOnly(av, file, stream);
  const codec = await openCodec(av, release, stream);
  const packet = newPacket(av, release);
  const frame = newFrame(av, release);
  const frames = decodedFrames(av, { file, codec, packet, frame, index });
  const tick = stream.timeBase.num / stream.timeBase.den;
  const picture = trackIn(av, file, 'video');

  let isHeld = frames.next();
  const own = isHeld ? Number(frame.pts) * tick : 0;
  const zero =
    picture !== undefined && picture.startTime !== c.AV_NOPTS_VALUE
      ? (Number(picture.startTime) * picture.timeBase.num) / picture.timeBase.den
      : own;
  // Of raw streams without a clock every frame follows the one before.
  let follows = own;
  const timeOf = (): number => (frame.pts === c.AV_NOPTS_VALUE ? follows : Number(frame.pts) * tick) - zero;
  const worth = tick * frame.sampleRate <= 1.001 ? WORTH_SEEKING : WORTH_BEING_NEAR;
  if (isHeld && from > worth && timeOf() < from - BEFORE) {
    const target = BigInt(Math.floor((from - BEFORE + zero) / tick));
    if ((await file.seekFrame(index, target, c.AVSEEK_FLAG_BACKWARD)) < 0) return 'not there';
    codec.flushBuffers();
    isHeld = frames.next();
    if (!isHeld || frame.pts === c.AV_NOPTS_VALUE || timeOf() > from) return 'not there';
  }
  const isCounted = COUNTS.test(file.iformat?.name ?? '');
  const promised = isCounted && stream.duration > 0n ? own - zero + Number(stream.duration) * tick : 0;
  const owned = release.move();
  return {
    promised,
    get broke() {
      return frames.broke;
    },
    next() {
      if (!isHeld && !frames.next()) return undefined;
      isHeld = false;
      const at = timeOf();
      follows = at + zero + frame.nbSamples / frame.sampleRate;
      return { frame, at };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What a player would choose, of what can be decoded: cameras write a plain track and one that only their own players know. */
function soundIn(av: Libav, file: Awaited<ReturnType<typeof openMedia>>): Stream | undefined {
  const tracks = file.streams.filter(it => trackKindOf(av, it) === 'audio');
  const best = file.findBestStream(av.c.AVMEDIA_TYPE_AUDIO);
  const decodable = tracks.filter(it => av.Codec.findDecoder(it.codecpar.codecId) !== null);
  return decodable.find(it => it.index === best) ?? decodable[0] ?? tracks[0];
}

async function openFile(av: Libav, path: string) {
  try {
    return await openMedia(av, path);
  } catch (error) {
    throw new UndecodableSound('it cannot be opened as sound', { cause: error });
  }
}

async function openCodec(av: Libav, release: AsyncDisposableStack, stream: Stream): Promise<CodecContext> {
  const codec = await openDecoder(av, release, stream, 1);
  if (codec !== undefined) return codec;
  const name = av.avGetCodecName(stream.codecpar.codecId);
  throw new UndecodableSound(`its sound${name && name !== 'none' ? ` (${name})` : ''} cannot be decoded here`);
}

interface Decoding {
  readonly file: Awaited<ReturnType<typeof openMedia>>;
  readonly codec: CodecContext;
  readonly packet: Packet;
  readonly frame: Frame;
  readonly index: number;
}

/** What cannot be decoded is passed over: the time it took stays silent. */
function decodedFrames(av: Libav, { file, codec, packet, frame, index }: Decoding) {
  const { c } = av;
  let broke = false;
  const feed = (): void => {
    for (;;) {
      const code = file.readFrameSync(packet);
      if (code < 0) {
        broke ||= code !== c.AVERROR_EOF;
        codec.sendPacketSync(null);
        return;
      }
      const sent = packet.streamIndex === index ? codec.sendPacketSync(packet) : -1;
      packet.unref();
      if (sent >= 0) return;
    }
  };
  return {
    get broke() {
      return broke;
    },
    next(): boolean {
      for (;;) {
        frame.unref();
        const code = codec.receiveFrameSync(frame);
        if (code === c.AVERROR_EOF) return false;
        if (code >= 0 && frame.nbSamples > 0 && frame.sampleRate > 0) return true;
        if (code < 0) feed();
      }
    },
  };
}
