/**
 * One POST to the chat endpoint; the answer comes whole or as server-sent events, whichever the service says it sends.
 * There is no deadline on this side, because an answer given up on may have been paid for. The text itself is data: it is handed
 * on as it came, and whoever shows it cleans it.
 */
import type { Readable } from 'node:stream';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type ChatRequest, DONE } from '../api/chat.ts';
import { routes } from '../api/routes.ts';
import type { ChatAnswer } from '../api/service.ts';
import { chunk, completion, type Said } from './chat-shapes.ts';
import { sendOnce } from './post.ts';
import { bounded, refusal } from './read.ts';
import type { Reply, Wire } from './wire.ts';
import { errorText, parseJson, trouble } from './words.ts';

/** Characters of a whole answer: some ten times the longest a documented model writes. */
const LONGEST = 4 * 1024 * 1024;
/** Characters of one line of the stream, or of one event. */
const LONGEST_EVENT = 1024 * 1024;
/** Bytes of a whole answer in one piece: every character may be written as `\u0000`. */
const BODY_CAP = 6 * LONGEST;

export type Written = (text: string) => void;

export function chat(
  wire: Wire,
  request: ChatRequest,
  signal: AbortSignal,
  written: Written = () => {},
  nonce?: string,
): Promise<ChatAnswer> {
  const stream = request.stream === true;
  return sendOnce<ChatAnswer>(
    wire,
    {
      path: routes.chat,
      body: request,
      nonce,
      ...(stream && { accept: 'text/event-stream, application/json' }),
      // What is sent decides, not what was asked for: a service may know no streams, or nothing else.
      hear: reply => (isStream(reply) ? streamed(wire, reply, signal, written) : whole(wire, reply, written)),
    },
    signal,
  );
}

const isStream = (reply: Reply): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(String(reply.headers['content-type'] ?? ''));

async function whole(wire: Wire, reply: Reply, written: Written): Promise<ChatAnswer> {
  const body = await bounded(reply.body, BODY_CAP);
  const json = parseJson(body);
  const said = completion(json);
  if (said !== undefined) {
    if (said.text !== '') written(said.text);
    return answered(said);
  }
  const without = `${wire.address.host} answered ${reply.status} without a chat completion`;
  return { is: 'unknown', message: isError(json) ? refusal(wire, reply.status, body) : without };
}

async function streamed(wire: Wire, reply: Reply, signal: AbortSignal, written: Written): Promise<ChatAnswer> {
  const ear = new Ear(written);
  const cut = (why: string): ChatAnswer => ({
    is: 'unknown',
    message: wire.clean(`${wire.address.host}: ${why}${asFarAs(ear.said.text)}`),
  });
  try {
    await listen(reply.body, ear);
  } catch (error) {
    return cut(signal.aborted ? 'stopped' : trouble(error));
  }
  return ear.trouble === undefined ? answered(ear.said) : cut(ear.trouble);
}

const answered = ({ text, finish_reason = 'stop', usage }: Said): ChatAnswer => ({
  is: 'answered',
  text,
  finish_reason,
  usage: usage ?? null,
});

const asFarAs = (text: string): string =>
  text === ''
    ? ', before any text had come'
    : `, after ${text.length.toLocaleString('en')} character${text.length === 1 ? '' : 's'} of the answer had come`;

/** Events from bytes that may be split anywhere, up to the last word. Throws what the network throws. */
async function listen(body: Readable, ear: Ear): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: event => ear.hear(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new Error('one event of the stream is longer than 1 MiB');
    },
  });
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (ear.isDone) return;
  }
  ear.end(() => parser.feed('\n\n'));
}

const CUT = 'the stream ended without its last word';

/** What a stream has brought so far, and whether that was all. */
class Ear {
  readonly #written: Written;
  #said: Said = { text: '', finish_reason: undefined, usage: undefined };
  /** A high surrogate whose other half is still to come: no piece that is handed on ends inside a character. */
  #half = '';
  #begun = false;
  #over = false;
  #end: { readonly trouble: string | undefined } | undefined;

  constructor(written: Written) {
    this.#written = written;
  }

  get said(): Said {
    return this.#said;
  }

  get isDone(): boolean {
    return this.#end !== undefined;
  }

  get trouble(): string | undefined {
    return this.#end?.trouble;
  }

  hear({ event, data }: EventSourceMessage): void {
    const json = parseJson(data);
    const piece = chunk(json);
    if (this.isDone) return;
    if (data.trim() === DONE) this.#done(this.#begun ? undefined : 'the stream ended without a chat completion');
    // What has no blank line after it was cut off in the middle.
    else if (this.#over) this.#done(CUT);
    else if (event === 'error' || isError(json))
      this.#done(errorText(data) ?? 'the stream brought an error without a reason');
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

  #take({ text, finish_reason, usage }: Said): void {
    const before = this.#said;
    this.#begun = true;
    this.#said = {
      text: before.text + text,
      finish_reason: finish_reason ?? before.finish_reason,
      usage: usage ?? before.usage,
    };
    if (this.#said.text.length > LONGEST) throw new Error(`the answer is longer than ${LONGEST / 1024 / 1024} MiB`);
    const ready = this.#half + text;
    this.#half = /[\ud800-\udbff]$/.test(ready) ? ready.slice(-1) : '';
    this.#tell(ready.slice(0, ready.length - this.#half.length));
  }

  #done(trouble: string | undefined): void {
    this.#end = { trouble };
    this.#tell(this.#half);
  }

  #tell(text: string): void {
    if (text !== '') this.#written(text);
  }
}

/** `{"error": …}`, which some services send with a 200. */
const isError = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'error' in json && json.error !== null && json.error !== undefined;
