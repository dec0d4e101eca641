/** "POST /api/ai/chat/completions": the common completion, or the common stream of its chunks. */
import { routes } from '../../../api/routes.ts';
import { invalid } from '../../refusal.ts';
import { parseChatRequest } from '../../writer/chat-request.ts';
import { checkRequest } from '../check-request.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import type { Route } from '../route.ts';

/** Bytes: the longest context of the document's models, four to a token, and as much again for what JSON escapes. */
const LARGEST = 8 * 1024 * 1024;

export const chat: Route = {
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
};
