/**
 * Files in an S3-compatible bucket, by content: what is there is not sent again, what was sent is looked at before it counts, and what
 * fails for a while is tried again. Two processes that upload the same file at once write the same bytes to the same place.
 *
 *   look ─┬─ there, of this size and content ──► done
 *         ├─ missing, or hidden (403: a key that may not list) ─► send ─┬─ taken ──► look again
 *         │                                       (`upload.ts`)         └─ passes ─► wait, look again
 *         └─ anything else ─► say why
 */
import { createHash } from 'node:crypto';
import { networkErrorText } from '../../../machine/network-error.ts';
import { backoff } from '../../../machine/time/backoff.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import type { AwsCredentials } from '../../../settings/aws-credentials.ts';
import { type BucketFault, faultOf } from './bucket-fault.ts';
import { type BucketPlace, keyOf, shownPlace } from './bucket-place.ts';
import { BucketRequests } from './bucket-requests.ts';
import { checkedUpload, FileChanged, FileUnreadable, PART_SIZES, type PartSizes } from './checked-upload.ts';
import { PartRequests } from './part-requests.ts';
import { messages } from './publish-messages.ts';
import type { ContentToPublish, FileToPublish, OnProgress, UploadOutcome, WayToPublish } from './publishing.ts';
import { DIGEST, type Over, objectHeaders, type Upload } from './upload.ts';
import { UploadInParts } from './upload-in-parts.ts';

interface BucketOptions {
  readonly place: BucketPlace;
  readonly credentials: AwsCredentials;
  /** Milliseconds that an address is good for. */
  readonly expires: number;
  readonly clock: Clock;
  /** Which files go in parts, and how large those are. */
  readonly sizes?: PartSizes;
  /** What a file is called there; absent: its digest, with its extension. */
  readonly nameOf?: (place: BucketPlace, content: Pick<ContentToPublish, 'sha256' | 'extension'>) => string;
  /** What is not there is written under the condition that it still is not (`If-None-Match: *`), where the bucket knows that. */
  readonly writes?: 'once';
  readonly requests?: BucketRequests;
}

type Seen =
  /** `other`: something else is under its name. */
  | { readonly is: 'there' | 'missing' | 'other' | 'hidden' }
  | { readonly is: 'fault'; readonly fault: BucketFault }
  | { readonly is: 'stopped' };

type Sent = { readonly is: 'taken' } | Extract<Seen, { readonly is: 'fault' | 'stopped' }>;

/** Times in a row that a file is sent, or looked for, and nothing more of it arrives, before its publishing fails. */
const TRIES = 5;
const NOTHING = createHash('sha256').digest('hex');
const FIRST = { range: 'bytes=0-0' };

export class Bucket implements WayToPublish {
  readonly to: string;
  readonly expires: number;
  readonly #place: BucketPlace;
  readonly #clock: Clock;
  readonly #requests: BucketRequests;
  readonly #sizes: PartSizes;
  readonly #nameOf: NonNullable<BucketOptions['nameOf']>;
  /** A bucket that does not know conditions answers so once. */
  #over: Over;

  constructor({ place, credentials, expires, clock, ...options }: BucketOptions) {
    const { sizes = PART_SIZES, nameOf = keyOf, requests = new BucketRequests(place, credentials, clock) } = options;
    this.#nameOf = nameOf;
    this.#over = options.writes === 'once' ? 'nothing' : 'anything';
    this.to = shownPlace(place);
    this.expires = expires;
    this.#place = place;
    this.#clock = clock;
    this.#sizes = sizes;
    this.#requests = requests;
  }

  async upload(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome> {
    const upload = this.#uploadOf(file);
    let outcome: UploadOutcome = { is: 'stopped' };
    let left: string | undefined;
    try {
      outcome = await this.#upload(file, upload, onProgress, signal);
    } finally {
      left = await upload.end(outcome.is);
    }
    return outcome.is === 'failed' && left !== undefined
      ? { is: 'failed', message: messages.partsLeft(outcome.message, left) }
      : outcome;
  }

  async #upload(
    file: FileToPublish,
    upload: Upload,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<UploadOutcome> {
    let last: BucketFault | undefined;
    let wasTaken = false;
    for (let failures = 0; failures < TRIES; failures++) {
      if (last) await this.#clock.sleep(backoff(Math.max(0, failures - 1), { retryAfter: last.retryAfter }), signal);
      if (signal.aborted) return { is: 'stopped' };
      const before = await this.#look(file, signal);
      if (before.is === 'there' || before.is === 'stopped') return before as UploadOutcome;
      if (before.is === 'fault') {
        if (!before.fault.passes) return this.#failed(before.fault.message);
        last = before.fault;
        continue;
      }
      if (wasTaken && before.is === 'hidden') return this.#failed(messages.unreadable(this.#place.bucket));
      const { arrived } = upload;
      const sent = await this.#send(upload, before.is === 'missing' ? this.#over : 'anything', onProgress, signal);
      if (sent.is === 'stopped') return sent;
      if (sent.is === 'fault') {
        if (!sent.fault.passes) return this.#failed(sent.fault.message);
        last = sent.fault;
        // What gets on is not in vain, however often it is interrupted.
        if (upload.arrived > arrived) failures = 0;
        if (!last.beginsAnew || upload.beginAnew()) continue;
        const { message } = last;
        // Another process may have completed it.
        return (await this.#look(file, signal)).is === 'there' ? { is: 'there' } : this.#failed(message);
      }
      const after = await this.#look(file, signal);
      if (after.is === 'there' || after.is === 'stopped') return after as UploadOutcome;
      wasTaken = true;
      last = after.is === 'fault' ? after.fault : { passes: true, message: messages.lost() };
      if (after.is === 'hidden') return this.#failed(messages.unreadable(this.#place.bucket));
      if (!last.passes || ((after.is === 'missing' || after.is === 'other') && !upload.beginAnew()))
        return this.#failed(last.message);
    }
    return this.#failed(messages.triedInVain(TRIES, last?.message ?? messages.lost()));
  }

  /** Told by a look at something that need not be there. */
  problem = async (signal: AbortSignal): Promise<string | undefined> => {
    const key = this.#nameOf(this.#place, { sha256: NOTHING, extension: '' });
    try {
      const reply = await this.#requests.send({ method: 'GET', key, headers: FIRST, signal });
      if (reply.status < 300 || /<Code>(NoSuchKey|InvalidRange)</.test(reply.text)) return undefined;
      const { passes, isHidden, message } = faultOf(reply, this.#place.bucket, this.#clock.now());
      return passes || isHidden ? undefined : `${this.to}: ${message}`;
    } catch {
      // The network is no matter of the settings, and may be there by then.
      return undefined;
    }
  };

  sign = (file: ContentToPublish): Promise<string> =>
    this.#requests.presigned(this.#nameOf(this.#place, file), Math.floor(this.expires / 1000));

  close(): Promise<void> {
    return this.#requests.close();
  }

  async #look(file: FileToPublish, signal: AbortSignal): Promise<Seen> {
    try {
      const reply = await this.#requests.send({ method: 'HEAD', key: this.#nameOf(this.#place, file), signal });
      const { status, header } = reply;
      if (status === 200) {
        const isWhole = header('content-length') === String(file.bytes) && header(DIGEST) === file.sha256;
        return { is: isWhole ? 'there' : 'other' };
      }
      if (status === 404) return { is: 'missing' };
      // The answer to a HEAD has no words: they are in the same answer to a GET.
      const worded = await this.#requests.send({
        method: 'GET',
        key: this.#nameOf(this.#place, file),
        headers: FIRST,
        signal,
      });
      // What failed a moment ago is answered by now.
      if (worded.status < 300)
        return { is: 'fault', fault: { passes: true, message: messages.busy(status, undefined, '') } };
      const fault = faultOf(worded, this.#place.bucket, this.#clock.now());
      // Amazon answers so for what is not there, where the key may not list the bucket.
      return fault.isHidden ? { is: 'hidden' } : { is: 'fault', fault };
    } catch (error) {
      return this.#network(error, signal);
    }
  }

  #uploadOf(file: FileToPublish): Upload {
    const key = this.#nameOf(this.#place, file);
    if (file.bytes <= this.#sizes.above) return wholeUpload(file, key, this.#requests);
    const requests = new PartRequests(this.#requests);
    return new UploadInParts(file, key, { requests, sizes: this.#sizes, clock: this.#clock });
  }

  async #send(upload: Upload, over: Over, onProgress: OnProgress, signal: AbortSignal): Promise<Sent> {
    try {
      const sent = await upload.send(onProgress, signal, over);
      if (sent.is === 'taken') return sent;
      if (over === 'nothing' && sent.reply.status === 501) {
        this.#over = 'anything';
        return this.#send(upload, 'anything', onProgress, signal);
      }
      return { is: 'fault', fault: faultOf(sent.reply, this.#place.bucket, this.#clock.now()) };
    } catch (error) {
      return this.#network(error, signal);
    }
  }

  #network(error: unknown, signal: AbortSignal): Extract<Seen, { readonly is: 'fault' | 'stopped' }> {
    if (signal.aborted) return { is: 'stopped' };
    if (error instanceof FileChanged) return { is: 'fault', fault: { passes: false, message: messages.changed() } };
    if (error instanceof FileUnreadable)
      return { is: 'fault', fault: { passes: false, message: messages.unreadableFile(error.code) } };
    return { is: 'fault', fault: { passes: true, message: messages.unreached(networkErrorText(error)) } };
  }

  #failed(message: string): UploadOutcome {
    return { is: 'failed', message: `${this.to}: ${message}` };
  }
}

/** A file that goes in one piece: it is there, or nothing of it is. */
function wholeUpload(file: FileToPublish, key: string, requests: Pick<BucketRequests, 'send'>): Upload {
  return {
    arrived: 0,
    beginAnew: () => true,
    end: async () => undefined,
    async send(onProgress, signal, over = 'anything') {
      onProgress(0, file.bytes);
      const reply = await requests.send({
        method: 'PUT',
        key,
        headers: {
          ...objectHeaders(file),
          'content-length': String(file.bytes),
          ...(over === 'nothing' && { 'if-none-match': '*' }),
          // Signed: who holds to it takes no other bytes.
          'x-amz-content-sha256': file.sha256,
        },
        body: checkedUpload(file, onProgress),
        signal,
      });
      if (reply.status !== 200) return { is: 'refused', reply };
      onProgress(file.bytes, file.bytes);
      return { is: 'taken' };
    },
  };
}
