/** Frames and sound of videos, taken in processes of their own and noted beside the store. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DerivedIndex } from '../artifacts/derived-index.ts';
import type { Store } from '../artifacts/store.ts';
import { systemClock } from '../host/clock.ts';
import type { Deriver } from '../media/derived/deriver.ts';
import { DerivedFiles, type TakePart } from '../run/local/derived-files.ts';

export const derivedFiles = (store: Store): DerivedFiles =>
  new DerivedFiles({ store, index: derivedIndexOf(store), take: takePart(), newId: randomUUID });

/** It is this machine's own, as the folder of files that are not whole yet is. */
export const derivedIndexOf = ({ partials }: Pick<Store, 'partials'>): DerivedIndex =>
  new DerivedIndex(join(dirname(partials), 'derived'));

/** The processes are started with the first frame. */
function takePart(): TakePart {
  let started: Promise<Deriver> | undefined;
  return async (path, what, out, signal) => {
    started ??= import('../media/derived/deriver.ts').then(({ Deriver }) => new Deriver({ clock: systemClock }));
    return (await started).take(path, what, out, signal);
  };
}
