/** Who we are among the programs that share a disk, and whether another of them still is. */
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './error-code.ts';

export interface ProcessIdentity {
  /** A word for those who see one another by their numbers: a machine, or a container on it. */
  readonly machine: string;
  readonly pid: number;
}

export const thisProcess = (): ProcessIdentity => ({
  machine: createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8),
  pid: process.pid,
});

/** Two containers may share a name and a disk; on Linux their processes are counted apart. */
function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** False only when that is sure: of another machine nobody can tell from here. */
export function mayBeRunning({ machine, pid }: ProcessIdentity): boolean {
  if (machine !== thisProcess().machine) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: somebody is there, under another user.
    return codeOf(error) === 'EPERM';
  }
}
