/** Chat models without weights: the writer's text as the common completion, whole or in pieces. */
import {
  type ChatChunk,
  type ChatCompletion,
  type ChatUsage,
  DONE,
  type FinishReason,
} from '../../api/chat-completions.ts';
import type { Json } from '../../domain/json.ts';
import type { Clock } from '../../host/clock.ts';
import { ok } from '../service/route.ts';
import type { Ask } from './ask.ts';
import { type ChatRoom, WRITER } from './chat-room.ts';
import { writes, written } from './event-stream.ts';
import { countTokens, cutTo } from './tokens.ts';
import { write } from './writer.ts';

/** Milliseconds that a person at a terminal sees a text being written; spread over its words, and none for drafts. */
const LONGEST_SHOW = 1_500;
const WORD = 25;

export function writersRoom(given: {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly speed: 'full' | 'draft';
}): ChatRoom {
  const { clock, newId, speed } = given;
  return {
    nature: WRITER,
    answer: async (ask, gone) => {
      const answer = finished(ask, write(ask));
      const head = { id: `chatcmpl-${newId()}`, created: Math.floor(clock.now() / 1000), model: ask.model.label };
      if (!ask.stream) return ok(completion(head, answer) as unknown as Json);
      const words = answer.text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];
      const pause = speed === 'draft' ? 0 : Math.min(WORD, LONGEST_SHOW / words.length);
      return {
        stream: async response => {
          writes(response);
          for (const chunk of chunks(head, words, answer, ask.tellUsage)) {
            if (chunk.choices[0]?.delta.content && pause > 0) await clock.sleep(pause, gone);
            await written(response, JSON.stringify(chunk), gone);
            if (gone.aborted) return;
          }
          await written(response, DONE, gone);
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
function finished({ stops, maxTokens, promptTokens }: Ask, text: string): Answer {
  const ends = stops.map(stop => text.indexOf(stop)).filter(at => at >= 0);
  const whole = text.slice(0, Math.min(text.length, ...ends));
  const kept = cutTo(whole, maxTokens);
  const completion_tokens = countTokens(kept);
  return {
    text: kept,
    finish_reason: kept.length < whole.length ? 'length' : 'stop',
    usage: { prompt_tokens: promptTokens, completion_tokens, total_tokens: promptTokens + completion_tokens },
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
  tellUsage: boolean,
): Iterable<ChatChunk> {
  const chunk = (choices: ChatChunk['choices'], more: Partial<ChatChunk> = {}): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    // "all other chunks will also include a usage field, but with a null value", in the common format.
    ...(tellUsage && { usage: null }),
    ...more,
  });
  const piece = (delta: ChatChunk['choices'][number]['delta'], end: FinishReason | null = null) =>
    chunk([{ index: 0, delta, finish_reason: end }]);
  yield piece({ role: 'assistant', content: '' });
  for (const content of words) yield piece({ content });
  yield piece({}, finish_reason);
  if (tellUsage) yield chunk([], { usage });
}
