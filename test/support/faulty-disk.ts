import type { FileHandle } from 'node:fs/promises';
import { type Disk, plainDisk } from '../../src/machine/files/disk.ts';

/** What is done to the disk, in the order of its doing: `open`, `write`, `rename`, … */
export interface FaultyDisk extends Disk {
  readonly done: readonly string[];
}

/** A real disk on which the `nth` thing done (from 0) fails as the system would fail it, and everything of its kind `after` it, too. */
export function faultyDisk(fault: { nth: number; code: string; lasting?: boolean }): FaultyDisk {
  const done: string[] = [];
  let broken: string | undefined;
  const trouble = (name: string, path: unknown) => {
    const here = done.length === fault.nth;
    done.push(name);
    if (!here && broken !== name) return;
    if (fault.lasting) broken = name;
    const error: NodeJS.ErrnoException = new Error(`${fault.code}: made by the test, ${name}`);
    error.code = fault.code;
    error.syscall = name;
    if (typeof path === 'string') error.path = path;
    throw error;
  };
  // Everything but the look-ups that a run makes by the thousand.
  const names = Object.entries(plainDisk).flatMap(([name, work]) =>
    typeof work === 'function' && !name.endsWith('Sync') ? [name as keyof Disk] : [],
  );
  const faulty = Object.fromEntries(
    names.map(name => [
      name,
      async (...given: unknown[]) => {
        trouble(name, given[0]);
        const work = plainDisk[name] as (...given: unknown[]) => Promise<unknown>;
        const got = await work(...given);
        return name === 'open' ? faultyHandle(got as FileHandle, trouble) : got;
      },
    ]),
  );
  return Object.assign({ ...plainDisk, ...faulty }, { done });
}

const HANDLE: readonly string[] = ['write', 'writeFile', 'read', 'truncate', 'datasync', 'sync', 'stat'];

function faultyHandle(handle: FileHandle, trouble: (name: string, path: unknown) => void): FileHandle {
  return new Proxy(handle, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (typeof name !== 'string' || !HANDLE.includes(name)) return value.bind(target);
      return async (...given: unknown[]) => {
        trouble(`handle.${name}`, undefined);
        return value.apply(target, given);
      };
    },
  });
}
