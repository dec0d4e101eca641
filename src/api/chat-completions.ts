/**
 * "POST /api/ai/chat/completions", and the models' "Request parameters: chat models". The document shows neither the answer nor the
 * events of a stream "beyond being described as compatible with the common chat-completions format". So this is that format.
 */
import type { Json, JsonObject } from '../domain/json.ts';

/** The fields that the document shows; any other field of the common format passes as it is. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean;
} & JsonObject;

export type ChatMessage = { readonly role: string; readonly content: Json } & JsonObject;

/** Common: `stop`, `length` (cut off at `max_tokens`), `content_filter`, `refusal`. Any other word is kept as it is. */
export type FinishReason = 'stop' | 'length' | (string & {});

/** The answer ends where its tokens ran out, in the words of this service or another. */
export const isCutOff = (finish_reason: FinishReason): boolean =>
  ['length', 'max_tokens', 'max_output_tokens'].includes(finish_reason);

/** Tokens, as the service counts and bills them. */
export type ChatUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: 'assistant'; readonly content: string };
    readonly finish_reason: FinishReason;
  }[];
  readonly usage?: ChatUsage;
}

/** One `data:` of the stream, which ends with `data: [DONE]`. A last one with the `usage` has no choices. */
export interface ChatChunk {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: 'assistant'; readonly content?: string };
    readonly finish_reason: FinishReason | null;
  }[];
  readonly usage?: ChatUsage | null;
}

/** The `data:` after the last chunk. A stream without it was cut off. */
export const DONE = '[DONE]';
