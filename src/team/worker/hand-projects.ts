/**
 * Projects of runs as commands on this worker see them: the manifest alone, and it is read-only, so that a command that leaves
 * something behind for the next one fails here as it would on another worker. A script keeps its right to be run.
 */
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../machine/error-code.ts';
import type { Store } from '../../records/store/store.ts';
import { putFiles, shortOf } from '../client/team-project.ts';
import type { RunRow } from '../runs/run-rows.ts';

interface PutDown {
  readonly root: string;
  readonly ready: Promise<void>;
  users: number;
}

/** Idle projects that are kept for the next command of their run. */
const MOST_IDLE = 8;

export class HandProjects {
  readonly #folder: string;
  /** The one that was used last is the last. */
  readonly #projects = new Map<string, PutDown>();

  /** @param folder absolute, and this worker's alone. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The project's root, for as long as it is used. Rejects with the error of the store or the disk. */
  async use<T>(
    run: Pick<RunRow, 'id' | 'manifest'>,
    store: Pick<Store, 'materialise'>,
    work: (root: string) => Promise<T>,
  ): Promise<T> {
    const project = this.#projects.get(run.id) ?? this.#begin(run, store);
    this.#projects.delete(run.id);
    this.#projects.set(run.id, project);
    project.users++;
    try {
      await project.ready;
      return await work(project.root);
    } finally {
      project.users--;
      await this.#tidy();
    }
  }

  async close(): Promise<void> {
    await removeReadOnly(this.#folder);
  }

  #begin(run: Pick<RunRow, 'id' | 'manifest'>, store: Pick<Store, 'materialise'>): PutDown {
    const root = join(this.#folder, shortOf(run.id));
    const ready = (async () => {
      // What a worker before this one has left may be half of it.
      await removeReadOnly(root);
      await putFiles(root, run, store);
      await setRights(root, 'read alone');
    })();
    // The next one tries again.
    ready.catch(() => this.#projects.delete(run.id));
    return { root, ready, users: 0 };
  }

  async #tidy(): Promise<void> {
    const idle = [...this.#projects].filter(([, { users }]) => users === 0);
    for (const [id, { root }] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) {
      this.#projects.delete(id);
      await removeReadOnly(root);
    }
  }
}

async function removeReadOnly(folder: string): Promise<void> {
  try {
    await setRights(folder, 'written to');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(folder, { recursive: true, force: true });
}

/** Of the folder and all that is in it; what may be run may be run on. */
async function setRights(folder: string, is: 'read alone' | 'written to'): Promise<void> {
  // One may look into a folder only while one has the right to.
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await setRights(path, is);
    else if (is === 'read alone') await chmod(path, (await stat(path)).mode & 0o100 ? 0o555 : 0o444);
  }
  if (is === 'read alone') await chmod(folder, 0o555);
}
