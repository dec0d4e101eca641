/** Media files that a pipeline names by path: hashed and probed once, on the second look. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { LocalMedia } from '../plan/plan.ts';

export class LocalFiles {
  readonly #folder: string;
  readonly #known = new Map<string, LocalMedia | undefined>();
  readonly #wanted = new Set<string>();

  /** @param folder where the pipeline file is: paths are relative to it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  get(path: string): LocalMedia | undefined {
    if (!this.#known.has(path) && existsSync(resolve(this.#folder, path))) this.#wanted.add(path);
    return this.#known.get(path);
  }

  /** Reads what was asked for in vain; true when there is something new to say. */
  async load(): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    const { probe } = await import('../media/probe.ts');
    for (const path of this.#wanted) {
      const file = resolve(this.#folder, path);
      const bytes = (await stat(file)).size;
      const hash = createHash('sha256');
      await pipeline(createReadStream(file), hash);
      const facts = await probe(file).catch(() => undefined);
      // What is no media may still be what a command reads.
      this.#known.set(path, { sha256: hash.digest('hex'), facts, url: pathToFileURL(file).href, bytes });
    }
    this.#wanted.clear();
    return true;
  }
}
