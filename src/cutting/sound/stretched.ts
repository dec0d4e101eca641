/** Sound that runs faster or slower at its own pitch. It begins with its first sample; inside, places hold to 25 ms. */
import type { Libav } from '../../media/libav.ts';
import { SAMPLE_RATE, type SampleStream, sampleQueue } from './sample-stream.ts';
import { soundFilter } from './sound-filter.ts';

/** Samples handed over at a time. */
const PIECE = 4096;

const INPUT = `sample_rate=${SAMPLE_RATE}:sample_fmt=flt:channel_layout=stereo:time_base=1/${SAMPLE_RATE}`;

export async function stretched(av: Libav, source: SampleStream, speed: number): Promise<SampleStream> {
  if (speed === 1) return source;
  const filter = await soundFilter(av, INPUT, tempo(speed));
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
          const nbSamples = samples.length / 2;
          using frame = av.Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
            nbSamples,
            format: av.c.AV_SAMPLE_FMT_FLT,
            sampleRate: SAMPLE_RATE,
            channelLayout: { nbChannels: 2, order: av.c.AV_CHANNEL_ORDER_NATIVE, mask: 3n },
            timeBase: { num: 1, den: SAMPLE_RATE },
            pts: fed,
          });
          fed += BigInt(nbSamples);
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

/** In equal steps that are each between half and double: beyond that, whole pieces would be left out. */
function tempo(speed: number): string {
  const steps = Math.max(1, Math.ceil(Math.abs(Math.log2(speed)) - 1e-9));
  return Array.from({ length: steps }, () => `atempo=${speed ** (1 / steps)}`).join(',');
}
