/** The part of the file system that results are kept with, injected so that a test can make any call fail. */
import { readdirSync, statSync } from 'node:fs';
import files from 'node:fs/promises';
import { retryTransient } from '../time/backoff.ts';
import { type Clock, systemClock } from '../time/clock.ts';

export type Disk = Pick<
  typeof files,
  | 'chmod'
  | 'copyFile'
  | 'lstat'
  | 'mkdir'
  | 'mkdtemp'
  | 'open'
  | 'readdir'
  | 'readFile'
  | 'rename'
  | 'rm'
  | 'stat'
  | 'utimes'
> & {
  readonly readdirSync: (path: string) => readonly string[];
  readonly statSync: typeof statSync;
};

/** A disk that repeats calls that fail only because too many files are open just now. */
export function retryingDisk(disk: Disk, clock: Clock): Disk {
  return new Proxy(disk, {
    get: (target, name: keyof Disk) => {
      const work = target[name] as (...given: readonly unknown[]) => Promise<unknown>;
      if (name.endsWith('Sync')) return work;
      return (...given: readonly unknown[]) => retryTransient(clock, async () => work(...given));
    },
  });
}

export const plainDisk: Disk = { ...files, readdirSync, statSync };

export const systemDisk: Disk = retryingDisk(plainDisk, systemClock);
