/** Ways in which a system tells of changes in a folder, or does not: each is one that some disk, mount or limit has. */
import type { Listen } from '../../src/machine/files/file-watch.ts';

export type EventVice = (listening: { readonly folders: string[]; readonly wakes: (() => void)[] }) => Listen;

export const EVENT_VICES = {
  /** A network drive, a folder mounted into a container: watching succeeds, and nothing is ever told. */
  'tells nothing': seen => folder => {
    seen.folders.push(folder);
    return { close: () => {} };
  },
  /** `ENOSPC`: the system has no more watches. */
  'has no more watches': seen => folder => {
    seen.folders.push(folder);
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
  },
  /** The mount went away under it. */
  'is lost at once':
    seen =>
    (folder, { lost }) => {
      seen.folders.push(folder);
      queueMicrotask(lost);
      return { close: () => {} };
    },
  /** Somebody writes other files there, all the time. */
  'tells of nothing, all the time':
    seen =>
    (folder, { wake }) => {
      seen.folders.push(folder);
      seen.wakes.push(wake);
      const telling = setInterval(wake, 0);
      return { close: () => clearInterval(telling) };
    },
} as const satisfies { readonly [vice: string]: EventVice };
