/** A chat request as it comes in, read once: its turns, and the form of the answer. A refusal has every reason. */
import type { Model } from '../../model/model.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { invalid, type Reason } from '../shared/http-refusal.ts';
import type { SeenImage } from './seen-image.ts';

const TOKENS_OF_A_FRAME = 4;
const TOKENS_OF_A_PICTURE = 1_000;
/** Characters from here on are a token each. */
const OWN_TOKEN = 0x2e80;

/**
 * Counts tokens, since the studio has no model's own tokenizer: up to four characters of text, or one Chinese, Japanese or Korean character.
 * The frame of a message counts four more, a picture a thousand. The plan estimates by the same rule.
 * @param most stops behind so many tokens
 * @returns `end` the characters that they take
 */
export function countTokens(text: string, most = Number.POSITIVE_INFINITY): { tokens: number; end: number } {
  let [tokens, inToken, end] = [0, 0, 0];
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const isOwn = code >= OWN_TOKEN;
    if (isOwn || inToken === 0) {
      if (tokens === most) break;
      tokens += 1;
    }
    inToken = isOwn ? 0 : (inToken + 1) % 4;
    end += code > 0xffff ? 2 : 1;
  }
  return { tokens, end };
}

interface Turn {
  readonly by: 'person' | 'writer';
  readonly text: string;
}

/** What an answer must be: any text, any JSON object, or JSON that fits a schema. */
type Format = { readonly is: 'text' } | { readonly is: 'json' } | { readonly is: 'schema'; readonly schema: Json };

export interface ParsedChatRequest {
  readonly model: Model;
  /** As it was sent, with its model. */
  readonly request: JsonObject;
  /** The messages of systems and developers, joined. */
  readonly system: string;
  readonly turns: readonly Turn[];
  /** What is seen of the images among the messages, in their order. */
  readonly images: readonly SeenImage[];
  readonly promptTokens: number;
  readonly maxTokens: number;
  readonly stops: readonly string[];
  readonly format: Format;
  /** Differs where another answer is wanted: the seed, unless the temperature is 0. */
  readonly variation: string;
  readonly stream: boolean;
  /** A stream ends with its usage. */
  readonly includeUsage: boolean;
}

/** @param request has been checked by the model's schema. @throws {Refusal} 400 with every reason. */
export function parseChatRequest(model: Model, request: JsonObject): ParsedChatRequest {
  const messages = request.messages as readonly JsonObject[];
  const system = messages.filter(({ role }) => SYSTEM.has(String(role))).map(({ content }) => textOf(content));
  const turns = messages
    .filter(({ role }) => !SYSTEM.has(String(role)) && role !== 'tool')
    .map(
      (message): Turn => ({ by: message.role === 'assistant' ? 'writer' : 'person', text: textOf(message.content) }),
    );
  const promptTokens = messages.reduce(
    (sum, { content }) =>
      sum + TOKENS_OF_A_FRAME + countTokens(textOf(content)).tokens + picturesIn(content) * TOKENS_OF_A_PICTURE,
    0,
  );
  const limit = limitOf(request);
  const reasons = [
    ...(messages.length === 0 ? [{ path: 'messages', message: 'messages must have at least one message' }] : []),
    ...reasonsOf(request),
    ...tooLong(model, promptTokens, limit),
  ];
  if (reasons.length > 0) throw invalid(reasons);
  const room = (model.chat?.contextTokens ?? Number.MAX_SAFE_INTEGER) - promptTokens;
  return {
    model,
    request: { model: model.label, ...request },
    system: system.join('\n'),
    turns,
    images: [],
    promptTokens,
    maxTokens: Math.min(limit ?? model.chat?.maxOutputTokens ?? room, room),
    stops: [request.stop ?? []].flat().filter(stop => typeof stop === 'string' && stop !== '') as string[],
    format: formatOf(request.response_format),
    variation: request.temperature === 0 || request.seed === undefined ? '' : String(request.seed),
    stream: request.stream === true,
    includeUsage: isObject(request.stream_options) && request.stream_options.include_usage === true,
  };
}

const SYSTEM = new Set(['system', 'developer']);

/** A text, or the texts among the parts of a message that holds pictures too. */
function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly Json[]) : [];
  return parts
    .map(part => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter(Boolean)
    .join('\n');
}

const picturesIn = (content: Json | undefined): number =>
  Array.isArray(content) ? content.filter(part => isObject(part) && part.text === undefined).length : 0;

/** The document's own field, or the name that newer clients use for it. */
const limitOf = ({ max_tokens, max_completion_tokens }: JsonObject): number | undefined =>
  [max_tokens, max_completion_tokens].find(value => typeof value === 'number') as number | undefined;

function tooLong({ label, chat }: Model, promptTokens: number, limit = 1): readonly Reason[] {
  if (chat === undefined || promptTokens + limit <= chat.contextTokens) return [];
  const [context, prompt, answer] = [chat.contextTokens, promptTokens, limit].map(count => count.toLocaleString('en'));
  const message = `${label} has a context of ${context} tokens; the messages are ${prompt} and the answer may be ${answer}: shorten the conversation, or lower max_tokens`;
  return [{ path: 'messages', message }];
}

/** Rules of the common format for fields that the document does not show. */
function reasonsOf(request: JsonObject): readonly Reason[] {
  const reasons: Reason[] = [];
  const say = (path: string, rule: string) => reasons.push({ path, message: `${path} must ${rule}` });
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const value = request[name] ?? null;
    if (value !== null && !(Number.isInteger(value) && Number(value) >= 1))
      say(name, 'be a whole number of at least 1');
  }
  if ((request.n ?? 1) !== 1) say('n', 'be 1: for another answer, send the request again with another seed');
  const format = request.response_format ?? null;
  if (format === null) return reasons;
  const type = isObject(format) ? format.type : undefined;
  if (!['text', 'json_object', 'json_schema'].includes(String(type))) {
    say('response_format.type', 'be text, json_object or json_schema');
  } else if (type === 'json_schema') {
    const schema = isObject(format) && isObject(format.json_schema) ? format.json_schema.schema : undefined;
    if (!isObject(schema) && typeof schema !== 'boolean') say('response_format.json_schema.schema', 'be a JSON Schema');
  }
  return reasons;
}

function formatOf(format: Json | undefined): Format {
  if (!isObject(format)) return { is: 'text' };
  if (format.type === 'json_object') return { is: 'json' };
  if (format.type !== 'json_schema' || !isObject(format.json_schema)) return { is: 'text' };
  return { is: 'schema', schema: format.json_schema.schema ?? true };
}
