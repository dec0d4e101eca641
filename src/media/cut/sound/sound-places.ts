/** Where each sound of a cut lies, in samples, and how loud it is at each of them (pure). */
import type { Cut, CutSound, FrameRate } from '../../../model/media/cut.ts';
import { SAMPLE_RATE } from '../../encode/encoder-settings.ts';
import { secondsOf } from '../cut-context.ts';
import { soundName } from '../render-messages.ts';

export interface PlacedSound {
  readonly sound: CutSound;
  /** What its author would call it. */
  readonly name: string;
  /** Samples of the film: its first one, and the first one after it. */
  readonly from: number;
  readonly to: number;
  /** Samples in which it comes from silence, and goes to silence. */
  readonly rise: number;
  readonly fall: number;
}

/** Five milliseconds: too short to be heard as a fade, long enough that a cut does not click. */
export const RAMP = 240;

export const sampleAt = (frame: number, { frames, seconds }: FrameRate): number =>
  Math.round((frame * seconds * SAMPLE_RATE) / frames);

export function placedSounds({ sounds, shots, rate }: Pick<Cut, 'sounds' | 'shots' | 'rate'>): readonly PlacedSound[] {
  return withoutSeams(sounds, rate).map(sound => {
    const { at, frames, fadeIn, fadeOut } = sound;
    const from = sampleAt(at, rate);
    const to = sampleAt(at + frames, rate);
    // Voices and music begin as they were recorded, on the beat; the sound of a clip begins in the middle of something.
    const isCutInto = sound.role === 'clip' || sound.in > 0;
    const rise = Math.max(sampleAt(at + fadeIn, rate) - from, isCutInto ? RAMP : 0);
    const fall = Math.max(to - sampleAt(at + frames - fadeOut, rate), RAMP);
    const shot = sound.role === 'clip' ? shots.find(it => it.at === at) : undefined;
    const name = shot?.name ?? soundName(sound.role, secondsOf(at, rate));
    return { sound, name, from, to, rise, fall };
  });
}

/**
 * How much of it is heard at its n-th sample, 0 to 1. A quarter of a sine: where one fades out while another fades in, as under a
 * dissolve, their powers add up to one all along.
 */
export function shareAt({ from, to, rise, fall }: PlacedSound, n: number): number {
  const before = to - from - n;
  const coming = n < rise ? Math.sin(((n + 0.5) / rise) * (Math.PI / 2)) : 1;
  const going = before <= fall ? Math.sin(((before - 0.5) / fall) * (Math.PI / 2)) : 1;
  return coming * going;
}

/** Seconds within which one sound goes on where the other stopped. */
const SAME_PLACE = 0.001;

/** A clip that was parted, and goes on in the next shot as if it had not been, is heard as one: no ramps in its middle. */
function withoutSeams(sounds: readonly CutSound[], rate: FrameRate): readonly CutSound[] {
  const whole: CutSound[] = [];
  for (const sound of sounds) {
    const before = whole.findIndex(it => goesOn(it, sound, rate));
    const first = whole[before];
    if (first === undefined) whole.push(sound);
    else whole[before] = { ...first, frames: first.frames + sound.frames, fadeOut: sound.fadeOut };
  }
  return whole;
}

function goesOn(one: CutSound, next: CutSound, rate: FrameRate): boolean {
  const stopped = one.in + secondsOf(one.frames, rate) * one.speed;
  return (
    one.role === 'clip' &&
    next.role === 'clip' &&
    one.source.sha256 === next.source.sha256 &&
    one.at + one.frames === next.at &&
    one.speed === next.speed &&
    one.level === next.level &&
    one.fadeOut === 0 &&
    next.fadeIn === 0 &&
    Math.abs(next.in - stopped) < SAME_PLACE
  );
}
