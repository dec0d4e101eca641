/** A command and everything it started. */
import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from './clock.ts';

/** Milliseconds between two looks at a group that is being ended. */
const LOOK = 20;

/** Signals the group, or its leader alone in the instant before it leads one. Whoever is gone already is no error. */
function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!send(-leader, signal)) send(leader, signal);
}

/**
 * SIGTERM now, SIGKILL after `grace` ms. Settles when `isOver` says that the leader has ended and nobody else of its group lives:
 * a program that shuts down in good order gets the time for it, and what it started gets none beyond it.
 */
export async function endGroup(leader: number, isOver: () => boolean, grace: number, clock: Clock): Promise<void> {
  signalGroup(leader, 'SIGTERM');
  const patience = clock.now() + grace;
  while (!isOver() || (await isAlive(leader))) {
    if (clock.now() >= patience) signalGroup(leader, 'SIGKILL');
    await clock.sleep(LOOK);
  }
}

async function isAlive(leader: number): Promise<boolean> {
  if (!send(-leader, 0)) return false;
  const members = await livingMembers(leader);
  return members === null || members > 0;
}

/**
 * Where nothing reaps orphans (a container whose first process is no init), the dead of a group stay listed for ever: Linux tells
 * them from the living. Null where there is no /proc to ask.
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

/** Whether there was somebody to receive it. */
function send(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // EPERM: somebody is there, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
