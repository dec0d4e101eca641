/**
 * The studio's folder of results, and the scratch folders beside it. A result appears in one rename, after its bytes are on
 * the disk; what a killed server left half done is swept when the next one opens.
 */

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncPath } from '../../../machine/files/files.ts';
import type { RenderResult } from '../../animatic/index.ts';

interface Scratch {
  /** Fetched inputs. */
  readonly inputs: string;
  /** The renderer's own folder. */
  readonly render: string;
}

export class ResultStore {
  readonly #results: string;
  readonly #scratch: string;

  constructor(folder: string) {
    this.#results = join(folder, 'results');
    this.#scratch = join(folder, 'scratch');
  }

  /** @param isKept whether the generation with this id has a result on record. */
  async open(isKept: (id: string) => boolean): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
    await mkdir(this.#scratch, { recursive: true });
    await mkdir(this.#results, { recursive: true });
    for (const id of await readdir(this.#results)) {
      if (!isKept(id)) await rm(this.path(id), { recursive: true, force: true });
    }
  }

  /** Absolute path of a generation's result folder, or of a file in it. */
  path(id: string, ...name: string[]): string {
    return join(this.#results, id, ...name);
  }

  async clear(id: string): Promise<Scratch> {
    await this.discard(id);
    const scratch = { inputs: join(this.#scratch, id, 'inputs'), render: join(this.#scratch, id, 'render') };
    await mkdir(scratch.inputs, { recursive: true });
    await mkdir(scratch.render, { recursive: true });
    return scratch;
  }

  /** Absolute path of what the renderer shows before its film is finished; nothing lies there until it does, nor once it is. */
  shownEarly(id: string, name: string): string {
    return join(this.#scratch, id, 'render', name);
  }

  async discard(id: string): Promise<void> {
    await rm(join(this.#scratch, id), { recursive: true, force: true });
  }

  /** Takes the result and its clean plate out of the renderer's folder. */
  async save(id: string, scratch: Scratch, result: RenderResult): Promise<void> {
    const kept = [result.file, ...(result.cleanPlate === undefined ? [] : [result.cleanPlate])];
    for (const file of kept) await settle(scratch.render, file);
    for (const file of await readdir(scratch.render)) {
      if (!kept.includes(file)) await rm(join(scratch.render, file), { recursive: true, force: true });
    }
    await syncPath(scratch.render);
    await rename(scratch.render, this.path(id));
    await syncPath(this.#results);
  }

  /** Deletes a result of a record that is not a success: it was cancelled while its files were moved here. */
  async remove(id: string): Promise<void> {
    await rm(this.path(id), { recursive: true, force: true });
  }
}

async function settle(folder: string, file: string): Promise<void> {
  if (file !== basename(file)) throw new Error(`the renderer named a result outside its folder: ${file}`);
  const path = join(folder, file);
  if ((await stat(path)).size === 0) throw new Error(`the renderer left an empty file: ${file}`);
  await syncPath(path);
}
