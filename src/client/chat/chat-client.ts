/**
 * One POST to the chat endpoint; the answer comes whole or as server-sent events, whichever type the service declares.
 * There is no deadline on this side, because an answer given up on may have been paid for. The text itself is data: it is
 * handed on as it came, without the key, and is cleaned where it is shown.
 */
import type { ChatRequest } from '../../api/chat-completions.ts';
import { routes } from '../../api/routes.ts';
import type { ChatAnswer } from '../../api/service.ts';
import { networkErrorText } from '../../machine/network-error.ts';
import { postRaw } from '../post-once.ts';
import type { HttpResponse, Transport } from '../transport.ts';
import { readBody, refusalText } from '../wire/response-body.ts';
import {
  ChatStream,
  type DecodedChat,
  decodeCompletion,
  isErrorObject,
  MAX_CHARACTERS,
  type OnText,
  readEvents,
} from './chat-stream.ts';

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
