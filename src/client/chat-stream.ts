/** A chat completion that comes as server-sent events. */
import type { Readable } from 'node:stream';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { DONE } from '../api/chat-completions.ts';
import { type DecodedChat, decodeChunk, isErrorObject } from './decode-chat.ts';
import { bodyErrorText } from './error-text.ts';
import { type KeyRedactor, StreamingRedactor } from './key-redactor.ts';

/** Characters of a whole answer: some ten times the longest a documented model writes. */
export const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Characters of one line of the stream, or of one event. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

/** Called with each piece of text as it comes. */
export type OnText = (text: string) => void;

/** Feeds a stream with the events of a body, whose bytes may be split anywhere, up to the last word. Throws what the network throws. */
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
