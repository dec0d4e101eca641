/**
 * Chat passed on to a service of the user's own: the request as it came, and the answer as it comes, whole or event by event.
 * The upstream is sent the request and its own key, never the studio's. An answer names the model that really wrote it.
 */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isUnencrypted } from '../../model/loopback.ts';
import { Refusal as Unusable } from '../../model/run/decision-page.ts';
import { isObject, type Json, recordIn } from '../../model/text/json.ts';
import { beginEventStream, type Listener } from '../shared/event-stream.ts';
import { HttpRefusal, ok } from '../shared/http-refusal.ts';
import type { ChatBackend } from './chat-backend.ts';
import type { ChatUpstream } from './chat-upstream.ts';

/** @throws {Unusable} for an address that cannot be used; the message is for the user. */
export function upstreamBackend(upstream: ChatUpstream): ChatBackend {
  const url = addressOf(upstream);
  const place = `${url.origin}${url.pathname}`;
  return {
    description: `Passed on to ${place}${upstream.model ? ` as ${upstream.model}` : ''}: what answers is whatever is served there.`,
    images: 'passed on',
    answer: async ({ request, stream }, gone) => {
      const body = JSON.stringify({ ...request, ...(upstream.model && { model: upstream.model }) });
      const reply = await ask(url, upstream.key, body, stream, gone);
      const status = reply.statusCode ?? 0;
      if (status < 200 || status > 299) throw await refusalOf(url, reply);
      if (isEventStream(reply)) return { stream: response => passOn(reply, response) };
      const json = await jsonOf(reply);
      if (isObject(json) && Array.isArray(json.choices)) return ok(json);
      throw failed(url, `answered ${status} without a whole chat completion`);
    },
  };
}

function addressOf({ url: text, key }: ChatUpstream): URL {
  const no = (why: string) =>
    new Unusable(`the chat upstream ${why}; write it as http://127.0.0.1:11434/v1, and /chat/completions is appended`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw no('is no web address');
  if (url.username !== '' || url.password !== '') throw no('holds a user name or a password');
  if (url.search !== '' || url.hash !== '') throw no('holds a `?` or a `#`');
  if (key && isUnencrypted(url)) throw no('would be sent its key unencrypted: use https, or no key');
  if (key && !/^[\x21-\x7e]*$/.test(key)) throw no('has a key that no header can carry');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

/** `node:http` has no deadline between two bytes: a model may think for as long as it likes. */
async function ask(
  url: URL,
  key: string | undefined,
  body: string,
  stream: boolean,
  gone: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = await import(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: stream ? 'text/event-stream, application/json' : 'application/json',
    'user-agent': 'shotlist-studio',
    ...(key && { authorization: `Bearer ${key}` }),
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false, signal: gone });
    outgoing.on('response', resolve).on('error', reject).end(body);
  }).catch((error: NodeJS.ErrnoException) => {
    const reason = UNSENT[error.code ?? ''];
    if (reason === undefined) throw failed(url, 'cut the connection');
    throw new HttpRefusal(503, 'upstream_unreachable', `chat is passed on to ${url.origin}, and ${reason}`);
  });
}

/** Errors by which provably nothing was sent. */
const UNSENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there (connection refused)',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network',
};

const failed = (url: URL, what: string) =>
  new HttpRefusal(502, 'upstream_failed', `chat is passed on to ${url.origin}, which ${what}`);

/** A fault of the request stays a fault of the request, and "too many" keeps its wait; everything else is the upstream's own failure. */
async function refusalOf(url: URL, reply: IncomingMessage): Promise<HttpRefusal> {
  const status = reply.statusCode ?? 0;
  const reason = reasonIn(await jsonOf(reply));
  const message = `chat is passed on to ${url.origin}, which answered ${status}${reason ? `: ${reason}` : ''}`;
  if ([400, 413, 422].includes(status)) return new HttpRefusal(400, 'invalid_request', message);
  const wait = reply.headers['retry-after'];
  if (status === 429) return new HttpRefusal(429, 'rate_limited', message, { headers: { 'retry-after': wait ?? '1' } });
  return new HttpRefusal(502, 'upstream_failed', message);
}

/** `{error: {message}}`, `{error}`, `{message}` or `{detail}`; a page or a stack is left out. */
function reasonIn(body: Json): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, message, detail } = body;
  const found = [isObject(error) ? error.message : error, message, detail].find(text => typeof text === 'string');
  const [line] = String(found ?? '').split('\n');
  return line
    ?.replace(/\p{Cc}+/gu, ' ')
    .slice(0, 300)
    .trim();
}

/** Of an answer in one piece. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The answer as a JSON object; null where it is none, breaks off, or is too long. */
async function jsonOf(reply: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return recordIn(Buffer.concat(chunks).toString('utf8')) ?? null;
}

const isEventStream = (reply: IncomingMessage): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(reply.headers['content-type'] ?? '');

/** An answer that breaks off there breaks off here: its reader must not take it for a whole one. */
async function passOn(reply: IncomingMessage, response: Listener): Promise<void> {
  beginEventStream(response);
  response.flushHeaders();
  await pipeline(reply, response).catch(() => response.destroy());
}
