/**
 * Where a team's results are, by content. `shared-folder.ts` and `shared-bucket.ts` are the two forms; `shared-results.ts` uses either.
 * No result there is ever deleted or listed, and nothing that comes from there is believed before its digest was taken here.
 */
import type { FileToPublish, OnProgress, UploadOutcome } from '../publish/publishing.ts';

export interface SharedPlace {
  /** As a person would name it: `s3://films/results`, `/mnt/team/shotlist`. */
  readonly to: string;
  look(sha256: string, signal: AbortSignal): Promise<Looked>;
  /** `bytes` throws where it breaks off, and begins where it was read to when it is tried anew. */
  read(sha256: string, signal: AbortSignal): Promise<Opened>;
  /** What is there already is not sent again. Two machines that send the same at once send the same bytes. */
  send(file: FileToPublish, onProgress: OnProgress, signal: AbortSignal): Promise<UploadOutcome>;
  close(): Promise<void>;
}

/** Small texts beside the results. Any machine may replace one; the last write counts. */
export interface NotePlace {
  readNote(name: string, signal: AbortSignal): Promise<Note>;
  writeNote(name: string, text: string, signal: AbortSignal): Promise<{ readonly is: 'there' } | PlaceFault>;
  close(): Promise<void>;
}

export type Note = { readonly is: 'note'; readonly text: string } | { readonly is: 'missing' } | PlaceFault;

export type Looked = { readonly is: 'there'; readonly bytes: number } | { readonly is: 'missing' } | PlaceFault;

export type Opened =
  | {
      readonly is: 'open';
      readonly bytes: AsyncIterable<Buffer>;
      /** With its dot; empty where it has none. */
      readonly extension: string;
    }
  | { readonly is: 'missing' }
  | PlaceFault;

/** The place cannot say. That is no reason to take a result for missing: it would be paid for again. */
export interface PlaceFault {
  readonly is: 'fault';
  /** In words about the place, without its name. */
  readonly message: string;
}
