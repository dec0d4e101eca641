/** What answers a chat request here: the writer, or a service that it is passed on to. */

import type { Listener } from '../shared/event-stream.ts';
import type { JsonReply } from '../shared/http-refusal.ts';
import type { ParsedChatRequest } from './chat-request.ts';

/** In one piece, or as a stream. */
export type ChatReply = JsonReply | { readonly stream: (listener: Listener) => void | Promise<void> };

export interface ChatBackend {
  /** The catalog's description of the chat models. */
  readonly description: string;
  /** How it gets images: as what is seen of them here, or as addresses that it can read. */
  readonly images: 'seen' | 'passed on';
  /** @param gone aborts when the requester has hung up. */
  answer(chat: ParsedChatRequest, gone: AbortSignal): Promise<ChatReply>;
}

/** Without an upstream. */
export const WRITER_NATURE =
  'No neural network: a small deterministic writer of shot lists, which turns loglines into beats, shots, prompts and titles, and fits JSON schemas. SHOTLIST_CHAT_UPSTREAM passes chat on to a real model.';
