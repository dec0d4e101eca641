/** Keeps the lock beside a film up to date while it runs. */
import { relative } from 'node:path';
import { systemClock } from '../host/clock.ts';
import { LockKeeper, lockOnDisk } from '../run/lock/lock-keeper.ts';
import type { Film } from './film/open-film.ts';

/** @param writing called before the lock is written. */
export function lockKeeper({ journal, lock, lockPath, secrets }: Film, writing: () => void = () => {}): LockKeeper {
  const disk = lockOnDisk(lockPath);
  const write: typeof disk.write = (text, over) => {
    writing();
    return disk.write(text, over);
  };
  const note = (value: string) => {
    // Without the note, the next run reads the lock once more: that is no reason to end this one.
    void journal.notes.set('lock', value).catch(() => {});
  };
  return new LockKeeper({
    disk: { ...disk, write },
    clock: systemClock,
    service: lock.section,
    path: relative('', lockPath),
    found: lock.text,
    isOurs: lock.isOurs,
    hide: asked => secrets.redactIn(asked),
    written: note,
    stale: () => note(''),
  });
}
