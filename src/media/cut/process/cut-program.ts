/** The process that cuts: strangers' films are decoded here, and whatever they do to a decoder ends this process and nothing else. */

import { constants, setPriority } from 'node:os';
import { serveJobs } from '../../../machine/process/worker-program.ts';
import { type CutTask, makePoster } from '../poster.ts';
import { renderFilm } from '../render-film.ts';
import { explained } from '../render-messages.ts';

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
  explain: explained,
});
