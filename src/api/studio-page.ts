/** What the built-in studio's page reads of it, from `/page/generations`: in the studio's own words, and no part of the interface document. */

import type { MediaFacts } from '../model/media/media.ts';
import type { JsonObject } from '../model/text/json.ts';

export interface StudioPageData {
  /** In their order. */
  readonly queue: readonly StudioPageRow[];
  /** What is finished, newest first. */
  readonly made: readonly StudioPageRow[];
  /** Of all generations there are, in the queue and finished. */
  readonly total: number;
  readonly more: boolean;
}

export interface StudioPageRow {
  readonly id: string;
  readonly model: string;
  /** The kind of the model: `text_to_video`; null where the studio does not know it any more. */
  readonly kind: string | null;
  readonly media_type: 'image' | 'video';
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'cancelled';
  /** From 1, of what waits. */
  readonly place: number | null;
  /** 0 to 1. */
  readonly progress: number | null;
  /** Unix seconds. */
  readonly enqueued_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  /** Where its file is, on the studio that the page came from. */
  readonly result: string | null;
  readonly facts: MediaFacts | null;
  readonly request: JsonObject;
}
