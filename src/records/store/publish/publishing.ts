/**
 * Files of this machine where a service on another can read them: each is uploaded once, by its content, and has an address for a
 * while. The ways to do so are `bucket.ts` and `publish-command.ts`.
 */
import { stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import type { Clock } from '../../../machine/time/clock.ts';
import { SingleFlight } from '../single-flight.ts';
import { messages } from './publish-messages.ts';

/** A file of this machine, and what it holds. */
export interface ContentToPublish {
  /** Lower-case hex. */
  readonly sha256: string;
  /** With its dot; empty where it has none. */
  readonly extension: string;
  /** Absolute. */
  readonly path: string;
}

export interface FileToPublish extends ContentToPublish {
  readonly bytes: number;
}

export type PublishOutcome =
  /** `url`: good for at least half of the time that addresses are good for. */
  | { readonly is: 'ok'; readonly url: string }
  /** In words about the publishing: `s3://films/in: there is no bucket of that name`. */
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'stopped' };

export type UploadOutcome =
  /** `url` where the upload gave one; otherwise `sign` makes one whenever it is wanted. */
  { readonly is: 'there'; readonly url?: string } | Exclude<PublishOutcome, { readonly is: 'ok' }>;

/** Hears how many bytes are sent, of how many: 0 when an upload begins, all when it ended. Nothing where the file was there already. */
export type OnProgress = (sent: number, of: number) => void;

export interface WayToPublish {
  /** As a person would name it: `s3://films/in`, `./publish.sh`. */
  readonly to: string;
  /** Milliseconds that an address is good for. */
  readonly expires: number;
  upload(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome>;
  /** A fresh address of what was uploaded. Absent: only the upload gives one. */
  readonly sign?: (content: ContentToPublish) => Promise<string>;
  /** What keeps anything from being uploaded, and does not pass by itself: asked before a run begins, and nothing is sent for it. */
  readonly problem?: (signal: AbortSignal) => Promise<string | undefined>;
  close(): Promise<void>;
}

const AT_ONCE = 4;
/** Milliseconds for which what was there is believed to be there: buckets have rules that delete. */
const BELIEVED = 30 * 60_000;

export class Publishing {
  readonly #way: WayToPublish;
  readonly #clock: Clock;
  readonly #flights = new SingleFlight<UploadOutcome, [sent: number, of: number]>();
  readonly #there = new Map<string, { readonly at: number; readonly url: string | undefined }>();
  readonly #uploads = new PQueue({ concurrency: AT_ONCE });

  constructor(way: WayToPublish, clock: Clock) {
    this.#way = way;
    this.#clock = clock;
  }

  get to(): string {
    return this.#way.to;
  }

  /** Answers with an address of the file as it is signed now. Many may ask for one file at once: it is uploaded once. */
  async publish(content: ContentToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<PublishOutcome> {
    const { sha256 } = content;
    // An address that came with the file grows old with it.
    const believed = this.#way.sign ? Math.min(BELIEVED, this.#way.expires / 2) : this.#way.expires / 2;
    const known = this.#there.get(sha256);
    let url = known?.url;
    if (!known || this.#clock.now() - known.at > believed) {
      const waiter = { signal, onNews: onProgress, left: { is: 'stopped' } as const };
      const uploaded = await this.#flights.join(sha256, waiter, (stop, publish) =>
        this.#upload(content, publish, stop),
      );
      if (uploaded.is !== 'there') return uploaded;
      url = uploaded.url;
    }
    return { is: 'ok', url: url ?? (await this.#signed(content)) };
  }

  close(): Promise<void> {
    return this.#way.close();
  }

  async #upload(content: ContentToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome> {
    const at = this.#clock.now();
    try {
      return await this.#uploads.add(async () => {
        if (signal.aborted) return { is: 'stopped' };
        const { size: bytes } = await stat(content.path);
        const uploaded = await this.#way.upload({ ...content, bytes }, onProgress, signal);
        if (uploaded.is === 'there') this.#there.set(content.sha256, { at, url: uploaded.url });
        return uploaded;
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return { is: 'failed', message: `${this.to}: ${messages.unreadableFile(code)}` };
    }
  }

  #signed(content: ContentToPublish): Promise<string> {
    const { sign } = this.#way;
    if (!sign) throw new Error(`${this.#way.to} gave no address`);
    return sign(content);
  }
}
