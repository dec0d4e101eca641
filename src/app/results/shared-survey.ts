/** What a team's store has of the results that lock files name, and what this machine could send there. */
import { readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { contentsOf } from '../../model/run/result.ts';
import { LockFile, lockPath, readLockText } from '../../records/lock/lock-file.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';

export interface SurveyedContent {
  readonly sha256: string;
  readonly bytes: number;
  /** Which instances it is of, in which lock: `film.lock.yaml: shot[beat=3]`. */
  readonly of: readonly string[];
  readonly here: boolean;
  /** `other`: something of another length is under its name. */
  readonly there: 'there' | 'missing' | 'other' | 'not told';
}

export interface Survey {
  readonly contents: readonly SurveyedContent[];
  /** Why the store could not tell. */
  readonly problem?: string;
}

interface Named {
  readonly sha256: string;
  readonly bytes: number;
  readonly of: Set<string>;
}

/** Every lock file of a project, absolute and sorted. @param isLeftOut of a file or folder's name: hidden ones, and packages. */
export async function locksIn(
  root: string,
  isLeftOut = (name: string) => name.startsWith('.') || name === 'node_modules',
): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (isLeftOut(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if ((entry.isFile() || entry.isSymbolicLink()) && entry.name.endsWith('.lock.yaml')) found.push(path);
    }
  };
  await walk(root);
  return found.sort();
}

/** The lock of a pipeline file; itself where it is one. */
export const lockOf = (file: string): string => (file.endsWith('.lock.yaml') ? file : lockPath(file));

/** @throws LockRefused */
export async function survey(
  locks: readonly string[],
  { root, store, shared }: { readonly root: string; readonly store: Store; readonly shared: SharedResults },
  signal: AbortSignal,
): Promise<Survey> {
  const named = contentsIn(locks, root);
  const asked = await shared.ask(named.keys(), signal);
  let problem: string | undefined;
  const contents = [...named.values()].map(({ sha256, bytes, of }): SurveyedContent => {
    const content = { sha256, bytes, of: [...of], here: store.has(sha256) };
    const looked = asked.get(sha256);
    if (looked?.is === 'fault') problem = looked.message;
    if (!looked || looked.is === 'fault') return { ...content, there: 'not told' };
    const isOther = looked.is === 'there' && looked.bytes !== bytes;
    return { ...content, there: isOther ? 'other' : looked.is };
  });
  return { contents, ...(problem !== undefined && { problem }) };
}

function contentsIn(locks: readonly string[], root: string): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  for (const path of locks) {
    const shown = relative(root, path);
    const lock = LockFile.open(readLockText(path, shown), '', shown, false);
    for (const { key, result } of lock.everyResult())
      for (const { sha256, bytes } of contentsOf(result)) {
        const known = named.get(sha256) ?? { sha256, bytes, of: new Set() };
        known.of.add(`${shown}: ${key}`);
        named.set(sha256, known);
      }
  }
  return named;
}

/** What would go up: it is here, and not there. */
export const toSend = ({ contents }: Survey): readonly SurveyedContent[] =>
  contents.filter(({ here, there }) => here && (there === 'missing' || there === 'other'));

export function sendAll(
  survey: Survey,
  { store, shared }: { readonly store: Store; readonly shared: SharedResults },
): void {
  for (const { sha256 } of toSend(survey)) shared.share({ sha256, extension: extname(store.file(sha256) ?? '') });
}
