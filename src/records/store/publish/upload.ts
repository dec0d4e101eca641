/** One file on its way into a bucket: in one piece (`bucket.ts`) or in parts (`upload-in-parts.ts`). */
import { contentType } from '../media-types.ts';
import type { BucketReply } from './bucket-requests.ts';
import type { FileToPublish, OnProgress } from './publishing.ts';

/** The digest is kept beside the object: a checksum of a service's own may be of parts, or missing. */
export const DIGEST = 'x-amz-meta-sha256';

/** As the file was called here: an object that is named by its content alone has no other. */
export const EXTENSION = 'x-amz-meta-extension';

export type Taken = { readonly is: 'taken' } | { readonly is: 'refused'; readonly reply: BucketReply };

/** What a bucket may find in the file's place: with `nothing` it refuses where another machine was quicker. */
export type Over = 'nothing' | 'anything';

export interface Upload {
  /**
   * Sends what is not there yet, and goes on where it was when it is called again. Throws `FileChanged`, and what the network and the disk
   * throw.
   */
  send(onProgress: OnProgress, signal: AbortSignal, over?: Over): Promise<Taken>;
  /** Bytes that the bucket has, for good, until the upload is ended. */
  readonly arrived: number;
  /** What was sent counts no more. False: it has begun anew too often. */
  beginAnew(): boolean;
  /** Nothing is left there of what was not completed. Gives the upload that could not be ended. */
  end(outcome: 'there' | 'failed' | 'stopped'): Promise<string | undefined>;
}

export const objectHeaders = ({ extension, sha256 }: Pick<FileToPublish, 'extension' | 'sha256'>) => ({
  'content-type': contentType(extension),
  [DIGEST]: sha256,
  ...(extension !== '' && { [EXTENSION]: extension }),
});
