/** Empty folders for commands to work in, each one command's alone. One that is left clean serves the next. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

export class ScratchFolders {
  readonly #root: string;
  readonly #newId: () => string;
  readonly #free: string[] = [];
  #swept = false;

  /** @param root absolute; whatever an earlier run left in it goes. */
  constructor(root: string, newId: () => string) {
    this.#root = root;
    this.#newId = newId;
  }

  take(): string {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (!this.#swept) rmSync(this.#root, { recursive: true, force: true });
    this.#swept = true;
    const folder = join(this.#root, this.#newId());
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async giveBack(folder: string): Promise<void> {
    if (readdirSync(folder).length === 0) this.#free.push(folder);
    else await rm(folder, { recursive: true, force: true });
  }
}
