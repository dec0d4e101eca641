/** Chat models without weights: the writer's text as the common completion, whole or in pieces. */
import { type ChatChunk, type ChatCompletion, DONE } from '../../api/chat-completions.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { ChatUsage, FinishReason } from '../../model/run/result.ts';
import type { Json } from '../../model/text/json.ts';
import { beginEventStream, writeEvent } from '../shared/event-stream.ts';
import { ok } from '../shared/http-refusal.ts';
import { type ChatBackend, WRITER_NATURE } from './chat-backend.ts';
import { countTokens, type ParsedChatRequest } from './chat-request.ts';

/** Milliseconds that a person at a terminal sees a text being written; spread over its words, and none for drafts. */
const LONGEST_SHOW = 1_500;
const WORD = 25;

export function writerBackend(given: {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly speed: 'full' | 'draft';
}): ChatBackend {
  const { clock, newId, speed } = given;
  return {
    description: WRITER_NATURE,
    images: 'seen',
    answer: async (chat, gone) => {
      const { write } = await import('./writer.ts');
      const answer = finished(chat, write(chat));
      const head = { id: `chatcmpl-${newId()}`, created: Math.floor(clock.now() / 1000), model: chat.model.label };
      if (!chat.stream) return ok(completion(head, answer) as unknown as Json);
      const words = answer.text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];
      const pause = speed === 'draft' ? 0 : Math.min(WORD, LONGEST_SHOW / words.length);
      return {
        stream: async response => {
          beginEventStream(response);
          for (const chunk of chunks(head, words, answer, chat.includeUsage)) {
            if (chunk.choices[0]?.delta.content && pause > 0) await clock.sleep(pause, gone);
            await writeEvent(response, JSON.stringify(chunk), gone);
            if (gone.aborted) return;
          }
          await writeEvent(response, DONE, gone);
          response.end();
        },
      };
    },
  };
}

interface Answer {
  readonly text: string;
  readonly finish_reason: FinishReason;
  readonly usage: ChatUsage;
}

/** The text up to where it was asked to stop, or to where its tokens run out. */
function finished({ stops, maxTokens, promptTokens }: ParsedChatRequest, text: string): Answer {
  const ends = stops.map(stop => text.indexOf(stop)).filter(at => at >= 0);
  const whole = text.slice(0, Math.min(text.length, ...ends));
  const { tokens, end } = countTokens(whole, maxTokens);
  return {
    text: whole.slice(0, end),
    finish_reason: end < whole.length ? 'length' : 'stop',
    usage: { prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens },
  };
}

type Head = Pick<ChatCompletion, 'id' | 'created' | 'model'>;

const completion = (head: Head, { text, finish_reason, usage }: Answer): ChatCompletion => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason }],
  usage,
});

function* chunks(
  head: Head,
  words: readonly string[],
  { finish_reason, usage }: Answer,
  includeUsage: boolean,
): Iterable<ChatChunk> {
  const chunk = (choices: ChatChunk['choices'], more: Partial<ChatChunk> = {}): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    // "all other chunks will also include a usage field, but with a null value", in the common format.
    ...(includeUsage && { usage: null }),
    ...more,
  });
  const piece = (delta: ChatChunk['choices'][number]['delta'], end: FinishReason | null = null) =>
    chunk([{ index: 0, delta, finish_reason: end }]);
  yield piece({ role: 'assistant', content: '' });
  for (const content of words) yield piece({ content });
  yield piece({}, finish_reason);
  if (includeUsage) yield chunk([], { usage });
}
