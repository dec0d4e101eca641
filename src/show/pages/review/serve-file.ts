/** One file of this machine as an answer: whole, or a part of it. What is named by its digest never changes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { rangeOf } from '../../../machine/files/byte-range.ts';

/**
 * Bytes of one part. A browser keeps six connections to a server and holds a player's for as long as the player likes: an answer that ends
 * soon leaves one for the person's decision. The player asks for the rest when it comes to it (RFC 9110, 15.3.7).
 */
const LARGEST_PART = 4 * 1024 * 1024;

/** Milliseconds for which a reader may take nothing before it is cut off. */
const LONGEST_STALL = 120_000;

export interface ServedFile {
  readonly path: string;
  /** A strong validator, without quotes. */
  readonly tag: string;
  readonly type: string;
}

/** @returns false where there is no such file: nothing was answered then. */
export async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  { path, tag, type }: ServedFile,
): Promise<boolean> {
  const size = await stat(path).then(
    found => (found.isFile() ? found.size : undefined),
    () => undefined,
  );
  if (size === undefined) return false;
  const etag = `"${tag}"`;
  response.setHeader('etag', etag);
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', 'private, max-age=86400, immutable');
  // Whatever it holds, it is no document of ours.
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return true;
  }
  const range = rangeOf(request, size, etag);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${size}`, 'content-length': 0 }).end();
    return true;
  }
  const { start, last } = range
    ? { start: range.start, last: Math.min(range.end, range.start + LARGEST_PART - 1) }
    : { start: 0, last: size - 1 };
  response.writeHead(range ? 206 : 200, {
    'content-type': type,
    'content-length': last - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${last}/${size}` }),
  });
  if (request.method === 'HEAD' || size === 0) {
    response.end();
    return true;
  }
  response.setTimeout(LONGEST_STALL, () => response.destroy());
  // A reader that goes away in the middle is no error.
  await pipeline(createReadStream(path, { start, end: last }), response).catch(() => response.destroy());
  return true;
}
