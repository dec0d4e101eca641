/** What stopped a cut, for who asked for it: what its author can mend, what the disk said, or that it was our own fault. */
import { getSystemErrorName } from 'node:util';
import { codeOf, stackOf } from '../../host/error-code.ts';
import { errorCodeText } from '../../host/error-code-text.ts';
import { whyNotLoaded } from '../../host/optional-packages.ts';
import type { Explained } from '../../host/worker-program.ts';
import { LibavError, NoEngine } from '../../media/libav.ts';
import { CutFailure, stumbled, unwritable } from '../cut-messages.ts';

export function explained(error: unknown): Explained {
  if (error instanceof CutFailure || error instanceof NoEngine) return { message: error.message };
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return { message: unloaded };
  const words = errorCodeText(error instanceof LibavError ? systemName(error.number) : codeOf(error), 'writing');
  if (words !== undefined) return { message: unwritable(words.what, words.mend).message };
  const why = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return { message: stumbled(why.slice(0, 200)), bug: stackOf(error) };
}

/** Of a negated errno; libav's own numbers are far below those. */
const systemName = (number: number): string | undefined =>
  number < 0 && number > -4096 ? getSystemErrorName(number) : undefined;
