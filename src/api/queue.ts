/**
 * The asynchronous queue (interface document: "Generation record", "POST /api/ai/queue", "GET /api/ai/queue/{generation_id}").
 * Fields marked *observed* are not promised by the document: the studio offers them, the client lives without them.
 */
import type { JsonObject } from '../model/text/json.ts';

const TERMINAL = ['succeeded', 'failed', 'cancelled'] as const;
type TerminalStatus = (typeof TERMINAL)[number];
/** Unknown status words are always non-terminal. Observed: `queued`, then `processing`. */
export type Status = TerminalStatus | 'queued' | 'processing' | (string & {});
export const isTerminal = (status: string): status is TerminalStatus =>
  (TERMINAL as readonly string[]).includes(status);

/** Words for "not worked on yet"; any other word of a generation that is under way means that it is. */
const IN_QUEUE: ReadonlySet<string> = new Set([
  ...['queued', 'in_queue', 'pending', 'waiting', 'scheduled', 'submitted', 'accepted', 'created', 'not_started'],
]);
export const isInQueue = (status: Status): boolean => IN_QUEUE.has(status.toLowerCase());

/** Body of an enqueue: the model's id and its own fields, side by side. */
export type EnqueueRequest = { readonly model: string } & JsonObject;

export interface EnqueueResponse {
  readonly generations: readonly { readonly generation_id: string; readonly status?: Status }[];
}

export interface GenerationRecord {
  readonly generation_id: string;
  readonly status: Status;
  readonly result_url?: string | null;
  readonly error_message?: string | null;
  // observed
  readonly model_name?: string;
  readonly media_type?: 'image' | 'video';
  /** Unix seconds. */
  readonly enqueued_at?: number;
  readonly started_at?: number | null;
  readonly completed_at?: number | null;
  // the studio's own
  /** Place in the queue, 1 is next. */
  readonly position?: number | null;
  /** 0 to 1. */
  readonly progress?: number | null;
  /** Where the first picture of what is being drawn can be seen, until it is finished. */
  readonly preview_url?: string | null;
  /** The `Idempotency-Key` it was enqueued with. */
  readonly idempotency_key?: string | null;
}

/** Observed: `GET /api/ai/queue`; active ones unless `status=` is given. */
export interface QueueList {
  readonly count: number;
  readonly generations: readonly GenerationRecord[];
}

/** Observed: one row of `GET /api/ai/generations`, the record with the request's own parameters merged in at the top level. */
export type HistoryRow = GenerationRecord & {
  readonly cost?: string | null;
} & JsonObject;
export interface History {
  readonly count: number;
  readonly page_number: number;
  readonly page_size: number;
  readonly total_pages: number;
  readonly total_entries: number;
  readonly total_cost: string | null;
  readonly generations: readonly HistoryRow[];
}
