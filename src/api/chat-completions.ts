/**
 * "POST /api/ai/chat/completions", and the models' "Request parameters: chat models". The document shows neither the answer nor the
 * events of a stream "beyond being described as compatible with the common chat-completions format". So this is that format.
 */

import type { ChatUsage, FinishReason } from '../model/run/result.ts';
import type { Json, JsonObject } from '../model/text/json.ts';

/** The fields that the document shows; any other field of the common format passes as it is. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean;
} & JsonObject;

export type ChatMessage = { readonly role: string; readonly content: Json } & JsonObject;

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
