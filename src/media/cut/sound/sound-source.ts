/** A sound as it is heard in the film: from its place in its source, at its speed, its level and its fades. */

import { SAMPLE_RATE } from '../../encode/encoder-settings.ts';
import type { Frame, Libav } from '../../libav.ts';
import type { CutContext } from '../cut-context.ts';
import { named } from '../render-messages.ts';
import { type SampleStream, sampleQueue } from './sample-stream.ts';
import { filtered, type SoundFilter, soundFilter } from './sound-filter.ts';
import { type PlacedSound, RAMP, shareAt } from './sound-places.ts';
import { openSourceDecoder, type SourceDecoder, UndecodableSound } from './source-decoder.ts';

/** Exactly as long as its place; what its source does not fill is silent. */
export interface SoundSource extends AsyncDisposable {
  /** The next so many samples, which are not more than are left. @throws {CutFailure} */
  read(count: number): Promise<Float32Array>;
}

export async function openSoundSource(kit: CutContext, placed: PlacedSound): Promise<SoundSource> {
  const source = await named(placed.name, () => openSource(kit, placed));
  const level = 10 ** (placed.sound.level / 20);
  const wholeUntil = placed.to - placed.from - placed.fall;
  let n = 0;
  return {
    async read(count) {
      const samples = new Float32Array(count * 2);
      let filled = 0;
      while (filled < count) {
        const piece = await named(placed.name, () => source.read(count - filled));
        if (piece.length === 0) break;
        samples.set(piece, filled * 2);
        filled += piece.length / 2;
      }
      for (let i = 0; i < count; i++, n++) {
        const isWhole = n >= placed.rise && n < wholeUntil;
        const share = isWhole ? level : level * shareAt(placed, n);
        samples[i * 2]! *= share;
        samples[i * 2 + 1]! *= share;
      }
      return samples;
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

async function openSource({ av, pathOf }: CutContext, { sound }: PlacedSound): Promise<SampleStream> {
  const path = pathOf(sound.source.sha256);
  const open = async (): Promise<SampleStream> => {
    const source = await openSourceSound(av, path, sound.in);
    if (source !== undefined) return sound.speed === 1 ? source : await filtered(av, source, tempo(sound.speed));
    // Not every clip has a sound; a cut that names a voice or music means one.
    if (sound.role === 'clip') return SILENT;
    throw new UndecodableSound('there is no sound in it');
  };
  return endingSoftly(sound.loop ? await goingRound(open) : await open());
}

const SILENT: SampleStream = { read: async () => new Float32Array(0), [Symbol.asyncDispose]: async () => {} };

/**
 * Sound that runs faster or slower at its own pitch. It begins with its first sample; inside, places hold to 25 ms. In equal steps that are
 * each between half and double: beyond that, whole pieces would be left out.
 */
function tempo(speed: number): string {
  const steps = Math.max(1, Math.ceil(Math.abs(Math.log2(speed)) - 1e-9));
  return Array.from({ length: steps }, () => `atempo=${speed ** (1 / steps)}`).join(',');
}

// What happens where a recording is over before its place on the timeline is.

/** It goes to silence in its last 5 ms, wherever it stops. */
function endingSoftly(source: SampleStream): SampleStream {
  const queue = sampleQueue();
  let isOver = false;
  return {
    async read(count) {
      while (!isOver && queue.length < count + RAMP) {
        const samples = await source.read(count + RAMP - queue.length);
        queue.push(samples);
        if (samples.length > 0) continue;
        isOver = true;
        const rest = queue.take(queue.length);
        fallAtEnd(rest);
        queue.push(rest);
      }
      return queue.take(count);
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

function fallAtEnd(samples: Float32Array): void {
  const length = samples.length / 2;
  const ramp = Math.min(RAMP, length);
  for (let left = 0; left < ramp; left++) {
    const share = Math.sin(((left + 0.5) / ramp) * (Math.PI / 2));
    const at = (length - 1 - left) * 2;
    samples[at]! *= share;
    samples[at + 1]! *= share;
  }
}

/** Samples of a short recording that are kept rather than decoded for each round: ten seconds. */
const KEPT = 10 * SAMPLE_RATE;

/**
 * It begins again right where it ends, without a sample between: what was made to go round stays on the beat. Where the two ends do not
 * meet, the step between them is let go over 5 ms.
 */
async function goingRound(open: () => Promise<SampleStream>): Promise<SampleStream> {
  let round = await open();
  let kept: Float32Array[] | undefined = [];
  let length = 0;
  let isAgain = false;
  let step: readonly [number, number] = [0, 0];
  let stepLeft = 0;
  const last = { left: [0, 0], right: [0, 0] };

  /** Of the round that is on: none at its end. */
  const next = async (count: number): Promise<Float32Array> => {
    const samples = await round.read(count);
    length += samples.length / 2;
    if (isAgain || kept === undefined) return samples;
    kept.push(samples.slice());
    if (length > KEPT) kept = undefined;
    return samples;
  };
  const beginAgain = async (): Promise<void> => {
    await round[Symbol.asyncDispose]();
    round = kept === undefined ? await open() : stillThere(kept);
    isAgain = true;
    length = 0;
  };
  return {
    async read(count) {
      let samples = await next(count);
      if (samples.length === 0) {
        if (length === 0) return samples;
        await beginAgain();
        samples = await next(count);
        step = [due(last.left) - (samples[0] ?? 0), due(last.right) - (samples[1] ?? 0)];
        stepLeft = RAMP;
      }
      for (let i = 0; i < samples.length; i += 2) {
        if (stepLeft > 0) {
          const share = (1 - Math.cos((Math.PI * stepLeft) / RAMP)) / 2;
          samples[i]! += step[0] * share;
          samples[i + 1]! += step[1] * share;
          stepLeft--;
        }
        last.left = [last.left[1]!, samples[i]!];
        last.right = [last.right[1]!, samples[i + 1]!];
      }
      return samples;
    },
    [Symbol.asyncDispose]: () => round[Symbol.asyncDispose](),
  };
}

/** Where a line through the last two samples leads. */
const due = ([before, last]: readonly number[]): number => 2 * (last ?? 0) - (before ?? 0);

function stillThere(parts: readonly Float32Array[]): SampleStream {
  const queue = sampleQueue();
  for (const part of parts) queue.push(part.slice());
  return { read: async count => queue.take(count), [Symbol.asyncDispose]: async () => {} };
}

// The sound of a file from a place in it on, as 48 kHz stereo. What its clock leaves out is silence, what it has twice is heard once; clocks that
// only round are not believed over the number of samples.

/** Seconds that a file's clock may differ from its samples: containers that count milliseconds, and packets, round. */
const ROUNDED = 0.02;

/** Seconds that may be missing of what the file promises: heads round. */
const MISSED = 1;

/** @param from seconds. Undefined: there is no sound in the file. @throws {UndecodableSound}, also while it is read */
async function openSourceSound(av: Libav, path: string, from: number): Promise<SampleStream | undefined> {
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
