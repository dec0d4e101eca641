/** The common chat-completions objects from outside → the fields that `chat-client.ts` needs; undefined for anything else. */
import type { ChatUsage, FinishReason } from '../domain/result.ts';
import { type Fields, fields } from './json-fields.ts';

export interface DecodedChat {
  readonly text: string;
  readonly finish_reason: FinishReason | undefined;
  readonly usage: ChatUsage | undefined;
}

/**
 * A whole completion: its first choice. The text is empty for a choice that only calls tools, and the refusal for one that only
 * refuses.
 */
export function decodeCompletion(json: unknown): DecodedChat | undefined {
  const choice = first(json);
  const message = fields(choice?.message);
  return choice && message && spoken(json, choice, message);
}

/** One chunk of a stream. The chunk with the usage has no choices, and a chunk that a filter sent may have nothing at all. */
export function decodeChunk(json: unknown): DecodedChat | undefined {
  const choice = first(json);
  const isChunk = Array.isArray(fields(json)?.choices) || fields(json)?.usage !== undefined;
  return isChunk ? spoken(json, choice ?? {}, fields(choice?.delta) ?? {}) : undefined;
}

/** `{"error": …}`, which some services send with a 200. */
export const isErrorObject = (json: unknown): boolean =>
  fields(json)?.error !== undefined && fields(json)?.error !== null;

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

/** The first of several choices; more than one is never asked for. */
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

/** A short word, because it goes into messages and lock files. */
const short = (word: string): string => word.replace(/[^\w.-]+/g, ' ').slice(0, 40);
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
