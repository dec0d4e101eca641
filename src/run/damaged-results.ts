/**
 * Checks, before a run, the digest of each owned file that the run is going to read: inputs of instances to be made, and outputs that are not
 * in place yet. The store sets a damaged file aside. The next plan then downloads the result again, or makes it again where that is free.
 * A file that is found damaged later fails the step that reads it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isToBeMade, type Plan } from '../model/plan.ts';
import { contentIn, contentsOf, isStored, pieceOf } from '../model/run/result.ts';
import { looksSame } from '../records/store/materialise.ts';
import type { Store } from '../records/store/store.ts';

type Files = Pick<Store, 'has' | 'file' | 'pathOf'>;

/** Sets damaged files aside, and returns whether there were any. @param root of the project: outputs are named from there. */
export async function setAsideDamaged(plan: Plan, store: Files, root: string): Promise<boolean> {
  let isAny = false;
  for (const sha256 of filesToRead(plan, store, root)) {
    if (!store.has(sha256)) continue;
    // Other errors of the disk are reported where the file is read.
    await store.pathOf(sha256).catch(() => {});
    isAny ||= !store.has(sha256);
  }
  return isAny;
}

function filesToRead({ instances, outputs }: Plan, store: Files, root: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { decision, request } of instances)
    if (request && isToBeMade(decision)) for (const sha256 of contentIn(JSON.stringify(request))) found.add(sha256);
  for (const { instance, path } of outputs) {
    const decision = instances.get(instance)?.decision;
    const piece = decision?.is === 'hit' ? pieceOf(decision.result) : undefined;
    if (!piece || !isStored(piece)) continue;
    for (const { sha256 } of contentsOf(piece)) if (!isInPlace(store.file(sha256), join(root, path))) found.add(sha256);
  }
  return found;
}

/** By length and date, as a run looks before it copies. */
function isInPlace(file: string | undefined, target: string): boolean {
  const [mine, theirs] = [file, target].map(path => path && statSync(path, { throwIfNoEntry: false }));
  return Boolean(mine && theirs && looksSame(mine, theirs));
}
