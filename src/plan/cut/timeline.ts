/**
 * Lengths in seconds → whole frames on a timeline. What is rounded is where each clip ends, never how long it is: clips of 1.3 frames
 * too much, a thousand of them, end where their sum does. A dissolve is the same whole number of frames wherever it stands; the clip
 * that comes in begins so many frames before the other one ends, and the film is shorter by that.
 */
import type { FrameRate } from '../../domain/cut.ts';
import { perSecond } from '../../domain/frame-rate.ts';

interface TimedClip {
  /** How long it is seen, its dissolves included. */
  readonly seconds: number;
  /** Frames in which the clip before gives way to it; of the first, 0. */
  readonly dissolve: number;
}

export interface Placement {
  readonly at: number;
  readonly frames: number;
  readonly dissolve: number;
}

/** Sums of seconds carry binary dust: half a frame is rounded up, also where it is a little less. */
const DUST = 1e-6;

const rounded = (frames: number): number => Math.floor(frames + 0.5 + DUST);

export const framesOf = (seconds: number, rate: FrameRate): number => rounded(seconds * perSecond(rate));

export const secondsOf = (frames: number, { frames: many, seconds }: FrameRate): number => (frames * seconds) / many;

/** Each begins where the one before ends, or `dissolve` frames earlier. A clip shorter than half a frame may come out as none. */
export function placeClips(clips: readonly TimedClip[], rate: FrameRate): readonly Placement[] {
  const fps = perSecond(rate);
  let exact = 0;
  let end = 0;
  return clips.map(({ seconds, dissolve }) => {
    const at = end - dissolve;
    exact += seconds * fps - dissolve;
    end = rounded(exact);
    return { at, frames: end - at, dissolve };
  });
}

/** Frames of the film. */
export const endOf = (placements: readonly Placement[]): number => {
  const last = placements.at(-1);
  return last ? last.at + last.frames : 0;
};

/**
 * The length of a medium to its last frame: facts are told in milliseconds, and a thousandth of a second for each clip adds up. A length
 * that is not a whole number of frames within that is left as it is.
 */
export function exactSeconds(seconds: number, rate: FrameRate | undefined): number {
  if (!rate) return seconds;
  const frames = Math.round(seconds * perSecond(rate));
  return frames > 0 && Math.abs(secondsOf(frames, rate) - seconds) <= 0.001 ? secondsOf(frames, rate) : seconds;
}
