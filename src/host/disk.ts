/** The disk, as the rooms that keep results use it: injected, so that a test can make any of it fail. */
import { readdirSync, statSync } from 'node:fs';
import files from 'node:fs/promises';
import { type Clock, systemClock } from './clock.ts';

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

/** Milliseconds between two tries while too many files are open, and how many tries there are: two seconds in all. */
const WAIT = 50;
const TRIES = 40;

/** "Too many open files" passes as soon as somebody closes one: everything else is an answer. */
export function patient(disk: Disk, clock: Clock): Disk {
  return new Proxy(disk, {
    get: (target, name: keyof Disk) => {
      const work = target[name] as (...given: readonly unknown[]) => unknown;
      if (name.endsWith('Sync')) return work;
      return async (...given: readonly unknown[]) => {
        for (let tries = 1; ; tries++) {
          try {
            return await work(...given);
          } catch (error) {
            const { code } = error as Partial<NodeJS.ErrnoException>;
            if (tries === TRIES || (code !== 'EMFILE' && code !== 'ENFILE')) throw error;
            await clock.sleep(WAIT);
          }
        }
      };
    },
  });
}

export const plainDisk: Disk = { ...files, readdirSync, statSync };

export const systemDisk: Disk = patient(plainDisk, systemClock);
