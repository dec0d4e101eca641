/** Which process this is among those that share a disk, and whether another of them still runs. */
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './error-code.ts';

interface ProcessIdentity {
  /** Names a machine, or a container on it: the processes in one see one another's numbers. */
  readonly machine: string;
  readonly pid: number;
}

/** It is the same for the whole life of this process, and each download asks for it. */
let ownMachine: string | undefined;

export function thisProcess(): ProcessIdentity {
  ownMachine ??= createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);
  return { machine: ownMachine, pid: process.pid };
}

/** Two containers may share a name and a disk; on Linux each has its own process namespace. */
function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** False only when that is sure. A process of another machine may always be running. */
export function mayBeRunning({ machine, pid }: ProcessIdentity): boolean {
  if (machine !== thisProcess().machine) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: somebody is there, under another user.
    return codeOf(error) === 'EPERM';
  }
}
