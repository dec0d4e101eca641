/** What JavaScript makes on its way into the filtergraph: drawn pictures, one ahead of the graph, and computed sound. */

import { type DrawnPictures, SAMPLE_RATE, type StereoSound } from './drawn-pictures.ts';
import { framePool } from './frame-pool.ts';
import { check, type FilterContext, type Frame, type Libav } from './libav.ts';

/** Where a graph takes frames in. */
type Source = Pick<FilterContext, 'buffersrcAddFrame'>;

export interface FrameSource extends AsyncDisposable {
  readonly ended: boolean;
  /** Draws the next picture now, while libav is busy. */
  prefetch(): void;
  /** Gives the next picture to the graph, or tells it that there are no more. */
  sendNext(): Promise<void>;
}

/** Takes at most one picture ahead of the graph. */
export function frameSource(av: Libav, frames: DrawnPictures, source: Source): FrameSource {
  const pixels =
    Symbol.asyncIterator in frames.pixels ? frames.pixels[Symbol.asyncIterator]() : frames.pixels[Symbol.iterator]();
  const pool = framePool(av, frames);
  let next: Promise<Frame | null> | undefined;
  let drawn = 0n;
  let ended = false;

  const draw = async () => {
    const picture = await pixels.next();
    if (picture.done) return null;
    const frame = await pool.fill(picture.value);
    frame.pts = drawn++;
    return frame;
  };
  return {
    get ended() {
      return ended;
    },
    prefetch() {
      if (ended || next) return;
      next = draw();
      // A failed drawing is reported by `sendNext`, not by the process.
      next.catch(() => {});
    },
    async sendNext() {
      const frame = await (next ?? draw());
      next = undefined;
      if (frame === null) ended = true;
      const added = source.buffersrcAddFrame(frame, av.c.AV_BUFFERSRC_FLAG_KEEP_REF);
      this.prefetch();
      check(av, await added, 'giving a picture to the filtergraph');
      if (frame) pool.release(frame);
    },
    async [Symbol.asyncDispose]() {
      await next?.catch(() => {});
      if (!ended) await pixels.return?.();
      pool[Symbol.dispose]();
    },
  };
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
