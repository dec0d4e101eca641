/** A command and everything it started. */

import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from '../error-code.ts';
import type { Clock } from '../time/clock.ts';

/** Milliseconds between two looks at a group that is being ended. */
const POLL_INTERVAL = 20;

/**
 * SIGTERM now, SIGKILL after `grace` ms. Settles when `isOver` says that the leader has ended and no other process of its group lives:
 * a program that shuts down in good order gets the time for it, and the processes it started get no more than that.
 */
export async function endGroup(leader: number, isOver: () => boolean, grace: number, clock: Clock): Promise<void> {
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    // It is signalled alone in the instant before it leads a group. Once it is over, its number may be another process's.
    if (!signalGroup(leader, name) && !isOver()) send(leader, name);
  };
  signal('SIGTERM');
  const patience = clock.now() + grace;
  let leaderHasEnded = isOver();
  while (!isOver() || (await isAlive(leader))) {
    if (clock.now() >= patience) signal('SIGKILL');
    // Processes that the leader started while it was shutting down have not got the first one.
    else if (isOver() && !leaderHasEnded) signal('SIGTERM');
    leaderHasEnded = isOver();
    await clock.sleep(POLL_INTERVAL);
  }
}

async function isAlive(leader: number): Promise<boolean> {
  if (!send(-leader, 0)) return false;
  const members = await livingMembers(leader);
  return members === null || members > 0;
}

/**
 * How many of a group are alive; null where there is no /proc to ask. Where nothing reaps orphans (in a container whose first process is
 * no init), the dead of a group stay listed for ever, and only /proc distinguishes them from the living.
 */
async function livingMembers(group: number): Promise<number | null> {
  let processes: string[];
  try {
    processes = await readdir('/proc');
  } catch {
    return null;
  }
  const stats = await Promise.all(
    processes.filter(name => /^\d+$/.test(name)).map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  if (stats.every(stat => stat === '')) return null;
  return stats.filter(stat => {
    // pid (name, which may hold blanks and brackets) state parent group …
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  }).length;
}

/** Signals everyone in the group; whether there was anybody. The studio uses it for its renderers, which lead groups of their own. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  return send(-leader, signal);
}

/** Whether a process received it. */
function send(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // EPERM: a process is there, under another user.
    return codeOf(error) === 'EPERM';
  }
}

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
    // EPERM: a process is there, under another user.
    return codeOf(error) === 'EPERM';
  }
}
