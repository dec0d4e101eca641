/**
 * A team's results in an S3-compatible bucket: `<prefix>/<sha256>`, with the extension and the digest beside it. UploadOutcome as files are
 * published (`publish/bucket.ts`), under the condition that nothing is there yet. Nothing is ever listed.
 */

import { networkErrorText } from '../../../machine/network-error.ts';
import { backoff } from '../../../machine/time/backoff.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import type { AwsCredentials } from '../../../settings/aws-credentials.ts';
import { Bucket } from '../publish/bucket.ts';
import { faultOf } from '../publish/bucket-fault.ts';
import { type BucketPlace, keyOf, shownPlace } from '../publish/bucket-place.ts';
import { BucketRequests, type BucketStream, type RenewCredentials } from '../publish/bucket-requests.ts';
import type { PartSizes } from '../publish/checked-upload.ts';
import { messages as bucketMessages } from '../publish/publish-messages.ts';
import type { FileToPublish, OnProgress, UploadOutcome } from '../publish/publishing.ts';
import { DIGEST, EXTENSION } from '../publish/upload.ts';
import { messages } from './shared-messages.ts';
import type { Looked, Note, NotePlace, Opened, PlaceFault, SharedPlace } from './shared-place.ts';

interface SharedBucketOptions {
  readonly place: BucketPlace;
  readonly credentials: AwsCredentials;
  readonly renew?: RenewCredentials;
  readonly clock: Clock;
  readonly sizes?: PartSizes;
}

/** Times that one question is asked, and times in a row that a download brings nothing more, before it fails. */
const TRIES = 4;
/** Where addresses are signed for publishing alone. */
const NEVER_SIGNED = 0;

/** A digest is a name by itself; the extension is not known before it was looked up. */
const nameIn = (place: BucketPlace, { sha256 }: { readonly sha256: string }) => keyOf(place, { sha256, extension: '' });

export class SharedBucket implements SharedPlace, NotePlace {
  readonly to: string;
  readonly #place: BucketPlace;
  readonly #clock: Clock;
  readonly #requests: BucketRequests;
  readonly #bucket: Bucket;
  /** The answer to a HEAD is the same for what is missing and for a bucket that is. */
  #isBucketThere = false;

  constructor({ place, credentials, renew, clock, sizes }: SharedBucketOptions) {
    this.to = shownPlace(place);
    this.#place = place;
    this.#clock = clock;
    this.#requests = new BucketRequests(place, credentials, clock, renew);
    this.#bucket = new Bucket({
      ...{ place, credentials, clock, requests: this.#requests },
      expires: NEVER_SIGNED,
      nameOf: nameIn,
      writes: 'once',
      ...(sizes && { sizes }),
    });
  }

  async look(sha256: string, signal: AbortSignal): Promise<Looked> {
    const key = nameIn(this.#place, { sha256 });
    return this.#asked<Exclude<Looked, PlaceFault>>(async () => {
      const { status, header } = await this.#requests.send({ method: 'HEAD', key, signal });
      if (status === 200) {
        this.#isBucketThere = true;
        // Another program's object under this name is not ours.
        return header(DIGEST) === sha256 ? { is: 'there', bytes: Number(header('content-length')) } : { is: 'missing' };
      }
      return status === 404 && this.#isBucketThere ? { is: 'missing' } : this.#worded(key, signal);
    }, signal);
  }

  async read(sha256: string, signal: AbortSignal): Promise<Opened> {
    const key = nameIn(this.#place, { sha256 });
    return this.#asked<Exclude<Opened, PlaceFault>>(async () => {
      const stream = await this.#requests.open({ method: 'GET', key, signal });
      if (stream.status === 200) {
        this.#isBucketThere = true;
        const extension = stream.header(EXTENSION) ?? '';
        return { is: 'open', extension, bytes: this.#whole(key, stream, signal) };
      }
      for await (const _ of stream.body);
      return this.#worded(key, signal);
    }, signal);
  }

  send(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome> {
    return this.#bucket.upload(file, onProgress, signal);
  }

  readNote(name: string, signal: AbortSignal): Promise<Note> {
    const key = keyOf(this.#place, { sha256: name, extension: '' });
    return this.#asked<Exclude<Note, PlaceFault>>(async () => {
      const { status, text } = await this.#requests.send({ method: 'GET', key, signal });
      return status === 200 ? { is: 'note', text } : this.#worded(key, signal);
    }, signal);
  }

  writeNote(name: string, text: string, signal: AbortSignal): Promise<{ readonly is: 'there' } | PlaceFault> {
    const key = keyOf(this.#place, { sha256: name, extension: '' });
    return this.#asked<{ readonly is: 'there' }>(async () => {
      const body = [Buffer.from(text)];
      const headers = { 'content-length': String(body[0]?.length) };
      const reply = await this.#requests.send({ method: 'PUT', key, headers, body, signal });
      if (reply.status === 200) return { is: 'there' };
      const { passes, message } = faultOf(reply, this.#place.bucket, this.#clock.now());
      return { is: 'fault', passes, message };
    }, signal);
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  /** Goes on where the connection was cut. */
  async *#whole(key: string, first: BucketStream, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
    const totalBytes = Number(first.header('content-length') ?? Number.NaN);
    const length = Number.isFinite(totalBytes) ? totalBytes : undefined;
    const etag = first.header('etag');
    let came = 0;
    let stream: BucketStream | undefined = first;
    for (let fruitless = 0; ; ) {
      const before = came;
      try {
        for await (const piece of stream?.body ?? []) {
          came += piece.length;
          yield piece;
        }
        if (came >= (length ?? came)) return;
      } catch (error) {
        if (signal.aborted || !(error instanceof Error)) throw error;
      }
      fruitless = came > before ? 0 : fruitless + 1;
      if (fruitless === TRIES || length === undefined || etag === undefined)
        throw new SharedBucketFault(messages.cutOff(came, length));
      await this.#clock.sleep(backoff(fruitless), signal);
      signal.throwIfAborted();
      const headers = { range: `bytes=${came}-`, 'if-match': etag };
      stream = await this.#requests.open({ method: 'GET', key, headers, signal }).catch(() => undefined);
      if (!stream || (stream.status === 206 && stream.header('content-range')?.startsWith(`bytes ${came}-`))) continue;
      for await (const _ of stream.body);
      if (stream.status < 500) throw new SharedBucketFault(messages.cutOff(came, length));
      stream = undefined;
    }
  }

  /** The answer to a HEAD has no words: they are in the same answer to a GET. */
  async #worded(key: string, signal: AbortSignal): Promise<{ readonly is: 'missing' } | Fault> {
    const reply = await this.#requests.send({ method: 'GET', key, headers: { range: 'bytes=0-0' }, signal });
    // What failed a moment ago is answered by now.
    if (reply.status < 300 || /<Code>InvalidRange</.test(reply.text))
      return { is: 'fault', passes: true, message: bucketMessages.busy(reply.status, undefined, '') };
    if (/<Code>NoSuchKey</.test(reply.text)) {
      this.#isBucketThere = true;
      return { is: 'missing' };
    }
    if (/<Code>NoSuchBucket</.test(reply.text)) return { is: 'fault', passes: false, message: messages.noBucket() };
    const { passes, isHidden, message, retryAfter } = faultOf(reply, this.#place.bucket, this.#clock.now());
    return {
      ...{ is: 'fault', passes, message: isHidden ? messages.hidden() : message },
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }

  async #asked<T extends { readonly is: string }>(
    ask: () => Promise<T | Fault>,
    signal: AbortSignal,
  ): Promise<T | PlaceFault> {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask().catch((error: unknown): Fault => {
        if (signal.aborted) return { is: 'fault', passes: false, message: bucketMessages.unreached('stopped') };
        return { is: 'fault', passes: true, message: bucketMessages.unreached(networkErrorText(error)) };
      });
      if (!isFault(answer)) return answer;
      const { passes, message, retryAfter } = answer;
      if (!passes || signal.aborted || attempt === TRIES) return { is: 'fault', message };
      await this.#clock.sleep(backoff(attempt - 1, { retryAfter }), signal);
      if (signal.aborted) return { is: 'fault', message };
    }
  }
}

interface Fault extends PlaceFault {
  readonly passes: boolean;
  readonly retryAfter?: number;
}

const isFault = (answer: { readonly is: string }): answer is Fault => answer.is === 'fault';

class SharedBucketFault extends Error {}
