/**
 * Mistakes while an author types. Only the newest text counts: a check waits for a moment without typing. Reading the text finds nearly everything,
 * and its findings are shown at once; planning adds its own with them in a short file, and a moment later in a long one, which keeps the earlier
 * ones until then.
 */

import { compile } from '../language/compile.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Document } from './document.ts';
import type { EditorHost, NamedMedia } from './editor-host.ts';

/** Milliseconds without a key, before the text is read, and before a long one is planned. */
const PAUSE = 20;
const LONG_PAUSE = 350;
/** Characters: planning a longer film is felt. */
const LONG = 20_000;

type Publish = (document: Document, found: readonly Diagnostic[]) => void;

export class Checking {
  readonly #host: EditorHost;
  readonly #publish: Publish;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** What planning found last in a file. */
  readonly #planned = new Map<string, readonly Diagnostic[]>();
  readonly #media = new Map<string, Promise<NamedMedia>>();
  /** What reading the text found, of the file that was read last. */
  #byReading: readonly Diagnostic[] = [];
  readonly #failed: (error: unknown) => void;
  readonly #current: (uri: string) => Document | undefined;

  constructor(
    host: EditorHost,
    publish: Publish,
    current: (uri: string) => Document | undefined,
    failed: (error: unknown) => void,
  ) {
    this.#host = host;
    this.#publish = publish;
    this.#current = current;
    this.#failed = failed;
  }

  changed(uri: string): void {
    this.#later(uri, PAUSE, () => this.#read(uri));
  }

  /** Something beside the file has changed: media are looked at again. */
  forget(uri: string): void {
    this.#media.delete(uri);
    this.changed(uri);
  }

  closed(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    for (const known of [this.#timers, this.#planned, this.#media]) known.delete(uri);
  }

  media(document: Document): Promise<NamedMedia> {
    const { uri, file, root } = document;
    const known = this.#media.get(uri);
    if (known) return known;
    const opened = this.#host.namedMedia(file, root);
    this.#media.set(uri, opened);
    return opened;
  }

  #later(uri: string, wait: number, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.set(
      uri,
      setTimeout(() => void work().catch(this.#failed), wait),
    );
  }

  async #read(uri: string): Promise<void> {
    const document = this.#current(uri);
    if (!document) return;
    if (document.source.text.length < LONG) return await this.#plan(document);
    const { diagnostics } = compile(document.source, document.library, { files: document.files });
    this.#byReading = diagnostics;
    const before = this.#planned.get(uri) ?? [];
    this.#publish(document, [...diagnostics, ...stillThere(before, document)]);
    this.#later(uri, LONG_PAUSE, () => this.#plan(document));
  }

  async #plan(document: Document): Promise<void> {
    const { uri, file, files, source } = document;
    const media = await this.media(document);
    const found = await this.#host.check(source, { file, files, media });
    // Another key was pressed meanwhile.
    if (this.#current(uri) !== document) return;
    this.#planned.set(
      uri,
      found.filter(one => !this.#byReading.some(other => isSame(one, other))),
    );
    this.#publish(document, found);
  }
}

/** Those findings about the text before that still have the same words at the same place. */
const stillThere = (before: readonly Diagnostic[], { source }: Document): readonly Diagnostic[] =>
  before
    .filter(one => one.source.path === source.path)
    .filter(
      ({ source: { text }, span: { start, end } }) => text.slice(0, end) === source.text.slice(0, end) && end > start,
    )
    .map(one => ({ ...one, source }));

const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  one.code === other.code && one.message === other.message && one.span.start === other.span.start;
