/**
 * Makes content readable to a service that cannot read files of this machine. A port: in `records/store/publish/` it is an S3-compatible
 * bucket, or a command of the user's. Publishing one content twice is harmless, and sends it once.
 */
import type { ContentToPublish, OnProgress, PublishOutcome } from '../../records/store/publish/publishing.ts';

export type { ContentToPublish };

export interface Publisher {
  /** Where to, as a person would name it: `s3://films/in`. */
  readonly to: string;
  /** Answers with an address that is good from now on, signed anew each time where it can be. */
  publish(content: ContentToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<PublishOutcome>;
  /** Lets go of what it holds of this machine. */
  close(): Promise<void>;
}

/** A team's results: what one machine paid for, all have. Its form over a bucket or a folder is `records/store/shared/`. */
export interface Sharing {
  /** As a person would name it: `s3://films/results`. */
  readonly to: string;
  /** Into the store of this machine, under the digest that was taken of it here. */
  download(sha256: string, signal: AbortSignal): Promise<DownloadOutcome>;
  /** In the background: it holds nothing up and fails nothing. */
  share(content: { readonly sha256: string; readonly extension: string }): void;
}

type DownloadOutcome =
  | { readonly is: 'ok' | 'missing' | 'stopped' }
  /** It may be there, and cannot be had now. */
  | { readonly is: 'failed'; readonly message: string };
