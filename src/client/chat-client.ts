/**
 * One POST to the chat endpoint; the answer comes whole or as server-sent events, whichever the service says it sends.
 * There is no deadline on this side, because an answer given up on may have been paid for. The text itself is data: but for
 * the key it is handed on as it came, and whoever shows it cleans it.
 */
import type { Readable } from 'node:stream';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type ChatRequest, DONE } from '../api/chat-completions.ts';
import { routes } from '../api/routes.ts';
import type { ChatAnswer } from '../api/service.ts';
import { type DecodedChat, decodeChunk, decodeCompletion } from './decode-chat.ts';
import { bodyErrorText, networkErrorText } from './error-text.ts';
import type { KeyRedactor } from './key-redactor.ts';
import { postRaw } from './post-once.ts';
import { readBody, refusalText } from './read-json.ts';
import { StreamingRedactor } from './streaming-redactor.ts';
import type { HttpResponse, Transport } from './transport.ts';

/** Characters of a whole answer: some ten times the longest a documented model writes. */
const LONGEST = 4 * 1024 * 1024;
/** Characters of one line of the stream, or of one event. */
const LONGEST_EVENT = 1024 * 1024;
/** Bytes of a whole answer in one piece: every character may be written as `\u0000`. */
const BODY_CAP = 6 * LONGEST;

export type OnText = (text: string) => void;

export function chat(
  transport: Transport,
  request: ChatRequest,
  signal: AbortSignal,
  written: OnText = () => {},
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
      // What is sent decides, not what was asked for: a service may know no streams, or nothing else.
      read: reply => (isStream(reply) ? streamed(transport, reply, signal, written) : whole(transport, reply, written)),
    },
    signal,
  );
}

const isStream = (reply: HttpResponse): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(String(reply.headers['content-type'] ?? ''));

async function whole(transport: Transport, reply: HttpResponse, written: OnText): Promise<ChatAnswer> {
  const body = await readBody(reply.body, BODY_CAP);
  const json = transport.redactor.parse(body);
  const said = decodeCompletion(json);
  if (said !== undefined) {
    // Once more: it may have been put together from several parts.
    const text = transport.redactor.redact(said.text);
    if (text !== '') written(text);
    return answered({ ...said, text });
  }
  const without = `${transport.base.host} answered ${reply.status} without a chat completion`;
  return { is: 'unknown', message: isError(json) ? refusalText(transport, reply.status, body) : without };
}

async function streamed(
  transport: Transport,
  reply: HttpResponse,
  signal: AbortSignal,
  written: OnText,
): Promise<ChatAnswer> {
  const stream = new ChatStream(transport.redactor, written);
  const cut = (why: string): ChatAnswer => ({
    is: 'unknown',
    message: transport.clean(`${transport.base.host}: ${why}${asFarAs(stream.characters)}`),
  });
  try {
    await listen(reply.body, stream);
  } catch (error) {
    return cut(signal.aborted ? 'stopped' : networkErrorText(error));
  }
  return stream.trouble === undefined ? answered(stream.said) : cut(stream.trouble);
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

/** Events from bytes that may be split anywhere, up to the last word. Throws what the network throws. */
async function listen(body: Readable, stream: ChatStream): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: event => stream.hear(event),
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

const CUT = 'the stream ended without its last word';

/** What a stream has brought so far, and whether that was all. */
class ChatStream {
  readonly #secret: KeyRedactor;
  readonly #text: StreamingRedactor;
  #characters = 0;
  #finish: Pick<DecodedChat, 'finish_reason' | 'usage'> = { finish_reason: undefined, usage: undefined };
  #begun = false;
  #over = false;
  #end: { readonly trouble: string | undefined } | undefined;

  constructor(secret: KeyRedactor, written: OnText) {
    this.#secret = secret;
    this.#text = new StreamingRedactor(secret, written);
  }

  get said(): DecodedChat {
    return { ...this.#finish, text: this.#text.told };
  }

  /** How many have come, those that are still held back among them. */
  get characters(): number {
    return this.#characters;
  }

  get isDone(): boolean {
    return this.#end !== undefined;
  }

  get trouble(): string | undefined {
    return this.#end?.trouble;
  }

  hear({ event, data }: EventSourceMessage): void {
    const json = this.#secret.parse(data);
    const piece = decodeChunk(json);
    if (this.isDone) return;
    if (data.trim() === DONE) this.#done(this.#begun ? undefined : 'the stream ended without a chat completion');
    // What has no blank line after it was cut off in the middle.
    else if (this.#over) this.#done(CUT);
    else if (event === 'error' || isError(json))
      this.#done(bodyErrorText(data) ?? 'the stream brought an error without a reason');
    else if (piece !== undefined) this.#take(piece);
    // A named event is something the common format does not have: a beat, a note.
    else if (event === undefined) this.#done('the stream brought something that is no piece of a chat completion');
  }

  /** The bytes are over. A last word without the blank line after it still counts. */
  end(flush: () => void): void {
    this.#over = true;
    flush();
    if (!this.isDone) this.#done(CUT);
  }

  #take({ text, finish_reason, usage }: DecodedChat): void {
    this.#begun = true;
    this.#finish = {
      finish_reason: finish_reason ?? this.#finish.finish_reason,
      usage: usage ?? this.#finish.usage,
    };
    this.#characters += text.length;
    if (this.#characters > LONGEST) throw new Error(`the answer is longer than ${LONGEST / 1024 / 1024} MiB`);
    this.#text.take(text);
  }

  #done(trouble: string | undefined): void {
    this.#end = { trouble };
    this.#text.end();
  }
}

/** `{"error": …}`, which some services send with a 200. */
const isError = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'error' in json && json.error !== null && json.error !== undefined;
