/** The common chat-completions objects from outside → what `chat-client.ts` needs of them; undefined where it is something else. */
import type { ChatUsage, FinishReason } from '../api/chat-completions.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface DecodedChat {
  readonly text: string;
  readonly finish_reason: FinishReason | undefined;
  readonly usage: ChatUsage | undefined;
}

/** A whole completion: its first choice. One that only calls tools says nothing; one that only refuses says so. */
export function decodeCompletion(json: unknown): DecodedChat | undefined {
  const choice = first(json);
  const message = fields(choice?.message);
  return choice && message && spoken(json, choice, message);
}

/** One chunk of a stream; the one with the usage has no choices, and one that a filter sent may have nothing at all. */
export function decodeChunk(json: unknown): DecodedChat | undefined {
  const choice = first(json);
  const isChunk = Array.isArray(fields(json)?.choices) || fields(json)?.usage !== undefined;
  return isChunk ? spoken(json, choice ?? {}, fields(choice?.delta) ?? {}) : undefined;
}

function spoken(json: unknown, choice: Fields, words: Fields): DecodedChat {
  const content = text(words.content);
  const refusal = content === '' && typeof words.refusal === 'string' ? words.refusal : '';
  const end = typeof choice.finish_reason === 'string' ? short(choice.finish_reason) : undefined;
  return {
    text: content + refusal,
    finish_reason: refusal === '' || end === undefined || end !== 'stop' ? end : 'refusal',
    usage: usage(fields(json)?.usage),
  };
}

/** The first of several answers; the others were not asked for by anybody here. */
function first(json: unknown): Fields | undefined {
  const choices = fields(json)?.choices;
  if (!Array.isArray(choices)) return undefined;
  return choices.map(fields).find(choice => choice !== undefined && (choice.index ?? 0) === 0);
}

/** A string, or a list of parts of which some are text. */
function text(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(part => fields(part)?.text)
    .filter(part => typeof part === 'string')
    .join('');
}

function usage(value: unknown): ChatUsage | undefined {
  const from = fields(value);
  const [prompt_tokens, completion_tokens] = [count(from?.prompt_tokens), count(from?.completion_tokens)];
  if (prompt_tokens === undefined || completion_tokens === undefined) return undefined;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: count(from?.total_tokens) ?? prompt_tokens + completion_tokens,
  };
}

/** It goes into messages and lock files. */
const short = (word: string): string => word.replace(/[^\w.-]+/g, ' ').slice(0, 40);
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const fields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
