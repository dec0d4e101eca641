/** What tests of full disks ask of a run's own disk. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import type { RunRig } from './rig.ts';

const codeOf = (error: unknown) => (error as { readonly code?: string }).code;

/** Ids of generations that the journal holds, each as often as it does. */
export function idsInJournal(folder: string): readonly string[] {
  const journal = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true });
  const rows = journal.prepare('SELECT generation_id AS id FROM submission WHERE generation_id IS NOT NULL').all();
  journal.close();
  return rows.map(({ id }) => String(id));
}

/** Downloads of a run: `write` puts what lies at an address onto its disk, or is refused by it. */
export const fetchOnto =
  ({ folder }: RunRig, write: (part: string, url: string) => void): NonNullable<RunRig['live']>['fetchResults'] =>
  store =>
  async (url, id) => {
    const part = join(folder, 'work', `${id}.part`);
    try {
      write(part, url);
      return { is: 'ok', ...(await store.adopt(part, '.mp4')) };
    } catch (error) {
      if (!(error instanceof DiskError) && codeOf(error) !== 'ENOSPC') throw error;
      return { is: 'failed', message: (error as Error).message };
    }
  };
