/** One GET of a public address: every hop checked, no credential on any of them, given up when nothing comes. */

import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { PrivateAddress, type UrlGuard, type UrlRefusal } from '../../machine/net/url-guard.ts';
import { networkErrorText } from '../../machine/network-error.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { abortable, type Watchdog, watchdog } from '../../machine/time/deadline.ts';

/** The URL is refused; trying again would be no better. */
export class DownloadRefused extends Error {}

export interface CheckedResponse extends AsyncDisposable {
  readonly status: number;
  header(name: string): string | undefined;
  /** Throws, in plain words, what the network does, and after too long a silence. */
  readonly body: AsyncIterable<Buffer>;
}

interface FetchOptions {
  readonly allow: UrlGuard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds without a byte after which it is given up. */
  readonly silence: number;
}

const MAX_REDIRECTS = 5;
/** Milliseconds. undici's other time-outs are off: they cannot tell a slow stream from a dead one. */
const CONNECT_TIMEOUT = 30_000;
/** Bytes that may wait between the network and the disk. */
const MAX_BUFFERED = 1024 * 1024;

export async function checkedGet(
  url: string,
  headers: Record<string, string>,
  options: FetchOptions,
): Promise<CheckedResponse> {
  const { allow, clock, signal, silence } = options;
  const agent = agentOf(allow);
  const quiet = watchdog(silence, { clock, reason: new Error(`nothing came for ${silence / 1000} s`) });
  const ended = new AbortController();
  const end = async () => {
    quiet.clear();
    // A body that was read to its end is over: its connection serves the next.
    ended.abort(STOPPED);
  };
  const cut = AbortSignal.any([signal, quiet.signal, ended.signal]);
  try {
    const reply = await abortable(follow(agent, url, headers, { allow, signal: cut }), cut);
    return {
      status: reply.statusCode,
      header: name => {
        const value = reply.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: buffered(reply.body, quiet),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw plainError(error);
  }
}

const STOPPED = new Error('stopped');

/** The kept connections to addresses that one guard has let through. Idle ones end by themselves, and keep no process alive. */
const agents = new WeakMap<UrlGuard, Agent>();

function agentOf(allow: UrlGuard): Agent {
  const kept = agents.get(allow);
  if (kept) return kept;
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: { lookup: allow.lookup, timeout: CONNECT_TIMEOUT, allowH2: false },
  });
  agents.set(allow, agent);
  return agent;
}

/** The answer at the end of at most five redirects. */
async function follow(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  { allow, signal }: { allow: UrlGuard; signal: AbortSignal },
): ReturnType<Agent['request']> {
  let at = URL.parse(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (at === null) throw new DownloadRefused("the result's URL cannot be read");
    at = allow.secured(at);
    const why = allow.refuses(at);
    if (why !== undefined) throw new DownloadRefused(`the result's URL is refused: ${refused(why)}`);
    // "identity", because a length is only worth something for the bytes as they are.
    const request = { origin: at.origin, path: at.pathname + at.search, method: 'GET' as const, signal };
    const reply = await agent.request({ ...request, headers: { ...headers, 'accept-encoding': 'identity' } });
    // The body may break after its last reader has left. A reader has a listener of its own.
    reply.body.on('error', () => {});
    const { location } = reply.headers;
    if (![301, 302, 303, 307, 308].includes(reply.statusCode) || typeof location !== 'string') return reply;
    reply.body.destroy();
    at = URL.parse(location, at.href);
  }
  throw new DownloadRefused(`the result's URL redirects more than ${MAX_REDIRECTS} times`);
}

function refused(why: UrlRefusal): string {
  switch (why.is) {
    case 'scheme':
      return `${why.scheme} is no way to fetch a result`;
    case 'credentials':
      return 'it holds a user name or a password';
    case 'plain':
      return 'it is not encrypted';
    case 'private':
      return `${why.host} is a private address`;
  }
}

/**
 * The body, taken from the connection as it comes, from now on. A stream that is read on demand throws away the bytes it holds at the
 * moment the connection breaks; these bytes were paid for and need not come again.
 */
function buffered(body: Readable, quiet: Watchdog): AsyncIterable<Buffer> {
  const chunks: Buffer[] = [];
  let held = 0;
  let over: { readonly error?: Error } | undefined;
  let wake = () => {};
  const end = (error?: Error) => {
    over ??= error === undefined ? {} : { error };
    wake();
  };
  body.on('end', end).on('error', end);
  body.on('close', () => end(new Error('the connection was cut')));
  body.on('data', (chunk: Buffer) => {
    quiet.feed();
    chunks.push(chunk);
    held += chunk.length;
    if (held > MAX_BUFFERED) body.pause();
    wake();
  });
  return (async function* () {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk !== undefined) {
        held -= chunk.length;
        if (held <= MAX_BUFFERED) body.resume();
        quiet.feed();
        yield chunk;
      } else if (over !== undefined) {
        if (over.error !== undefined) throw plainError(over.error);
        return;
      } else {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
  })();
}

function plainError(error: unknown): Error {
  if (error instanceof PrivateAddress) return new DownloadRefused(`the result's URL is refused: ${error.message}`);
  return error instanceof DownloadRefused ? error : new Error(networkErrorText(error));
}
