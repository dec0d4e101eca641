/**
 * Where strangers' files are looked at: a process of its own, one file after the other. A file that crashes its reader, or never lets
 * it end, takes this process down and nothing else.
 */
import { stackOf } from '../../machine/error-code.ts';
import { serveJobs } from '../../machine/process/worker-program.ts';
import { probe } from '../probe.ts';
import type { MediaQuestion, MediaVerdict } from './inspector.ts';
import { NotMedia } from './not-media.ts';
import { verifyMedia } from './verify.ts';

/** Milliseconds. Its start costs the next file a tenth of a second, and its stay costs 100 MB. */
const IDLE = 10_000;

serveJobs<MediaQuestion, MediaVerdict>({
  execute: ({ path, kind }) => (kind === undefined ? probe(path) : verifyMedia(path, kind)),
  explain: error => {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof NotMedia ? { message } : { message, bug: stackOf(error) };
  },
  leaveAfter: IDLE,
});
