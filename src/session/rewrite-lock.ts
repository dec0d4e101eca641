/** The lock is read, changed and written as one step, whoever else writes to it. */
import type { LockDisk } from '../run/lock/lock-keeper.ts';

/** Somebody else may be quicker. */
const TRIES = 8;

/** @throws LockRefused from `change`, and what a disk says. */
export async function rewriteLock(disk: LockDisk, change: (text: string | null) => string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await disk.read();
    const after = change(before);
    if (after === (before ?? '') || (await disk.write(after, before))) return;
  }
  throw new Error('another program changes the lock all the time: end that');
}
