/**
 * The sound of a file from a place in it on, as 48 kHz stereo. What its clock leaves out is silence, what it has twice is heard once;
 * clocks that only round are not believed over the number of samples.
 */
import type { Frame, Libav } from '../../libav.ts';
import { SAMPLE_RATE, type SampleStream, sampleQueue } from './sample-stream.ts';
import { type SoundFilter, soundFilter } from './sound-filter.ts';
import { openSourceDecoder, type SourceDecoder, UndecodableSound } from './source-decoder.ts';

/** Seconds that a file's clock may differ from its samples: containers that count milliseconds, and packets, round. */
const ROUNDED = 0.02;

/** Seconds that may be missing of what the file promises: heads round. */
const MISSED = 1;

/** @param from seconds. Undefined: there is no sound in the file. @throws {UndecodableSound}, also while it is read */
export async function openSourceSound(av: Libav, path: string, from: number): Promise<SampleStream | undefined> {
  const decoder = await openSourceDecoder(av, path, from);
  if (decoder === undefined) return undefined;
  const pieces = placedPieces(av, decoder);
  const queue = sampleQueue();
  // The next sample that goes into the queue, counted from the file's zero.
  let cursor = Math.round(from * SAMPLE_RATE);
  let late: Piece | undefined;
  let isOver = false;

  const fill = async (count: number): Promise<void> => {
    while (queue.length < count && !isOver) {
      const piece = late ?? (await pieces.next()).value;
      late = undefined;
      if (piece === undefined) {
        isOver = true;
        failIfBroken(decoder, cursor / SAMPLE_RATE);
        return;
      }
      const { at, samples } = piece;
      if (at > cursor) {
        const silent = Math.min(at - cursor, count - queue.length);
        queue.push(new Float32Array(silent * 2));
        cursor += silent;
        late = piece;
        continue;
      }
      const rest = samples.subarray(Math.min(samples.length, (cursor - at) * 2));
      queue.push(rest);
      cursor += rest.length / 2;
    }
  };
  return {
    async read(count) {
      await fill(count);
      return queue.take(count);
    },
    async [Symbol.asyncDispose]() {
      await pieces.return(undefined);
      await decoder[Symbol.asyncDispose]();
    },
  };
}

function failIfBroken({ broke, promised }: SourceDecoder, ended: number): void {
  if (!broke && promised - ended <= MISSED) return;
  throw new UndecodableSound(`its sound cannot be decoded after ${Math.round(ended * 100) / 100} s`);
}

interface Piece {
  /** Samples from the file's zero. */
  readonly at: number;
  readonly samples: Float32Array;
}

/** Each stretch without a gap is resampled as one. */
async function* placedPieces(av: Libav, decoder: SourceDecoder): AsyncGenerator<Piece, undefined> {
  let filter: SoundFilter | undefined;
  let shape = '';
  let expected = 0;
  let at = 0;
  const placed = (pieces: readonly Float32Array[]): readonly Piece[] =>
    pieces.map(samples => {
      const piece = { at, samples };
      at += samples.length / 2;
      return piece;
    });
  try {
    for (let one = decoder.next(); one !== undefined; one = decoder.next()) {
      const { frame } = one;
      const now = shapeOf(av, frame);
      if (filter === undefined || now !== shape || Math.abs(one.at - expected) > ROUNDED) {
        filter?.feed(null);
        if (filter !== undefined) yield* placed(filter.drain());
        filter?.[Symbol.dispose]();
        filter = await soundFilter(av, now, stereo(frame.channelLayout.nbChannels));
        at = Math.round(one.at * SAMPLE_RATE);
        expected = one.at;
        shape = now;
      }
      expected += frame.nbSamples / frame.sampleRate;
      filter.feed(frame);
      yield* placed(filter.drain());
    }
    filter?.feed(null);
    if (filter !== undefined) yield* placed(filter.drain());
    return undefined;
  } finally {
    filter?.[Symbol.dispose]();
  }
}

function shapeOf(av: Libav, { sampleRate, format, channelLayout }: Frame): string {
  const isNamed = channelLayout.order === av.c.AV_CHANNEL_ORDER_NATIVE;
  const layout = isNamed ? channelLayout : av.avChannelLayoutDefault(channelLayout.nbChannels);
  const words = av.avChannelLayoutDescribe(layout) ?? `${channelLayout.nbChannels}C`;
  const samples = av.avGetSampleFmtName(format as Parameters<typeof av.avGetSampleFmtName>[0]);
  return `sample_rate=${sampleRate}:sample_fmt=${samples}:channel_layout=${words}:time_base=1/${sampleRate}`;
}

/**
 * One channel is heard on both sides as loud as it is. Of more than two, the middle and the surrounding ones are added 3 dB lower and the
 * one of low effects is left out (ITU-R BS.775), without turning the whole down: a voice from the middle keeps its level.
 */
function stereo(channels: number): string {
  if (channels === 1) return 'aformat=sample_fmts=fltp,pan=stereo|c0=c0|c1=c0';
  return 'aformat=sample_fmts=fltp,aresample=rematrix_maxval=1000:center_mix_level=0.70710678:surround_mix_level=0.70710678:lfe_mix_level=0';
}
