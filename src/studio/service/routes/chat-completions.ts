/** "POST /api/ai/chat/completions": the common completion, or the common stream of its chunks. */
import { routes } from '../../../api/routes.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { invalid } from '../../shared/http-refusal.ts';
import { type ParsedChatRequest, parseChatRequest } from '../../writer/index.ts';
import { checkRequest } from '../check-request.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { WITH_BODY } from '../openapi/document.ts';
import { ref, text } from '../openapi/shapes.ts';
import type { ApiRoute, Handler, Services } from '../route.ts';

/** Bytes: the longest context of the document's models, four to a token, and as much again for what JSON escapes. */
const LARGEST = 8 * 1024 * 1024;

/** The writer gets what is seen here; a service elsewhere gets addresses that it can read. */
async function withImages(
  chat: ParsedChatRequest,
  request: JsonObject,
  { chat: backend, images }: Services,
  gone: AbortSignal,
): Promise<ParsedChatRequest> {
  if (backend.images === 'seen') return { ...chat, images: await images.seen(chat.model, request, gone) };
  return { ...chat, request: { ...chat.request, ...(await images.readableElsewhere(chat.model, request, gone)) } };
}

const answer: Handler = async (call, studio) => {
  const body = await call.json(LARGEST);
  const { model, request } = checkRequest(body, studio);
  if (model.produces !== 'text') {
    const message = `${model.label} is not a chat model: send it to /api/ai${model.endpoint}, or to the queue`;
    throw invalid([{ path: 'model', message }]);
  }
  const chat = parseChatRequest(model, request);
  return studio.idempotent.chat(idempotencyKeyOf(call, body, studio), call.gone, async gone =>
    studio.chat.answer(await withImages(chat, request, studio, gone), gone),
  );
};

export const chatRoute: ApiRoute = {
  method: 'POST',
  path: routes.chat,
  answer,
  id: 'chat',
  tag: 'Chat',
  summary: 'A chat completion, whole or streamed',
  description:
    'With `stream: true` the answer comes as server-sent events: each `data:` is a ChatChunk, and the last is `[DONE]`. Fields of the common format that are not listed pass: `response_format`, `seed`, `stop`, `stream_options`.',
  takes: model => model.produces === 'text',
  repeatable: true,
  gives: {
    content: {
      'application/json': ref('ChatCompletion'),
      'text/event-stream': { ...text, contentMediaType: 'text/event-stream', contentSchema: ref('ChatChunk') },
    },
  },
  errors: [...WITH_BODY, 404, 502, 503],
};
