/**
 * What the page may be given: the content of what is under review, and stills and copies of that, each named by a digest in the state. A name is
 * looked up, never joined into a path.
 */

import type { Clock } from '../../../machine/time/clock.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import type { Store } from '../../../records/store/store.ts';
import { drawStills, proxyOf } from '../report/derived-media.ts';
import { messages } from './review-messages.ts';
import type { ReviewState } from './review-state.ts';
import type { ServedFile } from './serve-file.ts';

/** Pixels. */
const STILL = 640;

/** By format, as it was found to be. Anything else is bytes: no browser makes a document of it. */
const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
};

type Found =
  | ({ readonly is: 'file' } & ServedFile)
  | { readonly is: 'none'; readonly status: 404 | 410; readonly words: string };

interface ReviewMediaTerms {
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
  readonly clock: Clock;
}

export class ReviewMedia {
  readonly #terms: ReviewMediaTerms;
  readonly #end = new AbortController();
  #shown: ReadonlyMap<string, ReportedMedia> = new Map();
  /** Asked for by several tabs, each is made once. */
  readonly #making = new Map<string, Promise<string | undefined>>();
  /** Pictures are drawn one after the other: a run may be going on beside it. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(terms: ReviewMediaTerms) {
    this.#terms = terms;
  }

  /** From now on this may be asked for; what was shown before stays allowed: a page may still be drawing it. */
  show({ questions, live }: ReviewState): void {
    const shown = new Map(this.#shown);
    for (const { media } of live?.shots ?? []) if (media) shown.set(media.sha256, media);
    for (const { options } of questions) for (const { media } of options) if (media) shown.set(media.sha256, media);
    this.#shown = shown;
  }

  /** @param asked `media/<digest>`, `still/<digest>` or `copy/<digest>`. */
  async find(asked: string): Promise<Found> {
    const [, of, sha256 = ''] = /^(media|still|copy)\/([0-9a-f]{64})$/.exec(asked) ?? [];
    if (of === undefined) return { is: 'none', status: 404, words: messages.nothingHere() };
    const media = this.#shown.get(sha256);
    if (!media) return { is: 'none', status: 404, words: messages.notShown() };
    if (of === 'media') return await this.#content(media);
    const making = { ...this.#terms, signal: this.#end.signal };
    const tag = `${of}-${sha256}`;
    const path = await this.#made(tag, async () =>
      of === 'copy' ? await proxyOf(media, making) : (await drawStills([media], STILL, making)).get(sha256),
    );
    if (path !== undefined) return { is: 'file', path, tag, type: of === 'copy' ? 'video/mp4' : 'image/jpeg' };
    return { is: 'none', status: 404, words: of === 'copy' ? messages.noCopy() : messages.noStill() };
  }

  close(): void {
    this.#end.abort(new Error('the review is closed'));
  }

  async #content({ sha256, facts }: ReportedMedia): Promise<Found> {
    const { store } = this.#terms;
    const path = store.has(sha256) ? await store.pathOf(sha256).catch(() => undefined) : undefined;
    if (path === undefined) return { is: 'none', status: 410, words: messages.notOnThisMachine() };
    const type = TYPES[facts.format ?? ''] ?? 'application/octet-stream';
    return { is: 'file', path, tag: sha256, type };
  }

  #made(name: string, make: () => Promise<string | undefined>): Promise<string | undefined> {
    const begun = this.#making.get(name);
    if (begun) return begun;
    const made = this.#line.then(make).catch(() => undefined);
    this.#line = made;
    this.#making.set(name, made);
    void made.then(() => this.#making.delete(name));
    return made;
  }
}
