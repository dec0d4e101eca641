/** Where frames and sound are taken out of strangers' videos: a process of its own, which a video that crashes its decoder takes down alone. */

import { codeOf, stackOf } from '../../machine/error-code.ts';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { serveJobs } from '../../machine/process/worker-program.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { NotMedia } from '../decode/not-media.ts';
import { type DeriveJob, derive } from './derive.ts';

/** Milliseconds. */
const IDLE = 10_000;

serveJobs<DeriveJob, MediaFacts>({
  execute: derive,
  explain: error => {
    // An error of the disk and a missing engine have messages; anything else is a bug.
    if (codeOf(error) !== undefined) return { message: `the frame cannot be written: ${writeErrorText(error)}` };
    const message = error instanceof Error ? error.message : String(error);
    const isExpected = error instanceof NotMedia || (error instanceof Error && error.name === 'NoEngine');
    return isExpected ? { message } : { message, bug: stackOf(error) };
  },
  leaveAfter: IDLE,
});
