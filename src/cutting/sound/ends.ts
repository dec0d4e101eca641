/** What happens where a recording is over before its place on the timeline is. */
import { SAMPLE_RATE, type SampleStream, sampleQueue } from './sample-stream.ts';
import { RAMP } from './sound-places.ts';

/** It goes to silence in its last 5 ms, wherever it stops. */
export function endingSoftly(source: SampleStream): SampleStream {
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
export async function goingRound(open: () => Promise<SampleStream>): Promise<SampleStream> {
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
