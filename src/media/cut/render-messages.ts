/** The words for a film that could not be cut. */

import { getSystemErrorName } from 'node:util';
import { codeOf, stackOf } from '../../machine/error-code.ts';
import { errorCodeText } from '../../machine/files/disk-error.ts';
import { whyNotLoaded } from '../../machine/process/optional-packages.ts';
import type { Explained } from '../../machine/process/worker-program.ts';
import type { CutSound } from '../../model/media/cut.ts';
import { UndecodablePicture } from '../decode/timed-frames.ts';
import { LibavError, NoEngine } from '../libav.ts';
import { UndecodableSound } from './sound/source-decoder.ts';

/** Why a cut failed, in a sentence for its author. */
class CutFailure extends Error {
  override readonly name = 'CutFailure';
}

const brokenSource = (name: string, why: string): CutFailure =>
  new CutFailure(`${name}: ${why}; make it again, or leave it out of the cut`);

/** @param why the error's own words, for the engineer who mends it. */
const cutterFailed = (why: string): string =>
  `the film could not be cut, and the fault is not its author’s (${why}): run again, and report it if it happens again`;

const atItsTime = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
};

export const overlayName = (seconds: number): string => `what lies over the film at ${atItsTime(seconds)}`;

export const soundName = (role: CutSound['role'], seconds: number): string =>
  role === 'music' ? 'the music' : `the ${role === 'voice' ? 'voice' : 'sound'} at ${atItsTime(seconds)}`;

/** Why a cut failed, for its author: what they can mend, an error of the disk, or a fault of ours. */
export function explained(error: unknown): Explained {
  if (error instanceof CutFailure || error instanceof NoEngine) return { message: error.message };
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return { message: unloaded };
  const words = errorCodeText(error instanceof LibavError ? systemName(error.number) : codeOf(error), 'writing');
  if (words !== undefined)
    return { message: `the film cannot be written: ${words.what}; ${words.mend}, then run again` };
  const why = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return { message: cutterFailed(why.slice(0, 200)), bug: stackOf(error) };
}

/** Of a negated errno; libav's own numbers are far below those. */
const systemName = (number: number): string | undefined =>
  number < 0 && number > -4096 ? getSystemErrorName(number) : undefined;

/** Messages about what cannot be decoded use the name that its author knows. */
export async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UndecodablePicture || error instanceof UndecodableSound)
      throw brokenSource(name, error.message);
    throw error;
  }
}
