/** What the page shows of a film that is being written (`run --watch`). Texts are clean, and hold no secret. */
import type { InstanceKey } from '../../domain/key.ts';
import type { ReportedMedia } from '../../domain/run-report.ts';

export interface LiveState {
  /** Unix milliseconds of the newest save. */
  readonly savedAt: number;
  /** What is wrong with the file as it is now, with the places; null: nothing. The shots are those of the last film that could be read. */
  readonly mistakes: string | null;
  readonly advice: string | null;
  /** What has a picture or a sound, or will have, in the order of the plan. */
  readonly shots: readonly LiveShot[];
}

export interface LiveShot {
  readonly key: InstanceKey;
  readonly state: 'waiting' | 'drawing' | 'there' | 'failed';
  /** The newest that was made: while another is drawn, the one before. */
  readonly media: ReportedMedia | null;
  /** SHA-256 of the first picture of what is being drawn. */
  readonly first: string | null;
  /** 0 to 1 while it is drawn; null where not told. */
  readonly fraction: number | null;
  /** Why it failed. */
  readonly why: string | null;
}

/** Who keeps it. */
export interface LiveSource {
  readonly state: LiveState;
  /** A first picture that is shown at this moment, by its SHA-256: JPEG. */
  picture(sha256: string): Uint8Array | undefined;
  follow(changed: () => void): () => void;
}
