import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type Stub, stubServer } from '../support/stub-server.ts';

export interface Film {
  bytes: Buffer;
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** False: a server that has never heard of ranges. */
  ranges: boolean;
  /** Where the next answers break off: how many bytes each sends before it is cut, or held open. */
  breaks: { after: number; how: 'cut' | 'hold' | 'end' }[];
  contentType: string;
}

/** A server of one film, as storage services serve them: length, ETag, ranges, `If-Range`. */
export async function filmServer(
  film: Partial<Film> & { bytes: Buffer },
): Promise<{ stub: Stub; film: Film; url: string }> {
  const whole: Film = { etag: '"v1"', ranges: true, breaks: [], contentType: 'video/mp4', ...film };
  const stub = await stubServer((response, request) => serve(whole, response, request.headers));
  return { stub, film: whole, url: `${stub.url}/films/fox.mp4?signature=abc` };
}

function serve(film: Film, response: ServerResponse, asked: IncomingHttpHeaders): void {
  const { bytes, etag, lastModified } = film;
  const start = Number(/^bytes=(\d+)-$/.exec(asked.range ?? '')?.[1] ?? Number.NaN);
  const same = asked['if-range'] === undefined || [etag, lastModified].includes(String(asked['if-range']));
  const partial = film.ranges && same && !Number.isNaN(start);
  const from = partial ? start : 0;
  response.writeHead(partial ? 206 : 200, {
    'content-type': film.contentType,
    'content-length': bytes.length - from,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { 'last-modified': lastModified }),
    ...(partial && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  const at = film.breaks.shift();
  if (at === undefined) return void response.end(bytes.subarray(from));
  response.write(bytes.subarray(from, from + at.after), () => {
    if (at.how === 'cut') response.socket?.resetAndDestroy();
    if (at.how === 'end') response.socket?.end();
  });
}

/** Bytes that repeat at no round length. */
export function footage(length: number, salt = 0): Buffer {
  const bytes = Buffer.alloc(length);
  for (let n = 0; n < length; n++) bytes[n] = (n * 31 + (n >> 8) * 7 + salt) & 255;
  return bytes;
}
