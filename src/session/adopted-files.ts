/** Files that were adopted, on a machine that has their bytes in the project and not in its store: in a fresh clone they are in git. */
import { createReadStream, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { digestOf } from '../artifacts/digest.ts';
import type { SharedResults } from '../artifacts/shared/shared-results.ts';
import type { Store } from '../artifacts/store.ts';
import { adoptedDigest } from '../domain/adoption.ts';
import { isInside } from '../host/project.ts';
import type { LockFile } from '../run/lock/lock-file.ts';

/** A file that is in neither place is brought from where a team keeps its results. */
export async function bringAdopted(
  lock: LockFile,
  { store, shared }: { readonly store: Store; readonly shared: Pick<SharedResults, 'bring'> | undefined },
  root: string,
): Promise<void> {
  for (const { adopted, fingerprint } of lock.adoptions().values()) {
    const wanted = adoptedDigest(fingerprint);
    if (wanted === undefined || store.has(wanted)) continue;
    const path = resolve(root, adopted.file);
    // A link from git may lead to a device that never ends.
    if (!isInside(path, root) || !isFile(path) || (await digestOf(path).catch(() => undefined))?.sha256 !== wanted) {
      await shared?.bring(wanted, NEVER);
      continue;
    }
    await store.put(createReadStream(path), extname(path).toLowerCase());
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const NEVER = new AbortController().signal;
