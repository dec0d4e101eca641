/** Frames a second as fractions: 23.976 is 24000/1001, and no decimal number is. */
import type { FrameRate } from './cut.ts';

/** Rates that are written as decimal numbers and meant as fractions differ from them by less than this. */
const NEAR = 0.004;

/** The rate that a number of frames a second means: 29.97 is 30000/1001, 25 is 25/1, 12.5 is 25/2. Undefined where it is none. */
export function frameRate(fps: number): FrameRate | undefined {
  if (!Number.isFinite(fps) || fps <= 0) return undefined;
  const whole = Math.round(fps);
  if (whole > 0 && Math.abs(fps - whole) < 0.0005) return { frames: whole, seconds: 1 };
  const slowed = (whole * 1000) / 1001;
  if (whole > 0 && Math.abs(fps - slowed) < NEAR) return { frames: whole * 1000, seconds: 1001 };
  return reduced(Math.round(fps * 1000), 1000);
}

/** `30000/1001` */
export function fractionOf(text: string): FrameRate | undefined {
  const [, frames, seconds] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  return Number(frames) > 0 && Number(seconds) > 0 ? reduced(Number(frames), Number(seconds)) : undefined;
}

export const perSecond = ({ frames, seconds }: FrameRate): number => frames / seconds;

/** As people write it: `24`, `23.976`. */
export const rateText = (rate: FrameRate): string => String(Math.round(perSecond(rate) * 1000) / 1000);

function reduced(frames: number, seconds: number): FrameRate {
  const divisor = commonDivisor(frames, seconds);
  return { frames: frames / divisor, seconds: seconds / divisor };
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
