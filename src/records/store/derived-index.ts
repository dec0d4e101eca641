/**
 * Which content each frame and each sound is that was taken of a video, so that it is taken once: `<folder>/<aa>/<digest>.json`, a file for
 * each, named by the digest of its address. A file that is broken, or that names missing content, counts as none: taking
 * it again costs a second and nothing else.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../../machine/files/files.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { Content } from '../../model/run/result.ts';
import { isObject, recordIn } from '../../model/text/json.ts';

interface DerivedContent extends Content {
  readonly bytes: number;
  readonly media: MediaFacts;
}

/** Counted up when the same video gives other bytes: frames are taken again then. */
const VERSION = 1;

export class DerivedIndex {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param address `derived:last_frame/9f…e1` */
  async find(address: string): Promise<DerivedContent | undefined> {
    const text = await readIfThere(this.#fileOf(address)).catch(() => null);
    return text === null ? undefined : readEntry(text, address);
  }

  async keep(address: string, content: DerivedContent): Promise<void> {
    await writeAtomically(this.#fileOf(address), `${JSON.stringify({ v: VERSION, address, ...content })}\n`);
  }

  #fileOf(address: string): string {
    const digest = createHash('sha256').update(address).digest('hex');
    return join(this.#folder, digest.slice(0, 2), `${digest}.json`);
  }
}

function readEntry(text: string, address: string): DerivedContent | undefined {
  const entry = recordIn(text);
  if (!isObject(entry) || entry.v !== VERSION || entry.address !== address) return undefined;
  const { sha256, extension, bytes, media } = entry;
  const isContent = typeof sha256 === 'string' && typeof extension === 'string' && typeof bytes === 'number';
  return isContent && isObject(media) ? { sha256, extension, bytes, media: media as unknown as MediaFacts } : undefined;
}
