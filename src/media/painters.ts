/** What JavaScript makes on its way into the filtergraph: drawn pictures, one ahead of the graph, and computed sound. */
import { check, type Frame, type Libav } from './libav.ts';
import { type Rate, rateOf } from './settings.ts';

/** RGBA pictures, top-down, unpadded. A yielded buffer may be drawn over as soon as the next picture is asked for. */
export interface DrawnPictures {
  readonly width: number;
  readonly height: number;
  readonly fps: number | Rate;
  readonly pixels: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** 48 kHz. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const SAMPLE_RATE = 48_000;

export const exact = (fps: number | Rate): Rate => (typeof fps === 'number' ? rateOf(fps) : fps);

/** Where a graph takes frames in. */
type Source = { buffersrcAddFrame(frame: Frame | null): Promise<number> };

export interface Painter extends AsyncDisposable {
  readonly ended: boolean;
  /** Draws the next picture now, while libav is busy. */
  ahead(): void;
  /** Gives the next picture to the graph, or tells it that there are no more. */
  feed(): Promise<void>;
}

/** Draws at most one picture ahead of the graph. */
export function painter(av: Libav, frames: DrawnPictures, source: Source): Painter {
  const { width, height } = frames;
  const { num, den } = exact(frames.fps);
  const pixels =
    Symbol.asyncIterator in frames.pixels ? frames.pixels[Symbol.asyncIterator]() : frames.pixels[Symbol.iterator]();
  let next: Promise<Frame | null> | undefined;
  let drawn = 0n;
  let ended = false;

  const draw = async () => {
    const picture = await pixels.next();
    if (picture.done) return null;
    const frame = ownedPicture(av, picture.value, { width, height, num, den });
    frame.pts = drawn++;
    return frame;
  };
  return {
    get ended() {
      return ended;
    },
    ahead() {
      if (ended || next) return;
      next = draw();
      // A failed drawing is reported by `feed`, not by the process.
      next.catch(() => {});
    },
    async feed() {
      const frame = await (next ?? draw());
      next = undefined;
      if (frame === null) ended = true;
      try {
        const added = source.buffersrcAddFrame(frame);
        this.ahead();
        check(av, await added, 'giving a picture to the filtergraph');
      } finally {
        frame?.free();
      }
    },
    async [Symbol.asyncDispose]() {
      (await next?.catch(() => null))?.free();
      if (!ended) await pixels.return?.();
    },
  };
}

/**
 * `Frame.fromVideoBuffer()` of node-av 6.1.1 says it copies, but keeps pointing into the JavaScript buffer: once that is
 * collected or drawn over, black bars appear. So the picture is copied into memory the frame owns.
 */
function ownedPicture(
  av: Libav,
  pixels: Uint8Array,
  { width, height, num, den }: { width: number; height: number; num: number; den: number },
): Frame {
  if (pixels.byteLength !== width * height * 4) {
    throw new Error(
      `a drawn picture has ${pixels.byteLength} bytes, but ${width}x${height} RGBA has ${width * height * 4}`,
    );
  }
  const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const format = av.c.AV_PIX_FMT_RGBA;
  using borrowed = av.Frame.fromVideoBuffer(buffer, {
    width,
    height,
    format,
    timeBase: { num: den, den: num },
    pts: 0n,
  });
  const frame = new av.Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = format;
  check(av, frame.getBuffer(), 'making room for a picture');
  check(av, frame.copy(borrowed), 'copying a picture');
  frame.timeBase = new av.Rational(den, num);
  return frame;
}

const SOUND_FRAME = 4096;

export async function feedSound(av: Libav, source: Source, { left, right }: StereoSound): Promise<void> {
  for (let at = 0; at < left.length; at += SOUND_FRAME) {
    const samples = Math.min(SOUND_FRAME, left.length - at);
    const planes = new Float32Array(samples * 2);
    planes.set(left.subarray(at, at + samples), 0);
    planes.set(right.subarray(at, at + samples), samples);
    using borrowed = av.Frame.fromAudioBuffer(Buffer.from(planes.buffer), {
      nbSamples: samples,
      format: av.c.AV_SAMPLE_FMT_FLTP,
      sampleRate: SAMPLE_RATE,
      channelLayout: { nbChannels: 2, order: av.c.AV_CHANNEL_ORDER_NATIVE, mask: 3n },
      timeBase: { num: 1, den: SAMPLE_RATE },
      pts: BigInt(at),
    });
    check(av, await source.buffersrcAddFrame(borrowed), 'giving sound to the filtergraph');
  }
  check(av, await source.buffersrcAddFrame(null), 'ending the sound');
}
