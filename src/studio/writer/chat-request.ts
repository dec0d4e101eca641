/** A chat request as it comes in, read once: what was said by whom, and how the answer is to be given. Every reason at once. */
import type { Model } from '../../model/model.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { invalid, type Reason } from '../shared/http-refusal.ts';
import type { SeenImage } from './seen-image.ts';

/**
 * How the studio counts, since it has no model's own tokenizer: a token is up to four characters of one word's script, and every
 * Chinese, Japanese or Korean character is one by itself. A message's frame (its role, its ends) is four more, a picture a thousand.
 * Real tokenizers count English about the same; the plan estimates by the same rule.
 */
const FRAME = 4;
const PICTURE = 1_000;

/** The text in its tokens, in order: joined they are the text again. */
export function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

/** How many tokens the text has. It makes none of them: a context of a million tokens is counted in a few milliseconds. */
export function countTokens(text: string): number {
  let tokens = 0;
  /** Characters of the token that is under way. */
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < OWN_TOKEN) {
      if (open === 0) tokens += 1;
      open = (open + 1) % 4;
      continue;
    }
    tokens += 1;
    open = 0;
    if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) at += 1;
  }
  return tokens;
}

/** Characters from here on are a token each; both halves of a surrogate pair lie above. */
const OWN_TOKEN = 0x2e80;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Whole characters, never half of one: `u` makes a surrogate pair one. */
const TOKEN = /[\u{2e80}-\u{10ffff}]|[^\u{2e80}-\u{10ffff}]{1,4}/gu;

/** At most so many tokens of the text. */
export const cutTo = (text: string, tokens: number): string => tokensOf(text).slice(0, tokens).join('');

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
  /** What systems and developers said, joined. */
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
  /** Whether a stream tells its usage at its end. */
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
    (sum, { content }) => sum + FRAME + countTokens(textOf(content)) + picturesIn(content) * PICTURE,
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

/** What the common format says of fields the document does not show. */
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
