/** "POST /api/ai/chat/completions": the common completion, or the common stream of its chunks. */
import { routes } from '../../../api/routes.ts';
import { invalid } from '../../http-refusal.ts';
import { parseChatRequest } from '../../writer/index.ts';
import { checkRequest } from '../check-request.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { WITH_BODY } from '../openapi/errors.ts';
import { ref, text } from '../openapi/shapes.ts';
import type { ApiRoute } from '../route.ts';

/** Bytes: the longest context of the document's models, four to a token, and as much again for what JSON escapes. */
const LARGEST = 8 * 1024 * 1024;

export const chat: ApiRoute = {
  path: routes.chat,
  handlers: {
    POST: async (call, studio) => {
      const body = await call.json(LARGEST);
      const { model, request } = checkRequest(body, studio);
      if (model.produces !== 'text') {
        const message = `${model.label} is not a chat model: send it to /api/ai${model.endpoint}, or to the queue`;
        throw invalid([{ path: 'model', message }]);
      }
      const chat = parseChatRequest(model, request);
      return studio.idempotent.chat(idempotencyKeyOf(call, body, studio), call.gone, gone =>
        studio.chat.answer(chat, gone),
      );
    },
  },
  operations: {
    POST: {
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
    },
  },
};
