/** The writer's one door: who answers chat, and how a chat request is read. The writing code is loaded with the first answer. */
export { type ChatBackend, type ChatReply, WRITER_NATURE } from './chat-backend.ts';
export { type ParsedChatRequest, parseChatRequest } from './chat-request.ts';
export type { ChatUpstream } from './chat-upstream.ts';
export type { SeenImage } from './seen-image.ts';
export { upstreamBackend } from './upstream-backend.ts';
export { writerBackend } from './writer-backend.ts';
