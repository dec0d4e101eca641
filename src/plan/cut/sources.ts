/** The media that a cut names: known content, addresses that are fetched first, and media not made yet. */
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CutSource } from '../../model/media/cut.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import { contentPath } from '../../model/run/result.ts';
import { isObject, type Json } from '../../model/text/json.ts';
import { type MediaInput, originIn, unusable } from '../media/media-fields.ts';
import { isUrl, MediaTable } from '../media/media-index.ts';
import { type MediaSources, originsOf } from '../media/media-origins.ts';
import type { Problem } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import type { MediaField } from './assembly.ts';
import { cutMessages } from './assembly.ts';

/** What is named by content: facts are those of the file. */
interface Known {
  readonly sha256: string;
  readonly path: string;
  readonly facts: MediaFacts | undefined;
}

interface Named {
  readonly field: MediaField;
  /** How messages call it. */
  readonly called: string;
  readonly at: Value['at'];
  readonly wanted: 'picture' | 'sound';
}

export class CutSources {
  /** As they stand in the text, with what is known of each. */
  readonly inputs: MediaInput[] = [];
  readonly problems: Problem[] = [];
  readonly table = new MediaTable();
  /** Files of the author's, as the file names them, and where each lies on this machine. */
  readonly authorFiles: string[] = [];
  readonly authorPaths = new Map<string, string>();
  /** What is fetched before anything can be measured. */
  readonly addresses = new Map<MediaField, string>();
  readonly #known = new Map<MediaField, Known>();
  readonly #called = new Map<MediaField, string>();

  /** Null where it is not there yet. */
  add(given: Json, value: Value, named: Named, sources: MediaSources): void {
    const { field, at, called, wanted } = named;
    const limit = { kind: wanted === 'sound' ? 'audio' : 'video' } as const;
    if (isPending(given)) {
      const origins = originsOf(value, sources);
      this.inputs.push({ field, at, limit, ...(origins?.is === 'one' && originIn(origins.origins)) });
      return;
    }
    const text = isObject(given) && typeof given.file === 'string' ? given.file : given;
    if (typeof text !== 'string') return void this.problems.push({ message: cutMessages.noMedia(called, given), at });
    const { inputs, localMedia } = sources;
    const known = inputs.known.get(text);
    // The content of a frame, or of the sound of a video, is known when it is made.
    if (known?.part || (!known && isUrl(text))) {
      this.addresses.set(field, text);
      this.#called.set(field, called);
      this.inputs.push({ field, at, limit, ...(known && { facts: known.facts, from: known.from, part: known.part }) });
      return;
    }
    if (known) {
      const path = known.path ?? inputs.known.pathOf(known.sha256) ?? '';
      this.#know(field, text, { ...known, facts: known.facts }, extensionOf(path === '' ? text : path));
      this.inputs.push({ field, at, limit, facts: known.facts, bytes: known.bytes, from: known.from });
      // A file of the author's may be known by what its params were given.
      const own = known.from === undefined ? localMedia(text) : undefined;
      if (own && 'url' in own) this.#own(own.sha256, own.url, text);
      return;
    }
    const local = localMedia(text);
    if (!local || 'unusable' in local)
      return void this.problems.push({ path: field, at, ...unusable(called, text, local) });
    if (local.notMedia !== undefined || local.facts === undefined) {
      const message = messages.notMedia(called, text, wanted === 'sound' ? 'audio' : 'video', local.notMedia);
      return void this.problems.push({ path: field, at, code: 'unusable-file', message });
    }
    this.#know(field, text, local, extensionOf(text));
    this.table.set(local.url, { sha256: local.sha256, facts: local.facts, path: text });
    this.#own(local.sha256, local.url, text);
    this.inputs.push({ field, at, limit, facts: local.facts, bytes: local.bytes, path: text });
  }

  /** What is known of a medium that is there, and of what is taken out of one: a frame, its sound. */
  facts(field: MediaField): MediaFacts | undefined {
    return this.#known.get(field)?.facts ?? this.inputs.find(one => one.field === field)?.facts;
  }

  /** @throws where it is not known: asked when all is. */
  source(field: MediaField): CutSource {
    const known = this.#known.get(field);
    if (!known?.facts) throw new Error(`nothing is known of ${field}`);
    return { sha256: known.sha256, path: known.path, facts: known.facts };
  }

  /** How messages call what is fetched. */
  called(field: MediaField): string {
    return this.#called.get(field) ?? field;
  }

  /** By what its content is. */
  content(field: MediaField): string {
    return this.#known.get(field)?.sha256 ?? this.addresses.get(field) ?? field;
  }

  #know(
    field: MediaField,
    address: string,
    media: { sha256: string; facts?: MediaFacts | undefined },
    extension: string,
  ): void {
    const { sha256, facts } = media;
    this.#known.set(field, { sha256, facts, path: contentPath({ sha256, extension }) });
    this.table.set(address, { ...media, path: address });
  }

  #own(sha256: string, url: string, path: string): void {
    this.authorFiles.push(path);
    this.authorPaths.set(sha256, url.startsWith('file:') ? fileURLToPath(url) : path);
  }
}

/** As a path of content takes it. */
const extensionOf = (path: string): string => /\.[a-z0-9]{1,16}$/i.exec(posix.extname(path))?.[0].toLowerCase() ?? '';
