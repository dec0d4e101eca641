/** Where frames and sound are taken out of strangers' videos: a process of its own, which a video that crashes its decoder takes down alone. */
import type { MediaFacts } from '../../domain/media.ts';
import { writeErrorText } from '../../host/disk-error.ts';
import { codeOf, stackOf } from '../../host/error-code.ts';
import { serveJobs } from '../../host/worker-program.ts';
import { NotMedia } from '../not-media.ts';
import { type DeriveJob, derive } from './derive.ts';

/** Milliseconds. */
const IDLE = 10_000;

serveJobs<DeriveJob, MediaFacts>({
  execute: derive,
  explain: error => {
    // An error of the disk and a missing engine have messages; anything else is a bug.
    if (codeOf(error) !== undefined) return { message: `the frame cannot be written: ${writeErrorText(error)}` };
    const message = error instanceof Error ? error.message : String(error);
    const isTold = error instanceof NotMedia || (error instanceof Error && error.name === 'NoEngine');
    return isTold ? { message } : { message, bug: stackOf(error) };
  },
  leaveAfter: IDLE,
});
