/**
 * Where results are kept, by content: an index that answers at once whether content is owned, and the bytes, which may be on
 * another machine. `local-store.ts` is both in one folder; `shared/shared-store.ts` brings what is not there from where a team keeps its results.
 *
 * Nothing in either is ever deleted: results are paid for. A digest is the SHA-256 of the bytes in lower-case hex.
 */

import type { Edit } from '../../media/marking/byte-edits.ts';
import { Refusal } from '../../model/run/decision-page.ts';

/** Answers at once, and never from a network. */
export interface StoreIndex {
  /** Whether this content is owned, whole. */
  has(sha256: string): boolean;
  /**
   * The path of this content on this machine, or the path it will have as soon as `pathOf` has brought it here; undefined where it
   * is not owned. One caller cannot wait for `pathOf`: `run/find-owned.ts`, which puts a path into every owned result while expressions
   * are planned. A reader of the file awaits `pathOf` before.
   */
  file(sha256: string): string | undefined;
  /** Whether this content is an edited copy that `materialise` has written: it is not owned, and can be written again. */
  wrote(sha256: string): boolean;
  /** Where the damaged file with this content was set aside; undefined where none was. Absent: none ever is. */
  damaged?(sha256: string): string | undefined;
}

/** A stored file is damaged. It is no longer owned, and is kept for inspection. */
export class DamagedResult extends Refusal {
  readonly file: string;

  constructor(sha256: string, file: string) {
    super(`its file in the store is damaged (sha256 ${sha256.slice(0, 12)}…, now ${file}): check the disk`);
    this.file = file;
  }
}

interface StoreBytes {
  /** A folder of this machine, on the device that takes files in, for those that are not whole yet. */
  readonly partials: string;
  /**
   * Moves a file of this machine in, under what it is found to hold.
   * @param ext empty, or like `.mp4`.
   * @throws {DiskError} and leaves the file where it was.
   */
  adopt(path: string, ext: string): Promise<Stored>;
  /** Takes in the bytes of a stream, or none of them. @throws errors of the stream and of the disk. */
  put(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, ext: string): Promise<Stored>;
  /**
   * The path of this content on this machine, with a checked digest; it is downloaded first where it is elsewhere. Rejects
   * where it is not owned. @throws {DamagedResult} if its file is damaged.
   */
  pathOf(sha256: string): Promise<string>;
  /**
   * Puts a copy at `target`, all of it or nothing, and makes its folders. A copy, never a link: people edit what they are given.
   * A file with the same bytes that is there already is not touched. Rejects where the content is not owned, and with what the
   * disk says.
   * @returns whether it was written
   * @param edits what the copy has differently; `wrote` knows its content from then on.
   */
  materialise(sha256: string, target: string, edits?: readonly Edit[]): Promise<boolean>;
}

export interface Store extends StoreIndex, StoreBytes {}

export interface Stored {
  readonly sha256: string;
  readonly bytes: number;
  /** Its path on this machine; absolute, when the store was opened by an absolute path. */
  readonly file: string;
}

/** The path of this content, with a checked digest; undefined where it is not owned, or its file is damaged. */
export async function intactPath(store: Pick<Store, 'has' | 'pathOf'>, sha256: string): Promise<string | undefined> {
  if (!store.has(sha256)) return undefined;
  return store.pathOf(sha256).catch(error => {
    if (error instanceof DamagedResult) return undefined;
    throw error;
  });
}
