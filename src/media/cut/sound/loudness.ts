/** How loud a sound is to people (ITU-R BS.1770-4, EBU R 128), and its true peak, by libav's meter. */
import { check, filterGraph, type Libav, newFrame, soundFrame } from '../../libav.ts';
import { SAMPLE_RATE, type SampleStream } from './sample-stream.ts';
import { STEREO } from './sound-filter.ts';

/** LUFS below which there is silence. */
export const SILENCE = -70;

interface Loudness {
  /** LUFS over all; −70 for silence. */
  readonly integrated: number;
  /** The highest point of the curve through the samples: 1 is full scale. To three places, rounded up. */
  readonly peak: number;
}

/** Samples of each channel that are read at a time: 50 ms. */
const PIECE = SAMPLE_RATE / 20;
/** Samples of the shortest sound that the meter measures: 400 ms. */
const BLOCK = 0.4 * SAMPLE_RATE;
/** Seconds of the sound between two calls of `listened`. */
const NEWS_EVERY = 5;

/** Reads a sound to its end, and closes it. @param listened called with the seconds that have been read, now and then. */
export async function loudnessOf(
  av: Libav,
  opened: SampleStream,
  listened: (seconds: number) => void = () => {},
): Promise<Loudness> {
  await using sound = opened;
  using release = new DisposableStack();
  const text = `abuffer@in=${STEREO},apad=whole_len=${BLOCK},ebur128=metadata=1:peak=true,abuffersink@out`;
  const { end } = await filterGraph(av, release, text, 1);
  const [into, out] = [end('abuffer@in'), end('abuffersink@out')];
  const measured = newFrame(av, release);
  let [integrated, peak, length] = [SILENCE, 0, 0];
  for (let isOver = false; !isOver; ) {
    const samples = await sound.read(PIECE);
    isOver = samples.length === 0;
    using frame = isOver ? undefined : soundFrame(av, samples, BigInt(length), 'interleaved');
    check(av, into.buffersrcAddFrameSync(frame ?? null), 'measuring sound');
    length += samples.length / 2;
    for (; out.buffersinkGetFrameSync(measured) >= 0; measured.unref()) {
      const found = measured.getMetadata();
      integrated = Number(found.get('lavfi.r128.I') ?? integrated);
      peak = Number(found.get('lavfi.r128.true_peak') ?? peak);
    }
    if (!isOver && (length / SAMPLE_RATE) % NEWS_EVERY === 0) listened(length / SAMPLE_RATE);
  }
  // A shorter sound was measured with the silence behind it.
  const missing = length > 0 && length < BLOCK ? 10 * Math.log10(BLOCK / length) : 0;
  return { integrated: integrated <= SILENCE ? SILENCE : integrated + missing, peak: peak === 0 ? 0 : peak + 0.0005 };
}
