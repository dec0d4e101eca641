/**
 * One POST to the chat endpoint; the answer comes whole or as server-sent events, whichever type the service declares.
 * There is no deadline on this side, because an answer given up on may have been paid for. The text itself is data: it is
 * handed on as it came, without the key, and is cleaned where it is shown.
 */

import type { Readable } from 'node:stream';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type ChatRequest, DONE } from '../../api/chat-completions.ts';
import { routes } from '../../api/routes.ts';
import type { ChatAnswer } from '../../api/service.ts';
import { networkErrorText } from '../../machine/network-error.ts';
import type { ChatUsage, FinishReason } from '../../model/run/result.ts';
import { postRaw } from '../post-once.ts';
import type { HttpResponse, Transport } from '../transport.ts';
import { type Fields, fields } from '../wire/json-fields.ts';
import { type KeyRedactor, StreamingRedactor } from '../wire/key-redactor.ts';
import { bodyErrorText, readBody, refusalText } from '../wire/response-body.ts';

/** Characters of a whole answer: some ten times the longest a documented model writes. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Bytes of a whole answer in one piece: every character may be written as `\u0000`. */
const MAX_BODY_BYTES = 6 * MAX_CHARACTERS;

export function chat(
  transport: Transport,
  request: ChatRequest,
  signal: AbortSignal,
  onText: OnText = () => {},
  nonce?: string,
): Promise<ChatAnswer> {
  const stream = request.stream === true;
  return postRaw<ChatAnswer>(
    transport,
    {
      path: routes.chat,
      body: request,
      nonce,
      ...(stream && { accept: 'text/event-stream, application/json' }),
      // The answer's own type decides, not the one that was asked for: a service may know no streams, or nothing else.
      read: response =>
        isStream(response) ? streamed(transport, response, signal, onText) : whole(transport, response, onText),
    },
    signal,
  );
}

const isStream = (response: HttpResponse): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(String(response.headers['content-type'] ?? ''));

async function whole(transport: Transport, response: HttpResponse, onText: OnText): Promise<ChatAnswer> {
  const body = await readBody(response.body, MAX_BODY_BYTES);
  const json = transport.redactor.parse(body);
  const decoded = decodeCompletion(json);
  if (decoded !== undefined) {
    // The text is redacted once more, because it may have been put together from several parts.
    const text = transport.redactor.redact(decoded.text);
    if (text !== '') onText(text);
    return answered({ ...decoded, text });
  }
  const without = `${transport.base.host} answered ${response.status} without a chat completion`;
  return { is: 'unknown', message: isErrorObject(json) ? refusalText(transport, response.status, body) : without };
}

async function streamed(
  transport: Transport,
  response: HttpResponse,
  signal: AbortSignal,
  onText: OnText,
): Promise<ChatAnswer> {
  const stream = new ChatStream(transport.redactor, onText);
  const cut = (why: string): ChatAnswer => ({
    is: 'unknown',
    message: transport.clean(`${transport.base.host}: ${why}${asFarAs(stream.characters)}`),
  });
  try {
    await readEvents(response.body, stream);
  } catch (error) {
    return cut(signal.aborted ? 'stopped' : networkErrorText(error));
  }
  return stream.trouble === undefined ? answered(stream.decoded) : cut(stream.trouble);
}

const answered = ({ text, finish_reason = 'stop', usage }: DecodedChat): ChatAnswer => ({
  is: 'answered',
  text,
  finish_reason,
  usage: usage ?? null,
});

const asFarAs = (characters: number): string =>
  characters === 0
    ? ', before any text had come'
    : `, after ${characters.toLocaleString('en')} character${characters === 1 ? '' : 's'} of the answer had come`;

/** Characters of one line of the stream, or of one event. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

/** Called with each piece of text as it comes. */
type OnText = (text: string) => void;

/** Feeds a stream with the events of a body, split anywhere, up to the last word. Throws the network's error. */
export async function readEvents(body: Readable, stream: ChatStream): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: event => stream.take(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new Error('one event of the stream is longer than 1 MiB');
    },
  });
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (stream.isDone) return;
  }
  stream.end(() => parser.feed('\n\n'));
}

const CUT_OFF = 'the stream ended without its last word';

/** Reads a stream of chunks: holds the text that has come so far, and whether that was all. */
export class ChatStream {
  readonly #redactor: KeyRedactor;
  readonly #text: StreamingRedactor;
  #characters = 0;
  #finish: Pick<DecodedChat, 'finish_reason' | 'usage'> = { finish_reason: undefined, usage: undefined };
  #begun = false;
  #over = false;
  #end: { readonly trouble: string | undefined } | undefined;

  constructor(redactor: KeyRedactor, onText: OnText) {
    this.#redactor = redactor;
    this.#text = new StreamingRedactor(redactor, onText);
  }

  get decoded(): DecodedChat {
    return { ...this.#finish, text: this.#text.passed };
  }

  /** How many have come, including those that are still held back. */
  get characters(): number {
    return this.#characters;
  }

  get isDone(): boolean {
    return this.#end !== undefined;
  }

  get trouble(): string | undefined {
    return this.#end?.trouble;
  }

  take({ event, data }: EventSourceMessage): void {
    const json = this.#redactor.parse(data);
    const piece = decodeChunk(json);
    if (this.isDone) return;
    if (data.trim() === DONE) this.#done(this.#begun ? undefined : 'the stream ended without a chat completion');
    // An event without a blank line after it was cut off in the middle.
    else if (this.#over) this.#done(CUT_OFF);
    else if (event === 'error' || isErrorObject(json))
      this.#done(bodyErrorText(data) ?? 'the stream brought an error without a reason');
    else if (piece !== undefined) this.#take(piece);
    // A named event is something the common format does not have: a beat, a note.
    else if (event === undefined) this.#done('the stream brought something that is no piece of a chat completion');
  }

  /** The bytes are over. A last word without the blank line after it still counts. */
  end(flush: () => void): void {
    this.#over = true;
    flush();
    if (!this.isDone) this.#done(CUT_OFF);
  }

  #take({ text, finish_reason, usage }: DecodedChat): void {
    this.#begun = true;
    this.#finish = {
      finish_reason: finish_reason ?? this.#finish.finish_reason,
      usage: usage ?? this.#finish.usage,
    };
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS)
      throw new Error(`the answer is longer than ${MAX_CHARACTERS / 1024 / 1024} MiB`);
    this.#text.take(text);
  }

  #done(trouble: string | undefined): void {
    this.#end = { trouble };
    this.#text.end();
  }
}

interface DecodedChat {
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
function decodeChunk(json: unknown): DecodedChat | undefined {
  const choice = first(json);
  const isChunk = Array.isArray(fields(json)?.choices) || fields(json)?.usage !== undefined;
  return isChunk ? spoken(json, choice ?? {}, fields(choice?.delta) ?? {}) : undefined;
}

/** `{"error": …}`, which some services send with a 200. */
const isErrorObject = (json: unknown): boolean => fields(json)?.error !== undefined && fields(json)?.error !== null;

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
