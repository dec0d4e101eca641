/**
 * Files in an S3-compatible bucket, by content: what is there is not sent again, what was sent is looked at before it counts, and what
 * fails for a while is tried again. Two processes that bring the same file at once write the same bytes to the same place.
 *
 *   look ─┬─ there, of this size and content ──► done
 *         ├─ missing, or hidden (403: a key that may not list) ─► send ─┬─ taken ──► look again
 *         │                                                             └─ passes ─► wait, look again
 *         └─ anything else ─► say why
 */
import type { AwsCredentials } from '../../host/aws-credentials.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import { type BucketFault, faultOf } from './bucket-fault.ts';
import { type BucketPlace, keyOf, shownPlace } from './bucket-place.ts';
import { BucketRequests } from './bucket-requests.ts';
import { checkedUpload, FileChanged } from './checked-upload.ts';
import { contentType } from './content-type.ts';
import { plainNetworkError } from './network-error.ts';
import { LARGEST, messages } from './publish-messages.ts';
import type { Brought, ContentToPublish, FileToPublish, HearSent, WayToPublish } from './publishing.ts';

export interface BucketOptions {
  readonly place: BucketPlace;
  readonly credentials: AwsCredentials;
  /** Milliseconds that an address is good for. */
  readonly expires: number;
  readonly clock: Clock;
}

type Seen =
  | { readonly is: 'there' | 'missing' | 'hidden' }
  | { readonly is: 'fault'; readonly fault: BucketFault }
  | { readonly is: 'stopped' };

type Sent = { readonly is: 'taken' } | Extract<Seen, { readonly is: 'fault' | 'stopped' }>;

/** Times that a file is sent, or looked for, before its publishing fails. */
const TRIES = 5;
/** One byte of it. */
const FIRST = { range: 'bytes=0-0' };
/** The digest stands beside the object: a checksum of a service's own may be of parts, or missing. */
const DIGEST = 'x-amz-meta-sha256';

export class Bucket implements WayToPublish {
  readonly to: string;
  readonly expires: number;
  readonly #place: BucketPlace;
  readonly #clock: Clock;
  readonly #requests: BucketRequests;

  constructor({ place, credentials, expires, clock }: BucketOptions) {
    this.to = shownPlace(place);
    this.expires = expires;
    this.#place = place;
    this.#clock = clock;
    this.#requests = new BucketRequests(place, credentials, clock);
  }

  async bring(file: FileToPublish, hear: HearSent, signal: AbortSignal): Promise<Brought> {
    if (file.bytes > LARGEST) return this.#failed(messages.tooLarge());
    let last: BucketFault | undefined;
    let wasTaken = false;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (last) await this.#clock.sleep(backoff(attempt - 1, { retryAfter: last.retryAfter }), signal);
      if (signal.aborted) return { is: 'stopped' };
      const before = await this.#look(file, signal);
      if (before.is === 'there' || before.is === 'stopped') return before as Brought;
      if (before.is === 'fault') {
        if (!before.fault.passes) return this.#failed(before.fault.message);
        last = before.fault;
        continue;
      }
      if (wasTaken && before.is === 'hidden') return this.#failed(messages.unreadable(this.#place.bucket));
      const sent = await this.#send(file, hear, signal);
      if (sent.is === 'stopped') return sent;
      if (sent.is === 'fault') {
        if (!sent.fault.passes) return this.#failed(sent.fault.message);
        last = sent.fault;
        continue;
      }
      const after = await this.#look(file, signal);
      if (after.is === 'there' || after.is === 'stopped') return after as Brought;
      wasTaken = true;
      last = after.is === 'fault' ? after.fault : { passes: true, message: messages.lost() };
      if (after.is === 'hidden') return this.#failed(messages.unreadable(this.#place.bucket));
      if (!last.passes) return this.#failed(last.message);
    }
    return this.#failed(messages.triedInVain(TRIES, last?.message ?? messages.lost()));
  }

  sign = (file: ContentToPublish): Promise<string> =>
    this.#requests.presigned(keyOf(this.#place, file), Math.floor(this.expires / 1000));

  close(): Promise<void> {
    return this.#requests.close();
  }

  async #look(file: FileToPublish, signal: AbortSignal): Promise<Seen> {
    try {
      const reply = await this.#requests.send({ method: 'HEAD', key: keyOf(this.#place, file), signal });
      const { status, header } = reply;
      if (status === 200) {
        const isWhole = header('content-length') === String(file.bytes) && header(DIGEST) === file.sha256;
        return { is: isWhole ? 'there' : 'missing' };
      }
      if (status === 404) return { is: 'missing' };
      // The answer to a HEAD has no words: they are in the same answer to a GET.
      const worded = await this.#requests.send({
        method: 'GET',
        key: keyOf(this.#place, file),
        headers: FIRST,
        signal,
      });
      const fault = faultOf(worded, this.#place.bucket, this.#clock.now());
      // Amazon answers so for what is not there, where the key may not list the bucket.
      return fault.isHidden ? { is: 'hidden' } : { is: 'fault', fault };
    } catch (error) {
      return this.#network(error, signal);
    }
  }

  async #send(file: FileToPublish, hear: HearSent, signal: AbortSignal): Promise<Sent> {
    hear(0, file.bytes);
    try {
      const reply = await this.#requests.send({
        method: 'PUT',
        key: keyOf(this.#place, file),
        headers: {
          'content-length': String(file.bytes),
          'content-type': contentType(file.extension),
          // Signed: who holds to it takes no other bytes.
          'x-amz-content-sha256': file.sha256,
          [DIGEST]: file.sha256,
        },
        body: checkedUpload(file, hear),
        signal,
      });
      if (reply.status !== 200) return { is: 'fault', fault: faultOf(reply, this.#place.bucket, this.#clock.now()) };
      hear(file.bytes, file.bytes);
      return { is: 'taken' };
    } catch (error) {
      return this.#network(error, signal);
    }
  }

  #network(error: unknown, signal: AbortSignal): Extract<Seen, { readonly is: 'fault' | 'stopped' }> {
    if (signal.aborted) return { is: 'stopped' };
    if (error instanceof FileChanged) return { is: 'fault', fault: { passes: false, message: messages.changed() } };
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isOfDisk = syscall === 'open' || syscall === 'read';
    if (isOfDisk) return { is: 'fault', fault: { passes: false, message: messages.unreadableFile(code ?? '') } };
    return { is: 'fault', fault: { passes: true, message: messages.unreached(plainNetworkError(error)) } };
  }

  #failed(message: string): Brought {
    return { is: 'failed', message: `${this.to}: ${message}` };
  }
}
