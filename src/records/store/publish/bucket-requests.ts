/**
 * Signed requests to a bucket (AWS Signature Version 4, alike at every S3-compatible service), one at a time and without any
 * repetition: `bucket.ts` decides what is asked again. The key is in here, and goes into signatures alone.
 */
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent } from 'undici';
import type { Clock } from '../../../machine/time/clock.ts';
import { type Watchdog, watchdog } from '../../../machine/time/deadline.ts';
import type { AwsCredentials } from '../../../settings/aws-credentials.ts';
import { type BucketPlace, objectUrl, regionOf } from './bucket-place.ts';

export interface BucketReply {
  readonly status: number;
  /** Lower-case name → value. */
  readonly header: (name: string) => string | undefined;
  /** The beginning of it. */
  readonly text: string;
}

export interface BucketStream extends Pick<BucketReply, 'status' | 'header'> {
  /** Throws the network's error, and after too long a silence. A caller that stops early leaves its loop. */
  readonly body: AsyncIterable<Buffer>;
}

export interface BucketRequest {
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent, and its length; each piece that goes counts as a sign of life. */
  readonly body?: AsyncIterable<Buffer> | Iterable<Buffer>;
  readonly signal: AbortSignal;
}

/** Looks for the key once more: a session is over after some hours, and a new one may have been put in its place. */
export type RenewCredentials = () => Promise<AwsCredentials | undefined>;

const isSessionOver = (text: string): boolean => /<Code>(ExpiredToken|TokenRefreshRequired)</.test(text);

/** Milliseconds without a byte in either direction. */
const SILENCE = 120_000;
const CONNECT_TIMEOUT = 30_000;
/** Characters of an answer that are read: an error is a few hundred, and a list of a thousand parts some 300,000. */
const LONGEST_TEXT = 1_000_000;

export class BucketRequests {
  readonly #place: BucketPlace;
  #credentials: AwsCredentials;
  readonly #clock: Clock;
  readonly #renew: RenewCredentials | undefined;
  readonly #agent = new Agent({
    ...{ headersTimeout: 0, bodyTimeout: 0, allowH2: false },
    connect: { timeout: CONNECT_TIMEOUT, allowH2: false },
  });

  constructor(place: BucketPlace, credentials: AwsCredentials, clock: Clock, renew?: RenewCredentials) {
    this.#place = place;
    this.#credentials = credentials;
    this.#clock = clock;
    this.#renew = renew;
  }

  /** Throws what the network throws, what `body` throws, and after too long a silence. */
  async send(request: BucketRequest): Promise<BucketReply> {
    using quiet = this.#watch();
    const { status, header, reply } = await this.#answered(request, quiet);
    const text = request.method === 'HEAD' ? await reply.dump().then(() => '') : await beginningOf(reply);
    // A body is gone once it is sent: the caller looks first, and sends again.
    if (isSessionOver(text) && (await this.#renewed()) && !request.body) return this.send(request);
    return { status, text, header };
  }

  /** Whether there is another key by now. */
  async #renewed(): Promise<boolean> {
    const { keyId, session } = this.#credentials;
    const fresh = await this.#renew?.();
    if (!fresh || (fresh.keyId === keyId && fresh.session?.reveal() === session?.reveal())) return false;
    this.#credentials = fresh;
    return true;
  }

  /** As `send`, and what comes is read as it comes. */
  async open(request: BucketRequest): Promise<BucketStream> {
    const quiet = this.#watch();
    try {
      const { status, header, reply } = await this.#answered(request, quiet);
      return { status, header, body: readTo(reply, quiet) };
    } catch (error) {
      quiet.clear();
      throw error;
    }
  }

  #watch(): Watchdog {
    return watchdog(SILENCE, { clock: this.#clock, reason: new Error(`nothing came for ${SILENCE / 1000} s`) });
  }

  async #answered({ method, key, query = {}, headers = {}, body, signal }: BucketRequest, quiet: Watchdog) {
    const url = objectUrl(this.#place, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await this.#signer({ method, url: url.href, headers }).sign();
    const cut = AbortSignal.any([signal, quiet.signal]);
    const alive = async function* (pieces: NonNullable<BucketRequest['body']>) {
      for await (const piece of pieces) {
        yield piece;
        quiet.feed();
      }
    };
    const reply = await this.#agent.request({
      origin: signed.url.origin,
      path: signed.url.pathname + signed.url.search,
      method,
      headers: { ...Object.fromEntries(signed.headers), ...headers },
      ...(body && { body: Readable.from(alive(body), { objectMode: false }) }),
      signal: cut,
    });
    quiet.feed();
    const header = (name: string): string | undefined => {
      const value = reply.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    return { status: reply.statusCode, header, reply: reply.body };
  }

  /** An address that anybody can read the object at until it expires. */
  async presigned(key: string, seconds: number): Promise<string> {
    const url = objectUrl(this.#place, key);
    url.searchParams.set('X-Amz-Expires', String(seconds));
    return (await this.#signer({ method: 'GET', url: url.href, headers: {}, signQuery: true }).sign()).url.href;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #signer(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signQuery?: true;
  }): AwsV4Signer {
    const { keyId, key, session } = this.#credentials;
    const region = regionOf(this.#place);
    return new AwsV4Signer({
      ...request,
      accessKeyId: keyId,
      secretAccessKey: key.reveal(),
      ...(session && { sessionToken: session.reveal() }),
      service: 's3',
      ...(region !== undefined && { region }),
      datetime: new Date(this.#clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
  }
}

async function* readTo(body: AsyncIterable<Buffer>, quiet: Watchdog): AsyncGenerator<Buffer, void, void> {
  try {
    for await (const piece of body) {
      quiet.feed();
      yield piece;
    }
  } finally {
    quiet.clear();
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of body) if (text.length < LONGEST_TEXT) text += piece.toString('utf8');
  return text.slice(0, LONGEST_TEXT);
}
