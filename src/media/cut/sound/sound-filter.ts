/** A filtergraph with one way in and one way out, that is handed sound and gives 48 kHz stereo. */
import { SAMPLE_RATE } from '../../encode/encoder-settings.ts';
import { check, type Frame, filterGraph, type Libav, newFrame, soundFrame } from '../../libav.ts';
import { type SampleStream, sampleQueue } from './sample-stream.ts';

/** Options of `abuffer` for 48 kHz stereo, left and right by turns. */
export const STEREO = `sample_rate=${SAMPLE_RATE}:sample_fmt=flt:channel_layout=stereo:time_base=1/${SAMPLE_RATE}`;

export interface SoundFilter extends Disposable {
  /** Null: there is no more. */
  feed(frame: Frame | null): void;
  /** What is ready, in pieces. */
  drain(): readonly Float32Array[];
}

/** @param input options of `abuffer` for the frames: `sample_rate=44100:sample_fmt=fltp:channel_layout=mono`. */
export async function soundFilter(av: Libav, input: string, filters: string): Promise<SoundFilter> {
  using release = new DisposableStack();
  const shape = 'aformat=sample_fmts=flt:sample_rates=48000:channel_layouts=stereo';
  const text = `abuffer@in=${input},${filters},${shape},abuffersink@out`;
  const { end } = await filterGraph(av, release, text, 1);
  const [source, sink] = [end('abuffer@in'), end('abuffersink@out')];
  const ready = newFrame(av, release);
  const owned = release.move();
  return {
    feed(frame) {
      check(av, source.buffersrcAddFrameSync(frame), 'handing over sound');
    },
    drain() {
      const pieces: Float32Array[] = [];
      for (;;) {
        const code = sink.buffersinkGetFrameSync(ready);
        if (code === av.c.AVERROR_EAGAIN || code === av.c.AVERROR_EOF) return pieces;
        check(av, code, 'filtering sound');
        const bytes = ready.toBuffer();
        // A copy: what the engine lends may move, and need not begin where four bytes do.
        pieces.push(numbers(new Float32Array(new Uint8Array(bytes.subarray(0, ready.nbSamples * 8)).buffer)));
        ready.unref();
      }
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

/** A file of floats may hold what is no number, and one of those would silence all that comes after it. */
function numbers(samples: Float32Array): Float32Array {
  for (let i = 0; i < samples.length; i++) if (!Number.isFinite(samples[i])) samples[i] = 0;
  return samples;
}

/** Samples handed over at a time. */
const PIECE = 4096;

/** A sound through filters, which owns it from then on. */
export async function filtered(av: Libav, source: SampleStream, filters: string): Promise<SampleStream> {
  const filter = await soundFilter(av, STEREO, filters);
  const queue = sampleQueue();
  let fed = 0n;
  let isOver = false;
  return {
    async read(count) {
      while (queue.length < count && !isOver) {
        const samples = await source.read(PIECE);
        if (samples.length === 0) {
          isOver = true;
          filter.feed(null);
        } else {
          using frame = soundFrame(av, samples, fed, 'interleaved');
          fed += BigInt(samples.length / 2);
          filter.feed(frame);
        }
        for (const piece of filter.drain()) queue.push(piece);
      }
      return queue.take(count);
    },
    async [Symbol.asyncDispose]() {
      filter[Symbol.dispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
