/**
 * Media of known content, found by address or by path: as a whole value, and inside longer texts (an argument, a prompt). Two thousand instances
 * may read the two thousand results of one step, so what is known of a step is one table that all its readers share. A text is walked once: at each
 * place where an address could begin, one look for each length that addresses have, the longest first, because an address may begin another.
 */
import {
  type DerivedMedia,
  type DerivedPart,
  derivedAddress,
  derivedFacts,
  derivedFrom,
} from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { InstanceKey } from '../../model/run/key.ts';

export interface KnownMedia {
  /** The instance that gave it; absent for a file of the author's. */
  readonly from?: InstanceKey;
  readonly sha256: string;
  readonly facts?: MediaFacts | undefined;
  readonly bytes?: number | undefined;
  /** Set where it was named by its path. */
  readonly path?: string;
  /** It is a frame or the sound of the video with that digest, and is made when it is used. */
  readonly part?: DerivedPart;
}

export class MediaIndex {
  readonly #own: readonly MediaTable[];
  readonly #others: readonly MediaIndex[];

  /** @param tables may grow: what is read of one instance of a list is known from then on. */
  constructor(tables: readonly MediaTable[] = [], others: readonly MediaIndex[] = []) {
    this.#own = tables;
    this.#others = others;
  }

  get #tables(): readonly MediaTable[] {
    return this.#others.length === 0 ? this.#own : [...this.#own, ...this.#others.flatMap(other => other.#tables)];
  }

  get(address: string): KnownMedia | undefined {
    const media = this.#first(table => table.get(address));
    const derived = media ? undefined : derivedFrom(address);
    return derived ? this.#derived(derived) : media;
  }

  #derived({ of, what }: DerivedMedia): KnownMedia | undefined {
    const video = this.#first(table => table.withDigest(of));
    if (!video) return undefined;
    const { from, facts } = video;
    return { ...(from !== undefined && { from }), sha256: of, part: what, facts: derivedFacts(what, facts) };
  }

  #first<T>(ask: (table: MediaTable) => T | undefined): T | undefined {
    for (const table of this.#tables) {
      const found = ask(table);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** It knows of nothing. */
  get isEmpty(): boolean {
    return this.#tables.length === 0;
  }

  /** Where content lies on this machine. */
  pathOf(sha256: string): string | undefined {
    return this.#first(table => table.pathOf(sha256));
  }

  /** What either of them knows. */
  and(other: MediaIndex): MediaIndex {
    return new MediaIndex([], [this, other]);
  }

  with(more: MediaTable): MediaIndex {
    return more.size === 0 ? this : new MediaIndex([more], [this]);
  }

  /** The text with every known address in it replaced by what it leads to: a new signature, or another store, is the same text. */
  digested(text: string): string {
    if (this.isEmpty) return text;
    const whole = this.get(text);
    if (whole) return shown(whole);
    let digested = '';
    let from = 0;
    const tables = this.#tables;
    for (let at = 0; at < text.length; ) {
      const found = this.#at(text, at, tables);
      if (!found) {
        at++;
        continue;
      }
      digested += text.slice(from, at) + shown(found.media);
      at += found.length;
      from = at;
    }
    return from === 0 ? text : digested + text.slice(from);
  }

  #at(text: string, at: number, tables: readonly MediaTable[]): Found | undefined {
    const url = urlAt(text, at);
    const media = url === undefined ? undefined : (this.get(url) ?? this.#resigned(url));
    if (url !== undefined && media) return { media, length: url.length };
    let longest: Found | undefined;
    for (const table of tables) {
      const found = table.at(text, at);
      if (found && found.length > (longest?.length ?? 0)) longest = found;
    }
    return longest;
  }

  #resigned(url: string): KnownMedia | undefined {
    const stem = withoutSignature(url);
    return stem === undefined ? undefined : this.#first(table => table.withoutSignature(stem));
  }
}

interface Found {
  readonly media: KnownMedia;
  readonly length: number;
}

/** What is made of content is named by that, before it is there itself. */
const shown = ({ sha256, part }: KnownMedia): string =>
  part ? derivedAddress({ of: sha256, what: part }) : `sha256:${sha256}`;

/** An address in running text; a full stop or a comma behind it belongs to the sentence. */
const URL_IN_TEXT = /https?:\/\/[^\s"'`<>()[\]{}\\]+/iy;

function urlAt(text: string, at: number): string | undefined {
  const first = text.charCodeAt(at);
  if (first !== 0x68 && first !== 0x48) return undefined;
  URL_IN_TEXT.lastIndex = at;
  return URL_IN_TEXT.exec(text)?.[0].replace(/[.,;:!?]+$/, '');
}

/** Characters by which the beginning of an address is recognised. */
const START = 8;

/** The results of a step fill it as they come in, and some may be read before all are there. */
export class MediaTable {
  readonly #media = new Map<string, KnownMedia>();
  #index: Index | undefined;
  #paths: Map<string, string> | undefined;
  #digests: Map<string, KnownMedia> | undefined;
  /** Null where two addresses without their signatures are one, and lead to two contents. */
  #stems: Map<string, KnownMedia | null> | undefined;

  static of(entries: Iterable<readonly [string, KnownMedia]>): MediaTable {
    const table = new MediaTable();
    table.addAll(entries);
    return table;
  }

  get size(): number {
    return this.#media.size;
  }

  /** Of what was named by its path. */
  get paths(): readonly string[] {
    return [...this.#media.values()].flatMap(({ path }) => path ?? []);
  }

  get(address: string): KnownMedia | undefined {
    return this.#media.get(address);
  }

  /** An empty address names nothing: a result with bytes that are elsewhere has no path. */
  set(address: string, media: KnownMedia): void {
    if (address === '') return;
    this.#media.set(address, media);
    this.#index = undefined;
    this.#paths = undefined;
    this.#digests = undefined;
    this.#stems = undefined;
  }

  addAll(entries: Iterable<readonly [string, KnownMedia]>): void {
    for (const [address, media] of entries) this.set(address, media);
  }

  pathOf(sha256: string): string | undefined {
    if (!this.#paths) {
      this.#paths = new Map();
      for (const { path, sha256: of } of this.#media.values())
        if (path !== undefined && !this.#paths.has(of)) this.#paths.set(of, path);
    }
    return this.#paths.get(sha256);
  }

  withDigest(sha256: string): KnownMedia | undefined {
    if (!this.#digests) {
      this.#digests = new Map();
      for (const media of this.#media.values())
        if (!this.#digests.has(media.sha256)) this.#digests.set(media.sha256, media);
    }
    return this.#digests.get(sha256);
  }

  /** The longest address at this place of the text. */
  at(text: string, at: number): Found | undefined {
    this.#index ??= indexOf(this.#media.keys());
    const { firsts, starts, lengths, start } = this.#index;
    if (!firsts.has(text.charCodeAt(at)) || !starts.has(text.slice(at, at + start))) return undefined;
    for (const length of lengths) {
      const media = at + length <= text.length ? this.#media.get(text.slice(at, at + length)) : undefined;
      if (media) return { media, length };
    }
    return undefined;
  }

  withoutSignature(stem: string): KnownMedia | undefined {
    if (!this.#stems) {
      this.#stems = new Map();
      for (const [address, media] of this.#media) {
        const of = withoutSignature(address);
        if (of === undefined) continue;
        const other = this.#stems.get(of);
        this.#stems.set(of, other === null || (other && other.sha256 !== media.sha256) ? null : media);
      }
    }
    return this.#stems.get(stem) ?? undefined;
  }
}

interface Index {
  readonly firsts: ReadonlySet<number>;
  readonly starts: ReadonlySet<string>;
  /** Longest first. */
  readonly lengths: readonly number[];
  readonly start: number;
}

function indexOf(given: Iterable<string>): Index {
  const addresses = [...given];
  const lengths = [...new Set(addresses.map(address => address.length))].sort((a, b) => b - a);
  const start = Math.min(START, lengths.at(-1) ?? START);
  return {
    firsts: new Set(addresses.map(address => address.charCodeAt(0))),
    starts: new Set(addresses.map(address => address.slice(0, start))),
    lengths,
    start,
  };
}

const SIGNING = new Set([
  'signature',
  'expires',
  'policy',
  'key-pair-id',
  'awsaccesskeyid',
  'googleaccessid',
  'ossaccesskeyid',
]);
const SIGNING_FAMILIES = /^x-(amz|goog|oss|cos|tos)-/;
/** Azure's shared access: only together with `sig`, and `sig` is nothing without them. */
const SHARED_ACCESS = new Set([
  'sig',
  'sv',
  'se',
  'st',
  'sr',
  'sp',
  'spr',
  'sip',
  'ss',
  'srt',
  'skoid',
  'sktid',
  'skt',
  'ske',
  'sks',
  'skv',
]);

/**
 * A signed address without its signature. Stores hand out one file under a new query each time; the rest of the address names the file.
 * Only parameters that the well-known stores sign with are taken off: a `token` or an `id` may be all that distinguishes two files.
 * Undefined where the text is no address of a file on the web.
 */
function withoutSignature(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.pathname === '/') return undefined;
  const isShared = url.searchParams.has('sig') && url.searchParams.has('se');
  const names = [...url.searchParams.keys()];
  for (const name of names) {
    const small = name.toLowerCase();
    if (SIGNING.has(small) || SIGNING_FAMILIES.test(small) || (isShared && SHARED_ACCESS.has(small)))
      url.searchParams.delete(name);
  }
  return url.href;
}

/** A scheme of one letter is a Windows drive. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text);
