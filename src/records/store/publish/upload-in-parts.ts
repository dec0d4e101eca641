/**
 * A large file, sent part by part: what fails is one part, and what was killed is taken up by the next process.
 *
 *   listed ─┬─ one is open there ─► taken up: what it holds of this file is not sent again
 *           └─ none, or it may not list ─► begun ─► part … part ─► the file's digest holds ─► completed ─► others are ended
 *                                                     └─ given up ─► ended
 *
 * The name holds the digest, so whatever is open under it is of the same bytes, and two processes may send parts of one upload: the first
 * completes it, and the other one finds the file there. Parts go one after the other: four files go at once as it is.
 */
import { createHash } from 'node:crypto';
import { backoff } from '../../../machine/time/backoff.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { deadline } from '../../../machine/time/deadline.ts';
import { digestsOf, FileChanged, type FilePart, type PartDigests, type PartSizes, partsOf } from './checked-upload.ts';
import { type Asked, isNoUpload, type OpenUpload, type PartRequests, type PartsThere } from './part-requests.ts';
import type { FileToPublish, OnProgress } from './publishing.ts';
import { type Over, objectHeaders, type Taken, type Upload } from './upload.ts';

interface UploadInPartsNeeds {
  readonly requests: PartRequests;
  readonly sizes: PartSizes;
  readonly clock: Clock;
}

/** Times that all of a file is sent again: each costs as much as the first. */
const BEGINNINGS = 3;
/** Milliseconds, and times, that ending an upload may take, whether or not a run stops meanwhile. */
const ENDING = 15_000;
const ENDING_TRIES = 3;
const NOTHING: PartsThere = new Map();

export class UploadInParts implements Upload {
  readonly #file: FileToPublish;
  readonly #key: string;
  readonly #requests: PartRequests;
  readonly #clock: Clock;
  readonly #parts: readonly FilePart[];
  #open: OpenUpload | undefined;
  /** What is there of an upload that was taken up. */
  #there = NOTHING;
  /** Of the parts that arrived, in their order. */
  #etags: string[] = [];
  #whole = createHash('sha256');
  /** Of the part that is next. */
  #digests: PartDigests | undefined;
  /** Begun, and of no use any more. */
  readonly #given = new Map<string, OpenUpload>();
  #beginnings = 1;

  constructor(file: FileToPublish, key: string, { requests, sizes, clock }: UploadInPartsNeeds) {
    this.#file = file;
    this.#key = key;
    this.#requests = requests;
    this.#clock = clock;
    this.#parts = partsOf(file.bytes, sizes);
  }

  get arrived(): number {
    return this.#parts[this.#etags.length]?.start ?? this.#file.bytes;
  }

  async send(onProgress: OnProgress, signal: AbortSignal, over: Over = 'anything'): Promise<Taken> {
    const { bytes, sha256 } = this.#file;
    onProgress(this.arrived, bytes);
    const opened = await this.#opened(signal);
    if (opened.is === 'refused') return opened;
    for (const part of this.#parts.slice(this.#etags.length)) {
      signal.throwIfAborted();
      this.#digests ??= await digestsOf(this.#file.path, part, this.#whole);
      const sent = await this.#sent(opened.value, part, this.#digests, onProgress, signal);
      if (sent.is === 'refused') return sent;
      this.#etags.push(sent.value);
      this.#whole = this.#digests.whole;
      this.#digests = undefined;
      onProgress(this.arrived, bytes);
    }
    if (this.#whole.copy().digest('hex') !== sha256) throw new FileChanged(`${this.#file.path} has changed`);
    const completed = await this.#requests.complete(opened.value, this.#etags, signal, over);
    return completed.is === 'ok' ? { is: 'taken' } : completed;
  }

  beginAnew(): boolean {
    if (this.#open) this.#given.set(this.#open.id, this.#open);
    this.#open = undefined;
    this.#there = NOTHING;
    this.#etags = [];
    this.#whole = createHash('sha256');
    this.#digests = undefined;
    return ++this.#beginnings <= BEGINNINGS;
  }

  async end(outcome: 'there' | 'failed' | 'stopped'): Promise<string | undefined> {
    const ours = [...this.#given.values(), ...(this.#open ? [this.#open] : [])];
    if (ours.length === 0) return undefined;
    using late = deadline(ENDING, { clock: this.#clock });
    // Once the file is there, what is open under its name is not needed; before, another process may use it.
    const left = outcome === 'there' ? [...this.#given.values(), ...(await this.#openThere(late.signal))] : ours;
    let unended: string | undefined;
    for (const upload of left) if (!(await this.#ended(upload, late.signal))) unended = upload.id;
    return unended;
  }

  async #opened(signal: AbortSignal): Promise<Asked<OpenUpload>> {
    if (this.#open) return { is: 'ok', value: this.#open };
    const open = withNothing(await this.#requests.open(this.#key, signal), []);
    if (open.is === 'refused') return open;
    const takenUp = open.value.findLast(({ id }) => !this.#given.has(id));
    if (takenUp) {
      const parts = withNothing(await this.#requests.parts(takenUp, signal), NOTHING);
      if (parts.is === 'refused') return parts;
      this.#there = parts.value;
    }
    const begun = takenUp
      ? ({ is: 'ok', value: takenUp } as const)
      : await this.#requests.begin(this.#key, objectHeaders(this.#file), signal);
    if (begun.is === 'ok') this.#open = begun.value;
    return begun;
  }

  async #sent(
    open: OpenUpload,
    part: FilePart,
    { sha256, md5 }: PartDigests,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Asked<string>> {
    const there = this.#there.get(part.number);
    if (there?.etag === md5 && there.bytes === part.bytes) return { is: 'ok', value: md5 };
    const { path, bytes } = this.#file;
    return this.#requests.put(open, { ...part, path, sha256 }, sent => onProgress(part.start + sent, bytes), signal);
  }

  async #openThere(signal: AbortSignal): Promise<readonly OpenUpload[]> {
    const open = await this.#requests.open(this.#key, signal).catch(() => undefined);
    return open?.is === 'ok' ? open.value : [];
  }

  /** A part that was on its way may arrive after the end: "it might be necessary to abort a given multipart upload multiple times". */
  async #ended(upload: OpenUpload, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 0; attempt < ENDING_TRIES && !signal.aborted; attempt++) {
      if (attempt > 0) await this.#clock.sleep(backoff(attempt), signal);
      try {
        const ended = await this.#requests.end(upload, signal);
        if (ended.is === 'refused') continue;
        const parts = await this.#requests.parts(upload, signal);
        // Where the key may not list what is there, the bucket is believed.
        if (parts.is === 'refused' && (isNoUpload(parts.reply) || withNothing(parts, NOTHING).is === 'ok')) return true;
      } catch {
        // The network is asked again.
      }
    }
    return false;
  }
}

/** A key that may not list, and a bucket that cannot: what is there is not known, and that is no failure. */
function withNothing<T>(asked: Asked<T>, nothing: T): Asked<T> {
  if (asked.is === 'ok') return asked;
  const { status } = asked.reply;
  const isFinal = (status >= 400 && status < 500 && status !== 429 && !isNoUpload(asked.reply)) || status === 501;
  return isFinal ? { is: 'ok', value: nothing } : asked;
}
