/**
 * Frames and sound of videos, taken on this machine and kept in the store: each once, however many read it, in this run or in another.
 * What is in the store stays; what was deleted is taken again, and is the same bytes.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { codeOf } from '../../machine/error-code.ts';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { type DerivedMedia, type DerivedPart, derivedAddress } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { DerivedIndex } from '../../records/store/derived-index.ts';
import { SingleFlight } from '../../records/store/single-flight.ts';
import type { Store } from '../../records/store/store.ts';
import type { DeriveOutcome } from '../ports/executor.ts';

interface DerivedFilesOptions {
  readonly store: Pick<Store, 'has' | 'file' | 'pathOf' | 'adopt' | 'partials'>;
  readonly index: Pick<DerivedIndex, 'find' | 'keep'>;
  readonly take: TakePart;
  readonly newId: () => string;
}

/** Writes a frame or the sound of a video to `out`; see `media/derived/`. */
export type TakePart = (
  path: string,
  what: DerivedPart,
  out: string,
  signal: AbortSignal,
) => Promise<{ readonly is: 'ok'; readonly facts: MediaFacts } | Exclude<DeriveOutcome, { readonly is: 'ok' }>>;

/** Each decodes, and encoders may be at work beside it. */
const AT_ONCE = 2;

export class DerivedFiles {
  readonly #options: DerivedFilesOptions;
  readonly #turns = new PQueue({ concurrency: AT_ONCE });
  readonly #flights = new SingleFlight<DeriveOutcome, []>();

  constructor(options: DerivedFilesOptions) {
    this.#options = options;
  }

  /** Never throws for a fault of a disk or a video. */
  get(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome> {
    const waiter = { signal, onNews: undefined, left: { is: 'stopped' } as const };
    return this.#flights.join(derivedAddress(media), waiter, async still => {
      try {
        return await this.#made(media, still);
      } catch (error) {
        if (error instanceof Refusal) return { is: 'failed', message: error.message, here: true };
        if (codeOf(error) === undefined) throw error;
        return { is: 'failed', message: writeErrorText(error), here: true };
      }
    });
  }

  async #made(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome> {
    const { store, index } = this.#options;
    const address = derivedAddress(media);
    const found = await index.find(address);
    if (found && store.has(found.sha256)) return { is: 'ok', ...found };
    if (!store.has(media.of))
      return { is: 'failed', message: 'it is not on this machine any more; run again to fetch it', here: true };
    const path = await store.pathOf(media.of);
    const out = join(store.partials, `derived-${this.#options.newId()}`);
    try {
      const taken = await this.#turns.add(() => this.#options.take(path, media.what, out, signal));
      if (taken.is !== 'ok') return taken;
      const extension = media.what.is === 'sound' ? '.wav' : '.png';
      const { sha256, bytes } = await store.adopt(out, extension);
      const content = { sha256, extension, bytes, media: taken.facts };
      await index.keep(address, content);
      return { is: 'ok', ...content };
    } finally {
      await rm(out, { force: true }).catch(() => {});
    }
  }
}
