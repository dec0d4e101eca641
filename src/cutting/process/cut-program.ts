/** The process that cuts: strangers' films are decoded here, and whatever they do to a decoder ends this process and nothing else. */

import { constants, setPriority } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { codeOf, stackOf } from '../../host/error-code.ts';
import { errorCodeText } from '../../host/error-code-text.ts';
import { whyNotLoaded } from '../../host/optional-packages.ts';
import { type Explained, serveJobs } from '../../host/worker-program.ts';
import { LibavError, NoEngine } from '../../media/libav.ts';
import { CutFailure, stumbled, unwritable } from '../cut-messages.ts';
import { makePoster } from '../poster.ts';
import { renderFilm } from '../render-film.ts';
import type { CutTask } from './cut-task.ts';

// What is left of the machine: a run's screen moves, and its requests are followed, as if nothing were cut.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
serveJobs<CutTask, Record<string, never>>({
  execute: async (task, progress) => {
    switch (task.type) {
      case 'film':
        await renderFilm(task.job, frames => progress(frames / task.job.cut.frames));
        return {};
      case 'poster':
        await makePoster(task.job);
        return {};
    }
  },
  explain,
});

export function explain(error: unknown): Explained {
  if (error instanceof CutFailure || error instanceof NoEngine) return { message: error.message };
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return { message: unloaded };
  const words = errorCodeText(error instanceof LibavError ? systemName(error.number) : codeOf(error), 'writing');
  if (words !== undefined) return { message: unwritable(words.what, words.mend).message };
  return { message: stumbled(), bug: stackOf(error) };
}

/** Of a negated errno; libav's own numbers are far below those. */
const systemName = (number: number): string | undefined =>
  number < 0 && number > -4096 ? getSystemErrorName(number) : undefined;
