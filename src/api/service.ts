/** What a runner may ask of a service. `client/` implements it over HTTP; tests implement it in memory. */
import type { CatalogModel } from './catalog.ts';
import type { EnqueueRequest, GenerationRecord, HistoryRow } from './queue.ts';

export interface Service {
  /** Name used in fingerprints and the lock file: `studio`, or the settings' name, or the host. */
  readonly name: string;
  /** Sends exactly one POST. Never throws for anything the network or the service does. */
  enqueue(request: EnqueueRequest, signal: AbortSignal): Promise<Enqueued>;
  generation(id: string, signal: AbortSignal): Promise<Answer<GenerationRecord>>;
  /** Everything the service lists, newest first, to find a generation whose POST had an unknown outcome. `absent` where not offered. */
  history(signal: AbortSignal): Promise<Answer<readonly HistoryRow[]>>;
  cancel(id: string, signal: AbortSignal): Promise<Answer<null>>;
  models(signal: AbortSignal): Promise<Answer<readonly CatalogModel[]>>;
  model(id: string, signal: AbortSignal): Promise<Answer<CatalogModel>>;
  /** One shared stream, reopened for as long as it is listened to. Call the returned function to close it. */
  listen(listener: StreamListener): () => void;
  close(): Promise<void>;
}

export type Enqueued =
  | { readonly is: 'accepted'; readonly id: string }
  /** A 4xx: provably not taken. `retryAfter` in milliseconds, with 429 only. */
  | { readonly is: 'refused'; readonly status: number; readonly message: string; readonly retryAfter?: number }
  /** Never reached the service: refused connection, DNS, TLS. */
  | { readonly is: 'unreached'; readonly message: string }
  /** Anything else: it may have been accepted. */
  | { readonly is: 'unknown'; readonly message: string };

export type Answer<T> =
  | { readonly is: 'ok'; readonly value: T }
  /** 404, 405: not there, or not offered here. */
  | { readonly is: 'absent'; readonly message: string }
  /** 401, 403. */
  | { readonly is: 'unauthenticated'; readonly message: string }
  /** Network trouble, 429, 5xx, or an answer that cannot be read. Reading again is safe. */
  | { readonly is: 'unavailable'; readonly message: string; readonly retryAfter?: number };

export interface StreamListener {
  completed(generationId: string): void;
  /** Up: completions may have been missed while it was down. */
  up(): void;
  down(reason: string): void;
}
