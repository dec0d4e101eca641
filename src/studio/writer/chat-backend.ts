/** Who answers a chat request here: the writer, or a service that it is passed on to. */

import type { Listener } from '../shared/event-stream.ts';
import type { JsonReply } from '../shared/http-refusal.ts';
import type { ParsedChatRequest } from './chat-request.ts';

/** In one piece, or as a stream. */
export type ChatReply = JsonReply | { readonly stream: (listener: Listener) => void | Promise<void> };

export interface ChatBackend {
  /** What the catalog says of the chat models: exactly what they are here. */
  readonly description: string;
  /** What it is told of images: what can be seen of them here, or addresses that it can read where it is. */
  readonly images: 'seen' | 'passed on';
  /** @param gone aborts when whoever asked has hung up. */
  answer(chat: ParsedChatRequest, gone: AbortSignal): Promise<ChatReply>;
}

/** Where nothing is told to pass chat on to. */
export const WRITER_NATURE =
  'No neural network: a small deterministic writer of shot lists, which turns loglines into beats, shots, prompts and titles, and fits JSON schemas. SHOTLIST_CHAT_UPSTREAM passes chat on to a real model.';
