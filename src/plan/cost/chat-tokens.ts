/** The price of a chat: estimated from its words before it is asked, and counted from the service's own tokens afterwards. */
import type { Pricing } from '../../api/catalog.ts';
import { imagesIn } from '../../model/media/chat-images.ts';
import type { ChatFacts, Model } from '../../model/model.ts';
import { roundUsd } from '../../model/money.ts';
import { isPending } from '../../model/plan.ts';
import type { ChatUsage } from '../../model/run/result.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { messages } from '../plan-messages.ts';

/** Undefined while some of the words are not known. */
export function promptTokens(request: JsonObject): PromptTokens | undefined {
  const { tokens, bytes, isWhole } = tokensSoFar(request);
  if (!isWhole) return undefined;
  // A model gets a schema as text, whatever the service makes of it.
  const format = request.response_format;
  return { about: tokens, atMost: bytes + (format === undefined ? 0 : bytesOf(JSON.stringify(format))) };
}

interface PromptTokens {
  /** Four letters of Latin text make a token, and so does every Chinese character. */
  readonly about: number;
  /** No tokenizer makes more of a text than it has bytes. */
  readonly atMost: number;
}

export interface MostTokens {
  readonly prompt: number;
  readonly completion: number;
  /** Nothing but what the model can read and write bounds one of them. */
  readonly byModel: boolean;
}

/**
 * No request reads or writes more. A context holds prompt and answer whatever is in them, so that it bounds words that are not written
 * yet, images, and an answer without `max_tokens`. What it holds together is not shared out here: services differ in what they count
 * to it. Undefined where not even the model's limits are known.
 */
export function mostTokens(model: Model | undefined, request: JsonObject): MostTokens | undefined {
  const { contextTokens, maxOutputTokens } = model?.chat ?? {};
  const words = imagesIn(request) > 0 ? undefined : promptTokens(request)?.atMost;
  const asked = typeof request.max_tokens === 'number' ? request.max_tokens : undefined;
  const prompt = words ?? contextTokens;
  const completion = asked ?? maxOutputTokens ?? contextTokens;
  if (prompt === undefined || completion === undefined) return undefined;
  return { prompt, completion, byModel: words === undefined || asked === undefined };
}

/** Every message is wrapped in a few tokens of its own. */
const OF_A_MESSAGE = 4;

/** Of the words that are known; `words`: without what each message is wrapped in. */
function tokensSoFar(request: JsonObject): {
  readonly tokens: number;
  readonly words: number;
  readonly bytes: number;
  readonly isWhole: boolean;
} {
  let [tokens, words, bytes] = [0, 0, 0];
  let isWhole = true;
  for (const text of texts(request.messages ?? null)) {
    if (text === undefined) {
      isWhole = false;
      continue;
    }
    const own = tokensOf(text);
    words += own;
    tokens += OF_A_MESSAGE + Math.ceil(own);
    bytes += OF_A_MESSAGE + bytesOf(text);
  }
  return { tokens, words, bytes, isWhole };
}

/** Bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Both halves of a pair make four.
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  return bytes;
}

/** Code unit by code unit: a prompt may be long, and is asked about for each of thousands of instances. */
function tokensOf(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // The second half of a pair has been counted with the first.
    if (unit >= 0xdc00 && unit <= 0xdfff) continue;
    tokens += unit > 0x2e7f ? 1 : 0.25;
  }
  return tokens;
}

/** How many times the context the estimate must be before it is beyond doubt: no tokenizer needs fewer than one token for eight letters. */
const BEYOND_DOUBT = 2;

/** The field that certainly does not fit into the model's context ("Chat context lengths and max outputs"); undefined where all may fit. */
export function contextExcess(
  model: Model | undefined,
  request: JsonObject,
): { readonly path: string; readonly message: string } | undefined {
  if (!model?.chat) return undefined;
  const { contextTokens } = model.chat;
  const { max_tokens: most } = request;
  if (typeof most === 'number' && most >= contextTokens)
    return { path: 'max_tokens', message: messages.noRoomForPrompt(model.label, contextTokens, most) };
  // What is not known yet only adds to it.
  const { tokens, words } = tokensSoFar(request);
  const certain = words / BEYOND_DOUBT;
  if (certain > contextTokens)
    return { path: 'messages', message: messages.promptTooLong(model.label, contextTokens, tokens) };
  if (typeof most !== 'number' || certain + most <= contextTokens) return undefined;
  return { path: 'max_tokens', message: messages.promptAndAnswerTooLong(model.label, contextTokens, tokens, most) };
}

/** The words of each message; pictures in it are counted as none. */
function* texts(messages: Json): Iterable<string | undefined> {
  for (const message of Array.isArray(messages) ? (messages as readonly Json[]) : [messages]) {
    if (isPending(message)) {
      yield undefined;
      continue;
    }
    const content = isObject(message) ? message.content : undefined;
    if (isPending(content)) yield undefined;
    else if (typeof content === 'string') yield content;
    else if (Array.isArray(content))
      for (const part of content as readonly Json[]) {
        const text = isObject(part) ? part.text : undefined;
        if (isPending(text)) yield undefined;
        else if (typeof text === 'string') yield text;
      }
  }
}

/**
 * US dollars; null where no price is known. One model "bills 2x input and 1.5x output for the whole session when the prompt exceeds
 * 272K input tokens" (interface document, "Pricing object"): `priceStep`.
 */
export function costOfTokens(
  pricing: Pricing | undefined,
  chat: ChatFacts | undefined,
  usage: Pick<ChatUsage, 'prompt_tokens' | 'completion_tokens'>,
): number | null {
  const { input_cost_per_token: input, output_cost_per_token: output } = pricing ?? {};
  if (input == null || output == null) return null;
  const step = chat?.priceStep;
  const dear = step !== undefined && usage.prompt_tokens > step.aboveInputTokens;
  const usd =
    usage.prompt_tokens * input * (dear ? step.inputFactor : 1) +
    usage.completion_tokens * output * (dear ? step.outputFactor : 1);
  return roundUsd(usd);
}
