/** The words for a film that could not be cut. */
import type { CutSound } from '../domain/cut.ts';

/** Why a cut failed, in a sentence for its author. */
export class CutFailure extends Error {
  override readonly name = 'CutFailure';
}

export const brokenSource = (name: string, why: string): CutFailure =>
  new CutFailure(`${name}: ${why}; make it again, or leave it out of the cut`);

export const unwritable = (what: string, mend: string): CutFailure =>
  new CutFailure(`the film cannot be written: ${what}; ${mend}, then run again`);

export const endedFromOutside = (how: string): string =>
  `the process that cuts the film ${how}, twice; free some memory, then run again`;

/** @param near the shot that was being cut, as far as it is known. */
export const crashed = (how: string, near: string | undefined): string =>
  near === undefined
    ? `the process that cuts the film crashed (it ${how}): run again`
    : `the process that cuts the film crashed near ${near} (it ${how}): make that again, or leave it out of the cut`;

export const tooLong = (hours: number): string =>
  `cutting took longer than ${hours} hours and was stopped: cut a shorter film, or a smaller one`;

export const tooLarge = (): string => 'cutting took more memory than it may and was stopped: cut a smaller film';

/** @param why in the words of whatever stumbled: they are for who mends it. */
export const stumbled = (why: string): string =>
  `the film could not be cut, and the fault is not its author’s (${why}): run again, and report it if it happens again`;

export const atItsTime = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
};

export const overlayName = (seconds: number): string => `what lies over the film at ${atItsTime(seconds)}`;

export const soundName = (role: CutSound['role'], seconds: number): string =>
  role === 'music' ? 'the music' : `the ${role === 'voice' ? 'voice' : 'sound'} at ${atItsTime(seconds)}`;
