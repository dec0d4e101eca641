/** The questions that a runner may ask a service. `client/` implements it over HTTP; tests implement it in memory. */

import type { ChatUsage, FinishReason } from '../model/run/result.ts';
import type { CatalogModel } from './catalog.ts';
import type { ChatRequest } from './chat-completions.ts';
import type { FineTune, FineTunePlace } from './fine-tunes.ts';
import type { EnqueueRequest, GenerationRecord, HistoryRow } from './queue.ts';
import type { MediaEndpoint } from './routes.ts';

export interface Service {
  /** Name used in fingerprints and the lock file: `studio`, or the settings' name, or the host. */
  readonly name: string;
  /** Who pays and where: the address and a digest of the key. Limits, and requests that are being made, belong to an account. */
  readonly account: string;
  /** What a person sets to change the key: `HOUSE_KEY`. Absent: there is nothing to set. */
  readonly keyFrom?: string;
  /** The service's own id of a model that the file names by a label: several labels may stand for one id. */
  modelId(label: string): string;
  /**
   * Sends exactly one POST. Never throws for anything the network or the service does.
   * `nonce` goes along as `Idempotency-Key`: a service that knows the header makes one generation of it, however often it is sent.
   */
  enqueue(request: EnqueueRequest, signal: AbortSignal, nonce?: string): Promise<Enqueued>;
  generation(id: string, signal: AbortSignal): Promise<Answer<GenerationRecord>>;
  /**
   * The service's list of generations, newest first, to find one whose POST had an unknown outcome. `absent` where not offered. `ok` only
   * when all that was asked for has been read: a page that fails is asked for again alone, and a list with a hole is `unavailable`.
   */
  history(signal: AbortSignal, how?: HistoryQuery): Promise<Answer<readonly HistoryRow[]>>;
  cancel(id: string, signal: AbortSignal): Promise<Answer<null>>;
  models(signal: AbortSignal, filters?: CatalogFilters): Promise<Answer<readonly CatalogModel[]>>;
  /** Models with matching names. */
  searchModels(text: string, signal: AbortSignal): Promise<Answer<readonly CatalogModel[]>>;
  /** `live`: the deployment's status is refreshed at its provider first. */
  model(id: string, signal: AbortSignal, how?: { readonly live?: boolean }): Promise<Answer<CatalogModel>>;
  /** Brings up a custom model's deployment, which bills from then on. Answers at once, usually with `deploying`. */
  activate(id: string, signal: AbortSignal): Promise<Changed<CatalogModel>>;
  /** Ends a deployment, and its billing. */
  deactivate(id: string, signal: AbortSignal): Promise<Changed<CatalogModel>>;
  /** Triggers the tokenization of a fine-tune in state `created`. */
  tokenize(fineTune: FineTunePlace, signal: AbortSignal): Promise<Changed<FineTune>>;
  /** How a fine-tune is now. The document offers no such question: `absent` where a service does not answer it, or has no such fine-tune. */
  fineTune(fineTune: FineTunePlace, signal: AbortSignal): Promise<Answer<FineTune>>;
  /**
   * One POST to an endpoint that answers when the media is there: 5 to 15 minutes for a video. Waits as long as it takes, and is
   * never sent again. Never throws for anything the network or the service does.
   */
  generateNow(
    endpoint: MediaEndpoint,
    request: EnqueueRequest,
    signal: AbortSignal,
    nonce?: string,
  ): Promise<GeneratedNow>;
  /**
   * One POST to the chat endpoint; `stream` in the request decides how the answer comes, and `written` hears each piece of text as it
   * arrives (a whole answer arrives as one). Waits as long as it takes, is never sent again, never throws for anything the network
   * or the service does. A stream that ends without its last word is `unknown`: it was paid for as far as it went.
   */
  chat(
    request: ChatRequest,
    signal: AbortSignal,
    written?: (text: string) => void,
    nonce?: string,
  ): Promise<ChatAnswer>;
  /** One shared stream, reopened for as long as it is listened to. Call the returned function to close it. */
  listen(listener: StreamListener): () => void;
  close(): Promise<void>;
}

export type Enqueued = { readonly is: 'accepted'; readonly id: string } | NotTaken;

/** `urls`: where the media can be fetched, in the order of the answer. */
export type GeneratedNow = { readonly is: 'made'; readonly urls: readonly [string, ...string[]] } | NotTaken;

/** `usage` is null where the service does not tell it. */
export type ChatAnswer =
  | {
      readonly is: 'answered';
      readonly text: string;
      readonly finish_reason: FinishReason;
      readonly usage: ChatUsage | null;
    }
  | NotTaken;

/** Which part of the history is wanted, and what is called as it is read. */
export interface HistoryQuery {
  /** Reading may stop as soon as rows of all these generations have been read. */
  readonly until?: ReadonlySet<string>;
  /** Unix seconds: reading may stop at a row that was enqueued before, where the list is provably newest first. */
  readonly since?: number;
  /** Each page as it arrives; `of` where the service counts them. */
  readonly page?: (number: number, of: number | undefined) => void;
}

/** Why a POST that moves money did not plainly succeed. */
export type NotTaken =
  /** A 4xx other than 408: provably not taken. `retryAfter` in milliseconds, with 429 only. */
  | { readonly is: 'refused'; readonly status: number; readonly message: string; readonly retryAfter?: number }
  /** Never reached the service: refused connection, DNS, TLS. */
  | { readonly is: 'unreached'; readonly message: string }
  /** Anything else, 408 and every 5xx among it: it may have been accepted. `gateway`: 408, 502 or 504, behind which it may still arrive. */
  | { readonly is: 'unknown'; readonly message: string; readonly gateway?: true };

export type Answer<T> =
  | { readonly is: 'ok'; readonly value: T }
  /** 404, 405: not there, or not offered here. */
  | { readonly is: 'absent'; readonly message: string }
  /** 401, 403. */
  | { readonly is: 'unauthenticated'; readonly message: string }
  /**
   * Network trouble, 429, 5xx, or an answer that cannot be read. Reading again is safe. `incomplete`: it answers, and its list cannot be
   * read to its end. `busy`: 429.
   */
  | {
      readonly is: 'unavailable';
      readonly message: string;
      readonly retryAfter?: number;
      readonly incomplete?: true;
      readonly busy?: true;
    };

/** The outcome of a request that changes something and may be asked for again. */
export type Changed<T> =
  | Answer<T>
  /** 400, 409, …: it cannot be done, and asking again changes nothing. */
  | { readonly is: 'refused'; readonly status: number; readonly message: string };

/** Query of the list of models; an absent filter lets everything through. */
export interface CatalogFilters {
  readonly developer_name?: string;
  readonly action?: string;
}

export interface StreamListener {
  completed(generationId: string): void;
  /** Up: completions may have been missed while it was down. */
  up(): void;
  down(reason: string): void;
}
