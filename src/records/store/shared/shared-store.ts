/**
 * A store of this machine with a team's results behind it: the index is this machine's own, and answers while all others are out of
 * reach; a file that is not here is downloaded when it is needed.
 */
import type { Edit } from '../../../media/marking/byte-edits.ts';
import type { Store, Stored } from '../store.ts';
import type { SharedResults } from './shared-results.ts';

/** It may be there, and cannot be had now. */
export class PlaceSilent extends Error {}

export class SharedStore implements Store {
  readonly #local: Store;
  readonly #shared: Pick<SharedResults, 'download' | 'to'>;

  constructor(local: Store, shared: Pick<SharedResults, 'download' | 'to'>) {
    this.#local = local;
    this.#shared = shared;
  }

  get partials(): string {
    return this.#local.partials;
  }

  has(sha256: string): boolean {
    return this.#local.has(sha256);
  }

  file(sha256: string): string | undefined {
    return this.#local.file(sha256);
  }

  damaged(sha256: string): string | undefined {
    return this.#local.damaged?.(sha256);
  }

  adopt(path: string, ext: string): Promise<Stored> {
    return this.#local.adopt(path, ext);
  }

  put(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, ext: string): Promise<Stored> {
    return this.#local.put(bytes, ext);
  }

  async pathOf(sha256: string): Promise<string> {
    return this.#withHere(sha256, () => this.#local.pathOf(sha256));
  }

  async materialise(sha256: string, target: string, edits?: readonly Edit[]): Promise<boolean> {
    return this.#withHere(sha256, () => this.#local.materialise(sha256, target, edits));
  }

  wrote(sha256: string): boolean {
    return this.#local.wrote(sha256);
  }

  /** What is found to be broken while it is opened, and is removed for that, is downloaded once more. */
  async #withHere<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    await this.#download(sha256);
    try {
      return await work();
    } catch (error) {
      if (!DIGEST.test(sha256) || this.#local.has(sha256)) throw error;
      await this.#download(sha256);
      return await work();
    }
  }

  async #download(sha256: string): Promise<void> {
    if (!DIGEST.test(sha256) || this.#local.has(sha256)) return;
    const downloaded = await this.#shared.download(sha256, NEVER);
    if (downloaded.is === 'failed')
      throw new PlaceSilent(`${this.#shared.to} cannot give ${sha256}: ${downloaded.message}`);
  }
}

const DIGEST = /^[0-9a-f]{64}$/;
const NEVER = new AbortController().signal;
