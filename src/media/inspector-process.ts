/**
 * Where strangers' files are looked at: a process of its own, one file after the other. What crashes or never ends takes this
 * down, and nothing else. It leaves by itself when it has had nothing to do for a while.
 */
import { endWithParent } from '../host/end-with-parent.ts';
import type { Answer, Question } from './inspector.ts';
import { NotMedia } from './not-media.ts';
import { probe } from './probe.ts';
import { verifyMedia } from './verify.ts';

/** Milliseconds. Its start costs the next file a tenth of a second, and its stay costs 100 MB. */
const IDLE = 10_000;

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
endWithParent(process.ppid);

const leave = () => process.exit(0);
let idle = setTimeout(leave, IDLE);

process.on('message', async (question: Question) => {
  clearTimeout(idle);
  const answer = await look(question);
  process.send?.(answer);
  idle = setTimeout(leave, IDLE);
});

async function look({ id, path, kind }: Question): Promise<Answer> {
  try {
    return { id, found: kind === undefined ? await probe(path) : await verifyMedia(path, kind) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, [error instanceof NotMedia ? 'notMedia' : 'failed']: message };
  }
}
