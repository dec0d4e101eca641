/**
 * A film's pictures by their time: what is on the screen at 2.5 s. Decoding begins at the key picture before the first time that is
 * asked for, and goes on only as far as it is asked; one picture is held, and the one after it.
 *
 *     at 2.5 ─▶ ○ 2.42 ● 2.46 ○ 2.51      the last one that has begun by then; the first one before anything has, the last one after all
 *
 * Where a film of ours carries its clean plate, that is what is read. Times are counted from the first picture that a player shows, whatever the
 * file's own clock reads there.
 */
import { type OpenedPictures, openPictures } from '../encode/clean-plate.ts';
import {
  type CodecContext,
  check,
  type FilterContext,
  type Frame,
  filterGraph,
  type Libav,
  newPacket,
  openDecoder,
  type Packet,
  type Stream,
} from '../libav.ts';
import { type Orientation, orientationOf } from './open-input.ts';

/** A file that holds no picture that can be decoded, or breaks where one is needed. The message names the place. */
export class UndecodablePicture extends Error {
  override readonly name = 'UndecodablePicture';
}

export interface TimedFrames extends AsyncDisposable {
  /** How a player turns the pictures. */
  readonly orientation: Orientation;
  /** Width of a pixel over its height. */
  readonly pixelAspect: number;
  /**
   * What is shown at this many seconds; they never go back. It stays whole until the next call, and must not be changed.
   * @throws {UndecodablePicture}
   */
  at(seconds: number): Promise<Frame>;
}

/** A different number changes no picture; two keep up with the encoder. */
const THREADS = 2;

/** Pictures before the wanted one at which its key picture is looked for: they are stored in another order than shown. */
const BEFORE = 6;
/** The same in seconds, where the beat is unknown. */
const LONG_BEFORE = 0.5;

/** Seconds for which a picture replaces ones that could not be decoded, before it is a break. */
const STANDS = 0.1;

/** Seconds that may be missing of what the file promises: heads round, and count what is never shown. */
const MISSED = 1;

/** @param from seconds: the first time that will be asked for. @throws {UndecodablePicture} */
export async function openTimedFrames(av: Libav, path: string, from: number): Promise<TimedFrames> {
  const sought = await decoded(av, path, from);
  if (sought !== undefined) return sought;
  const whole = await decoded(av, path, 0);
  if (whole === undefined) throw new Error('decoding from its beginning does not begin there');
  return whole;
}

interface Shown {
  readonly frame: Frame;
  readonly seconds: number;
}

/** Undefined where the file cannot be entered before `from`: then it is read from its beginning. */
async function decoded(av: Libav, path: string, from: number): Promise<TimedFrames | undefined> {
  await using release = new AsyncDisposableStack();
  const decoder = await openDecoding(av, release, path);
  const { stream } = decoder;
  const tick = stream.timeBase.num / stream.timeBase.den;
  const { num, den } = stream.avgFrameRate;
  // Clocks of a millisecond round: a picture that is a tick late is meant to be there.
  const tolerance = Math.min(tick * 1.01, num > 0 ? den / num / 4 : tick) + 1e-6;
  const known = stream.startTime !== av.c.AV_NOPTS_VALUE;
  const before = num > 0 ? Math.min(LONG_BEFORE, (BEFORE * den) / num) : LONG_BEFORE;
  const entered = from > before && known;
  if (entered) {
    const target = stream.startTime + BigInt(Math.floor((from - before) / tick));
    if ((await decoder.file.seekFrame(stream.index, target, av.c.AVSEEK_FLAG_BACKWARD)) < 0) return undefined;
  }
  const pictures = evenly(av, release, decoder);
  const first = await pictures.next();
  if (first === undefined && entered) return undefined;
  if (first === undefined) throw new UndecodablePicture('no picture in it can be decoded');
  const zero = known ? Number(stream.startTime) * tick : first.seconds;
  if (entered && first.seconds - zero > from + tolerance) {
    first.frame.free();
    return undefined;
  }

  let current = first;
  let next = await pictures.next();
  const promised = stream.duration > 0n ? Number(stream.duration) * tick : 0;
  const owned = release.move();
  return {
    orientation: orientationOf(av, stream),
    pixelAspect: aspectOf(stream),
    async at(seconds) {
      while (next !== undefined && next.seconds - zero <= seconds + tolerance) {
        current.frame.free();
        current = next;
        next = await pictures.next();
      }
      if (current.frame.hasFlags(av.c.AV_FRAME_FLAG_CORRUPT) || current.frame.decodeErrorFlags !== 0)
        throw new UndecodablePicture(`its picture at ${shownSeconds(seconds)} cannot be decoded`);
      const shown = current.seconds - zero;
      const breaksOff = next === undefined && promised - shown > MISSED;
      if ((pictures.broke || breaksOff) && seconds - shown > STANDS)
        throw new UndecodablePicture(`it cannot be decoded after ${shownSeconds(shown)}`);
      return current.frame;
    },
    async [Symbol.asyncDispose]() {
      current.frame.free();
      next?.frame.free();
      await owned.disposeAsync();
    },
  };
}

const shownSeconds = (seconds: number): string => `${Math.round(seconds * 100) / 100} s`;

function aspectOf({ sampleAspectRatio: { num, den } }: Stream): number {
  return num > 0 && den > 0 ? num / den : 1;
}

interface Decoder extends OpenedPictures {
  readonly codec: CodecContext;
  readonly packet: Packet;
}

async function openDecoding(av: Libav, release: AsyncDisposableStack, path: string): Promise<Decoder> {
  const opened = await openPictures(av, path).catch(error => {
    throw new UndecodablePicture('it cannot be opened as a film', { cause: error });
  });
  if (opened === undefined) throw new UndecodablePicture('there are no pictures in it');
  const { file, stream } = opened;
  release.use(file);
  const codec = await openDecoder(av, release, stream, THREADS);
  if (codec === undefined)
    throw new UndecodablePicture(`its codec (${av.avGetCodecName(stream.codecpar.codecId)}) cannot be decoded here`);
  return { file, stream, codec, packet: newPacket(av, release) };
}

interface Pictures {
  /** Undefined at the end. The caller frees it. */
  next(): Promise<Shown | undefined>;
  /** The file ended with what could not be decoded. */
  readonly broke: boolean;
}

/** The pictures as they are shown, one after the other; those of two fields are made whole ones. */
function evenly(av: Libav, release: AsyncDisposableStack, decoder: Decoder): Pictures {
  const { c } = av;
  const { stream } = decoder;
  const raw = decodedPictures(av, decoder);
  let weave: Weave | undefined;
  let isFed = true;

  const shown = (frame: Frame, base: { readonly num: number; readonly den: number }, pts: bigint): Shown => ({
    frame,
    seconds: (Number(pts) * base.num) / base.den,
  });
  return {
    get broke() {
      return raw.broke;
    },
    async next() {
      for (;;) {
        if (weave !== undefined) {
          const frame = new av.Frame();
          frame.alloc();
          const code = await weave.sink.buffersinkGetFrame(frame);
          if (code >= 0) return shown(frame, weave.sink.buffersinkGetTimeBase(), frame.pts);
          frame.free();
          if (!isFed) return undefined;
        }
        const frame = await raw.next();
        if (frame === undefined) {
          if (weave === undefined) return undefined;
          isFed = false;
          check(av, await weave.source.buffersrcAddFrame(null), 'ending the fields');
          continue;
        }
        if (weave === undefined && frame.hasFlags(c.AV_FRAME_FLAG_INTERLACED)) {
          weave = await openWeave(av, release, frame, stream);
        }
        if (weave === undefined) return shown(frame, stream.timeBase, frame.pts);
        check(av, await weave.source.buffersrcAddFrame(frame), 'weaving fields');
        frame.free();
      }
    },
  };
}

interface Weave {
  readonly source: FilterContext;
  readonly sink: FilterContext;
}

/** One picture of each two fields, at the time of the first. Needs the pictures before and after, so it comes before any choice. */
async function openWeave(av: Libav, release: AsyncDisposableStack, like: Frame, stream: Stream): Promise<Weave> {
  const { num, den } = stream.timeBase;
  const size = `video_size=${like.width}x${like.height}:pix_fmt=${like.format}:pixel_aspect=1/1`;
  const text =
    `buffer@in=${size}:time_base=${num}/${den}:colorspace=${like.colorSpace}:range=${like.colorRange},` +
    'bwdif=mode=send_frame:deint=interlaced,buffersink@out';
  const { end } = await filterGraph(av, release, text, THREADS);
  return { source: end('buffer@in'), sink: end('buffersink@out') };
}

function decodedPictures(av: Libav, { file, stream, codec, packet }: Decoder) {
  const { c } = av;
  let broke = false;
  let any = false;
  /** Null: the decoder is being emptied. */
  const feed = async (): Promise<void> => {
    for (;;) {
      const code = await file.readFrame(packet);
      if (code < 0) {
        broke ||= code !== c.AVERROR_EOF;
        await codec.sendPacket(null);
        return;
      }
      if (packet.streamIndex !== stream.index) {
        packet.unref();
        continue;
      }
      const sent = await codec.sendPacket(packet);
      packet.unref();
      // What comes before the first key picture of a recording cannot be decoded, and is not missed.
      if (sent < 0) broke ||= any;
      if (sent >= 0) return;
    }
  };
  return {
    get broke() {
      return broke;
    },
    async next(): Promise<Frame | undefined> {
      for (;;) {
        const frame = new av.Frame();
        frame.alloc();
        const code = await codec.receiveFrame(frame);
        if (code >= 0) {
          any = true;
          if (frame.pts === c.AV_NOPTS_VALUE) frame.pts = frame.bestEffortTimestamp;
          return frame;
        }
        frame.free();
        if (code === c.AVERROR_EOF) return undefined;
        if (code !== c.AVERROR_EAGAIN) broke ||= any;
        await feed();
      }
    },
  };
}
