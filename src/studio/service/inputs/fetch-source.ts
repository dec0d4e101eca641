/**
 * Fetches an input from the public internet, and from nowhere else: a request must not make the studio read this machine's
 * own network. Every hop's address is looked up once, judged, and then used, so that a name cannot point elsewhere a moment later.
 */

import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { diskErrorFrom } from '../../../machine/files/disk-error.ts';
import { guardFor, type UrlRefusal } from '../../../machine/net/url-guard.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { abortable, deadline } from '../../../machine/time/deadline.ts';
import { bareHost } from '../../../model/loopback.ts';
import { RenderRefusal } from '../../animatic/index.ts';

/** Milliseconds without a byte before a server is given up. */
const SILENCE = 20_000;

export const internet: Network = {
  lookup: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  get: async (url, address, signal) => {
    const { request } = await import('node:https');
    return new Promise<IncomingMessage>((resolve, reject) => {
      const family = isIP(address);
      const outgoing = request(url, {
        signal,
        agent: false,
        headers: { accept: 'video/*, image/*, audio/*;q=0.9, */*;q=0.1', 'user-agent': 'shotlist-studio' },
        lookup: (_host, options, done) =>
          options.all ? done(null, [{ address, family }]) : done(null, address, family),
      });
      outgoing.setTimeout(SILENCE, () => outgoing.destroy(new Error(`nothing came for ${SILENCE / 1000} s`)));
      outgoing.on('response', resolve).on('error', reject).end();
    });
  },
};

export interface Network {
  /** All addresses of a host name. */
  lookup(host: string): Promise<readonly string[]>;
  /** One GET to this very address, whatever the name means by now; redirects are not followed. */
  get(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage>;
}

/** No network is open to a stranger's request. */
const guard = guardFor(null);
const MOST_REDIRECTS = 5;
/** Milliseconds for a whole fetch: a server that trickles must not hold a worker's place. */
const LONGEST_FETCH = 5 * 60_000;
/** Bytes. */
export const LARGEST_SOURCE = 512 * 1024 * 1024;

interface Fetching {
  readonly network: Network;
  readonly clock: Clock;
  /** Bytes. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** @param name how the requester knows this input: `input_video`, `input_image[2]`. */
export async function fetchSource(name: string, address: URL, to: string, fetching: Fetching): Promise<void> {
  using late = deadline(LONGEST_FETCH, fetching);
  try {
    await follow(name, address, to, { ...fetching, signal: AbortSignal.any([fetching.signal, late.signal]) });
  } catch (error) {
    if (!late.signal.aborted || fetching.signal.aborted) throw error;
    throw new RenderRefusal(
      `${name}: ${address.host} took longer than ${LONGEST_FETCH / 60_000} minutes: use a faster address`,
    );
  }
}

async function follow(name: string, address: URL, to: string, { network, most, signal }: Fetching): Promise<void> {
  let url = address;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await get(name, url, network, signal);
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400 && response.headers.location !== undefined) {
      response.destroy();
      url = next(name, url, response.headers.location);
      continue;
    }
    if (status !== 200) {
      response.destroy();
      throw new RenderRefusal(
        `${name}: ${url.origin} answered ${status}: check that the address can be read without signing in`,
      );
    }
    return save(name, response, to, most, signal);
  }
  throw new RenderRefusal(
    `${name}: ${address.origin} redirects more than ${MOST_REDIRECTS} times: name the file's own address`,
  );
}

async function get(name: string, url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const refusal = guard.refuses(url);
  if (refusal !== undefined) throw new RenderRefusal(`${name}: ${inWords(refusal)}`);
  const host = bareHost(url.hostname);
  const addresses = isIP(host) ? [host] : await abortable(network.lookup(host), signal).catch(() => []);
  signal.throwIfAborted();
  const first = addresses[0];
  if (first === undefined) throw new RenderRefusal(`${name}: no such host: ${host}`);
  if (guard.inside(host, addresses) !== undefined)
    throw new RenderRefusal(`${name}: ${inWords({ is: 'private', host })}`);
  try {
    return await network.get(url, first, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new RenderRefusal(`${name}: ${host} cannot be read: ${reason(error)}`);
  }
}

function inWords(refusal: UrlRefusal): string {
  switch (refusal.is) {
    case 'plain':
      return 'http: addresses are not fetched: use https:';
    case 'scheme':
      return `${refusal.scheme} addresses are not fetched: use https:`;
    case 'credentials':
      return 'the address carries a user name or password: use one that needs none';
    case 'private':
      return `${refusal.host} is in a private network, where the studio does not read: use a public address`;
  }
}

function next(name: string, from: URL, location: string): URL {
  const url = URL.parse(location, from.href);
  if (url === null) throw new RenderRefusal(`${name}: ${from.origin} redirects to something that is no address`);
  return url;
}

async function save(
  name: string,
  response: IncomingMessage,
  to: string,
  most: number,
  signal: AbortSignal,
): Promise<void> {
  const limit = most >= 1024 * 1024 ? `${Math.floor(most / (1024 * 1024))} MB` : `${most} bytes`;
  const tooLarge = () => new RenderRefusal(`${name} is larger than ${limit}, the most that is fetched`);
  if (Number(response.headers['content-length'] ?? 0) > most) {
    response.destroy();
    throw tooLarge();
  }
  let bytes = 0;
  try {
    await pipeline(
      response,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > most) throw tooLarge();
          yield chunk;
        }
      },
      createWriteStream(to),
      { signal },
    );
  } catch (error) {
    if (error instanceof RenderRefusal || signal.aborted) throw error;
    const trouble = diskErrorFrom(error, "the studio's folder");
    if (trouble !== undefined) throw new RenderRefusal(`${name} could not be kept: ${trouble.message}`);
    throw new RenderRefusal(`${name}: the download broke off after ${bytes} bytes: ${reason(error)}`);
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
